"""What a stream says when there is nothing to say tells nothing of hidden records."""

import asyncio
from types import SimpleNamespace

from service.base.waiting import Signal
from service.http import live
from service.http.access import FoundMatch
from service.http.live import Streams
from service.play.players import Caller
from service.play.receipts import Receipts

PER_SIGN = 20
"""Number of hidden records in the time after which a quiet stream gives a sign of life."""


class HiddenRecords:
    """A cache whose match changes all the time, by records that its viewer is not shown."""

    count = 0

    def __init__(self):
        header = SimpleNamespace(match="m_1")
        self.cached = SimpleNamespace(
            changed=Signal(),
            folded=SimpleNamespace(players={}),
            match=SimpleNamespace(status="running", header=header),
        )

    async def go_on(self):
        for self.count in range(1, 3 * PER_SIGN + 1):
            await asyncio.sleep(live.KEEPALIVE_S / PER_SIGN)
            changed, self.cached.changed = self.cached.changed, Signal()
            changed.set()

    async def follow(self, _cached, _viewer):
        return []

    async def known(self, _match):
        return self.cached

    async def shown(self, cached, _caller):
        return cached


class Watchers:
    async def stands(self, _caller):
        return True

    def changed(self, _player):
        return Signal()


async def test_hidden_records_do_not_put_off_the_sign_of_life(monkeypatch):
    monkeypatch.setattr(live, "KEEPALIVE_S", 1.0)
    cache = HiddenRecords()
    streams = Streams(cache, Watchers(), Receipts(None), Signal(), 1)
    told = streams.follow(FoundMatch(cache.cached, None), Caller("p_1"), 0)
    going = asyncio.create_task(cache.go_on())
    assert (await anext(told)).encode() == b": still here\r\n\r\n"
    going.cancel()
    assert cache.count < 3 * PER_SIGN
