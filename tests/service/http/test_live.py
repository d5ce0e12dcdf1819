"""What a stream says when there is nothing to say tells nothing of hidden records."""

import asyncio
from types import SimpleNamespace

import pytest

from service.http import live
from service.http.access import FoundMatch
from service.http.live import Streams
from service.play.players import Caller


class HiddenRecords:
    """A cache whose match changes all the time, by records that its viewer is not shown."""

    def __init__(self):
        header = SimpleNamespace(match="m_1")
        self.cached = SimpleNamespace(
            changed=asyncio.Event(),
            folded=SimpleNamespace(players={}),
            match=SimpleNamespace(status="running", header=header),
        )

    async def go_on(self):
        while True:
            await asyncio.sleep(live.KEEPALIVE_S / 10)
            changed, self.cached.changed = self.cached.changed, asyncio.Event()
            changed.set()

    async def follow(self, _cached, _viewer):
        return []

    async def known(self, _match):
        return self.cached


class Watchers:
    async def stands(self, _caller):
        return True


async def test_hidden_records_do_not_put_off_the_sign_of_life(monkeypatch):
    monkeypatch.setattr(live, "KEEPALIVE_S", 0.1)
    cache = HiddenRecords()
    streams = Streams(cache, Watchers(), asyncio.Event(), 1)
    told = streams.follow(FoundMatch(cache.cached, None), Caller("p_1"), 0)
    going = asyncio.create_task(cache.go_on())
    try:
        async with asyncio.timeout(20):
            assert (await anext(told)).comment == "still here"
    except TimeoutError:
        pytest.fail("no sign of life while hidden records come")
    finally:
        going.cancel()
