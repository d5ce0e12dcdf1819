"""Streams carry signed receipts, whose times and number tell nothing of hidden records."""

import asyncio
from collections.abc import Sequence
from contextlib import aclosing
from itertools import pairwise
from typing import Any

import msgspec
import pytest

from events.memory_store import MemoryStore
from events.receipts import BATCH_MAX, Receipt, objection
from events.signing import CannotSign
from games import GAMES
from games.chance import Chance
from games.game import AnyGame
from games.playout import seed_of
from projections.folded import Folded, Viewer
from service.base.waiting import Signal
from service.http.access import FoundMatch
from service.http.live import RECEIPT_S, Streams
from service.play.caller import Caller
from service.play.match_cache import MatchCache
from service.play.receipts import Receipts
from tests.e2e.twins import KEYS, MATCH, log_of, walked
from tests.games.laws import hidden_laws_of
from tests.service.virtual_time import run

SLOT_S = RECEIPT_S * 0.31
"""Time between two records that a viewer is shown (seconds). They never come on a beat."""


class Standing:
    async def stands(self, _caller):
        return True

    def changed(self, _player):
        return Signal()


class Heard:
    """What came over a stream: time, kind and version of each event."""

    def __init__(self):
        self.events: list[tuple[float, str, Any]] = []
        self.receipts: list[Receipt] = []

    async def listen(self, streams: Streams, found: FoundMatch, caller: Caller) -> None:
        loop = asyncio.get_running_loop()
        async for told in streams.follow(found, caller, 0):
            version: Any = told.id
            if told.event == "receipt":
                receipt = msgspec.json.decode(str(told.data), type=Receipt)
                self.receipts.append(receipt)
                version = (receipt.viewer, receipt.version)
            self.events.append((round(loop.time(), 6), told.event or told.comment or "", version))


def shown(game: AnyGame, lines: Sequence[bytes], viewer: Viewer) -> list[bool]:
    """Return whether the viewer is shown each record."""
    folded = Folded({game.slug: game}, lines[0])
    numbers = [0, folded.number(viewer)]
    for line in lines[1:]:
        folded.extend(line)
        numbers.append(folded.number(viewer))
    return [before < after for before, after in pairwise(numbers)]


async def watch(
    game: AnyGame, lines: Sequence[bytes], viewer: Viewer, watchers: int = 1, keys: Any = KEYS
) -> list[Heard]:
    """Play a log for watchers. Shown records come evenly, and hidden ones in between."""
    store = MemoryStore()
    opening = next(place for place, line in enumerate(lines, 1) if b"match_started" in line)
    for version, line in enumerate(lines[:opening], start=1):
        await store.append(MATCH, version, line)
    cache = MatchCache(store, KEYS, GAMES, 1 << 24)
    cached = await cache.get(MATCH)
    streams = Streams(cache, Standing(), Receipts(keys), Signal(), watchers)
    heard = [Heard() for _ in range(watchers)]
    caller = Caller("p_spectator" if viewer is None else f"p_{viewer}")
    async with asyncio.TaskGroup() as group:
        tasks = [
            group.create_task(one.listen(streams, FoundMatch(cached, viewer), caller))
            for one in heard
        ]
        slot: list[int] = []
        visible = shown(game, lines, viewer)
        for version in range(opening + 1, len(lines) + 1):
            slot.append(version)
            if not visible[version - 1]:
                continue
            for number in slot:
                await asyncio.sleep(SLOT_S / len(slot))
                await store.append(MATCH, number, lines[number - 1])
                assert await cache.reach(MATCH, number)
            slot = []
        await asyncio.sleep(4 * RECEIPT_S)
        for task in tasks:
            task.cancel()
    return heard


def played(slug: str, number: int = 0):
    seats, options = hidden_laws_of(slug).tables[0]
    history = walked(GAMES[slug], seats, options, number)
    return seats, options, seed_of(number), history


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
def test_twins_get_their_receipts_at_the_same_times(game):
    laws = hidden_laws_of(game.slug)
    seats, options, seed, history = played(game.slug)
    compared = 0
    for viewer in (*range(seats), None):
        twin = laws.rehistory(history, viewer, Chance(seed, 1 << 40))
        if twin is None:
            continue
        mine, other = (
            run(watch(game, log_of(game, seats, options, one, history), viewer))[0]
            for one in (history, twin)
        )
        assert mine.events == other.events
        assert "receipt" in {kind for _, kind, _ in mine.events}
        compared += 1
    assert compared, "some twins were compared"


@pytest.fixture(scope="module")
def log():
    seats, options, _, history = played("submarine")
    return log_of(GAMES["submarine"], seats, options, history, history)


def test_a_silent_spectator_gets_a_receipt_on_each_beat_while_records_come(log):
    (heard,) = run(watch(GAMES["submarine"], log, None))
    folded = Folded.of({"submarine": GAMES["submarine"]}, log)
    times = [time for time, kind, _ in heard.events if kind == "receipt"]
    assert [time % RECEIPT_S for time in times] == [0] * len(times)
    records = [(time, version) for time, kind, version in heard.events if kind == "record"]
    for time, version in records:
        later = [one for one in heard.receipts if one.version >= version]
        assert later, "each record is covered"
        assert times[heard.receipts.index(later[0])] - time <= RECEIPT_S
    assert [objection(one, KEYS.ring) for one in heard.receipts] == [None] * len(times)
    heads = [folded.receipt(None, one.version) for one in heard.receipts]
    assert [one.head for one in heard.receipts] == heads
    assert len({one.version for one in heard.receipts}) == len(times), "none is repeated"


async def first_receipt(lines: Sequence[bytes]) -> tuple[Receipt, int]:
    """Resume a stream after the last record; return its first event and the last version."""
    store = MemoryStore()
    for version, line in enumerate(lines, start=1):
        await store.append(MATCH, version, line)
    cache = MatchCache(store, KEYS, GAMES, 1 << 24)
    found = FoundMatch(await cache.get(MATCH), None)
    last = found.folded.number(None)
    streams = Streams(cache, Standing(), Receipts(KEYS), Signal(), 1)
    async with aclosing(streams.follow(found, Caller("p_spectator"), last)) as told:
        first = await anext(told)
    assert first.event == "receipt"
    return msgspec.json.decode(str(first.data), type=Receipt), last


def test_a_resumed_stream_gets_the_receipt_that_may_have_been_lost_although_nothing_happens(log):
    receipt, last = run(first_receipt(log))
    assert (receipt.viewer, receipt.version) == ("spectator", last)
    assert objection(receipt, KEYS.ring) is None


def test_watchers_share_signatures(log):
    heard = run(watch(GAMES["submarine"], log, None, BATCH_MAX))
    signatures = {one.signature for each in heard for one in each.receipts}
    assert len(signatures) == len(heard[0].receipts)


def test_records_come_although_nothing_can_be_signed(log):
    class Broken:
        service = "none"

        async def sign_receipts(self, _receipts):
            raise CannotSign("no key")

    (heard,) = run(watch(GAMES["submarine"], log, None, keys=Broken()))
    assert not heard.receipts
    assert "record" in {kind for _, kind, _ in heard.events}
