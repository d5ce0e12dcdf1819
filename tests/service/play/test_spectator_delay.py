"""A match with a spectator delay: spectators alone are shown its records later."""

import asyncio

import msgspec
import pytest

from events.memory_store import MemoryStore
from games.match.commands import Resign, TakeSeat
from projections.summary import summary
from service.base.waiting import Signal
from service.http.access import FoundMatch
from service.http.live import Streams
from service.play import match_cache, matches
from service.play.caller import Caller
from service.play.listings import listed
from service.play.match_cache import DelayedMatch
from service.play.receipts import Receipts
from tests.service.table import ADA, BOB, RIVALS, parts
from tests.service.virtual_time import run

EVE, OFFICER = Caller("p_eve"), Caller("p_officer", ("auditor",))
DELAY_S = 300
SECOND = 1_000_000
EPOCH = 1_700_000_000 * SECOND


class CountingStore(MemoryStore):
    """A store that counts how often it is read."""

    reads = 0

    async def read(self, match, after=0, count=None):
        self.reads += 1
        return await super().read(match, after, count)


class Delayed:
    """A match with two players and a delay, in a process whose clock is the event loop's."""

    def __init__(self, monkeypatch):
        for module in (match_cache, matches):
            monkeypatch.setattr(module, "now_micros", self.now)
        self.store = CountingStore()
        self.process = parts(self.store)
        self.cache = self.process.cache

    def now(self):
        return EPOCH + round(asyncio.get_running_loop().time() * SECOND)

    async def open(self, delay_s=DELAY_S):
        command = msgspec.structs.replace(RIVALS, spectator_delay=delay_s)
        self.cached = await self.process.matches.create(ADA, command, None)
        return self

    async def start(self):
        for player in (ADA, BOB):
            await self.play(player, TakeSeat())
        return self

    async def play(self, player, command):
        await self.process.matches.play(self.cached, player, command, None)

    async def move(self):
        """Play the first legal command of a waiting player; return the version of its record."""
        match = self.cached.match
        seat = min(match.game.waiting(match.state))
        await self.play((ADA, BOB)[seat], match.game.legal(match.state, seat)[0])
        return self.version

    async def resign(self):
        for player in (ADA, BOB):
            if not self.cached.match.over:
                await self.play(player, Resign())

    async def seen(self, caller=EVE):
        """Return the version of the log that a caller is shown."""
        return (await self.cache.shown(self.cached, caller)).folded.version

    @property
    def version(self):
        return self.cached.folded.version


@pytest.fixture
def delayed(monkeypatch):
    return Delayed(monkeypatch)


def test_spectators_see_a_move_after_the_delay_and_everybody_else_at_once(delayed):
    async def story():
        await (await delayed.open()).start()
        start = delayed.version
        first = await delayed.move()
        await asyncio.sleep(100)
        second = await delayed.move()
        assert [await delayed.seen(who) for who in (ADA, BOB, OFFICER)] == [second] * 3
        assert await delayed.seen() == start
        await asyncio.sleep(DELAY_S - 100)
        assert await delayed.seen() == first
        await asyncio.sleep(100)
        assert await delayed.seen() == second

    run(story())


def test_seats_that_are_taken_and_the_start_are_shown_at_once(delayed):
    async def story():
        await delayed.open()
        for player in (ADA, BOB):
            await delayed.play(player, TakeSeat())
            assert await delayed.seen() == delayed.version
        assert delayed.cached.match.status == "running"

    run(story())


def test_everything_is_open_as_soon_as_the_match_is_over(delayed):
    async def story():
        await (await delayed.open()).start()
        await delayed.move()
        await delayed.resign()
        assert await delayed.cache.shown(delayed.cached, EVE) is delayed.cached

    run(story())


def test_without_a_delay_spectators_see_the_match_itself(delayed):
    async def story():
        await (await delayed.open(msgspec.UNSET)).start()
        await delayed.move()
        assert await delayed.cache.shown(delayed.cached, EVE) is delayed.cached

    run(story())


def test_what_is_delayed_is_not_caught_up_with_the_log(delayed):
    async def story():
        await (await delayed.open()).start()
        await delayed.move()
        shown = await delayed.cache.shown(delayed.cached, EVE)
        assert isinstance(shown, DelayedMatch)
        with pytest.raises(AssertionError):
            await delayed.cache.catch_up(shown)

    run(story())


def test_lists_stay_at_the_start_until_the_match_is_over(delayed):
    async def story():
        await (await delayed.open()).start()
        start = summary(delayed.cached.match)
        await asyncio.sleep(5)
        await delayed.move()
        row = summary(delayed.cached.match)
        assert listed(row) == listed(start)
        assert row.version == start.version + 1
        await delayed.resign()
        over = summary(delayed.cached.match)
        assert over.told_version > start.told_version
        assert over.told_at > start.told_at

    run(story())


class Watchers:
    async def stands(self, _caller):
        return True

    def changed(self, _player):
        return Signal()


async def listen(delayed, streams, heard):
    found = FoundMatch(await delayed.cache.shown(delayed.cached, EVE), None)
    async for told in streams.follow(found, EVE, 0):
        if told.event in ("record", "end"):
            heard.append((told.event, told.id, asyncio.get_running_loop().time()))


WATCHERS = 50


def test_streams_of_spectators_are_late_by_the_delay_and_share_one_timer(delayed, monkeypatch):
    async def story():
        await (await delayed.open()).start()
        start = delayed.cached.folded.number(None)
        loop = asyncio.get_running_loop()
        streams = Streams(delayed.cache, Watchers(), Receipts(None), Signal(), WATCHERS)
        monkeypatch.setattr(streams, "_receipt", no_receipt)
        heard = [[] for _ in range(WATCHERS)]
        tasks = [asyncio.create_task(listen(delayed, streams, one)) for one in heard]
        await asyncio.sleep(10)
        moved = []
        before = delayed.store.reads
        for _ in range(3):
            await delayed.move()
            moved.append(loop.time())
            await asyncio.sleep(20)
        await asyncio.sleep(DELAY_S)
        keepalives = WATCHERS * (DELAY_S + 60) / 15
        assert delayed.store.reads - before < keepalives + 20, "one read for all at each release"
        await delayed.move()
        await delayed.resign()
        over = loop.time()
        await asyncio.gather(*tasks)
        for one in heard:
            late = [time for kind, number, time in one if kind == "record" and number > start]
            assert late[:3] == pytest.approx([time + DELAY_S for time in moved], abs=0.1)
            assert set(late[3:]) == {over}
            assert one[-1] == ("end", None, over)

    run(story())


async def no_receipt(*_):
    return None
