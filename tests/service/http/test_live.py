"""When a stream says something, and that quiet ones tell nothing of hidden records."""

import asyncio
from types import SimpleNamespace

import pytest
from litestar.response import ServerSentEventMessage

from service.base.waiting import Signal
from service.http import live
from service.http.access import FoundMatch
from service.http.live import Streams
from service.play.caller import Caller
from service.play.receipts import Receipts
from tests.service.virtual_time import run

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


class FastMatch(HiddenRecords):
    """A cache whose match has new records in quick succession, shown to all."""

    PAUSE_S = 0.07
    RECORDS = 40

    def __init__(self, player):
        super().__init__()
        self.cached.folded.players = {} if player is None else {"p_1": player}
        self.cached.folded.number = lambda _viewer: 0
        self.told = []

    async def go_on(self):
        for number in range(self.RECORDS):
            await asyncio.sleep(self.PAUSE_S)
            self.told.append(b'{"v":%d}' % number)
            changed, self.cached.changed = self.cached.changed, Signal()
            changed.set()
        self.cached.match.status = "finished"
        self.cached.changed.set()

    async def follow(self, _cached, _viewer):
        return self.told


def heard(player):
    """Return what a stream of a fast match is sent: time and message."""

    async def story():
        cache = FastMatch(player)
        streams = Streams(cache, Watchers(), Receipts(None), Signal(), 1)
        found = FoundMatch(cache.cached, player)
        playing = asyncio.create_task(cache.go_on())
        loop = asyncio.get_running_loop()
        sent = [(loop.time(), told) async for told in streams.follow(found, Caller("p_1"), 0)]
        await playing
        return sent

    return run(story())


def test_spectators_of_a_fast_match_are_sent_its_records_on_a_beat():
    *records, (_, end) = heard(None)
    assert end.event == "end"
    (first, _), *later = records
    assert first % live.SPECTATORS_S == pytest.approx(FastMatch.PAUSE_S), "the first at once"
    beats = [time / live.SPECTATORS_S for time, _ in later]
    assert beats == pytest.approx([round(beat) for beat in beats])
    assert len(records) < FastMatch.RECORDS / 4


def test_a_player_is_sent_every_record_at_once():
    *records, _ = heard(0)
    assert [told.id for _, told in records] == list(range(1, FastMatch.RECORDS + 1))


@pytest.mark.parametrize("player", [None, 0])
def test_every_record_is_a_message_of_its_own(player):
    *records, _ = heard(player)
    assert b"".join(told.encode() for _, told in records) == b"".join(
        ServerSentEventMessage(event="record", id=number + 1, data=f'{{"v":{number}}}').encode()
        for number in range(FastMatch.RECORDS)
    )
