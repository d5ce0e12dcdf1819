"""All logs are folded again: the newest first, in processes of their own if there are many."""

import pytest

from events.memory_store import MemoryStore
from games import GAMES
from games.match.commands import CreateMatch
from projections import refold as module
from projections.refold import Stopped, refold, summarise
from tests.projections.recorded import no_errata
from tests.recorder import Recorder

MATCHES = 5


@pytest.fixture
async def store():
    """Fill a store; match 0 is the newest."""
    store = MemoryStore()
    for number in range(MATCHES):
        recorder = Recorder(GAMES["tranquility"], CreateMatch("tranquility", 2), f"m_{number}")
        recorder.sit("", "heuristic")
        for version, line in enumerate(recorder.lines, start=1):
            year = b'"at":"%d-' % (2026 - number)
            await store.append(f"m_{number}", version, line.replace(b'"at":"2026-', year, 1))
    return store


class Folding:
    """What a refold has given."""

    def __init__(self):
        self.summaries = []
        self.stopped = []
        self.progress = []

    async def put(self, summaries):
        self.summaries += summaries

    async def stop(self, stopped):
        self.stopped.append(stopped)

    async def run(self, store):
        count = await refold(
            store, GAMES, self.put, lambda *seen: self.progress.append(seen), self.stop, no_errata
        )
        assert self.progress[0] == (0, count)
        assert self.progress[-1] == (count, count)
        return count


async def test_the_newest_match_is_folded_first(store):
    folding = Folding()
    assert await folding.run(store) == MATCHES
    assert [one.match for one in folding.summaries] == [f"m_{number}" for number in range(MATCHES)]


async def test_matches_in_play_are_folded_before_those_that_are_elsewhere(store):
    read_many = store.read_many

    async def without_the_newest(matches, count=None):
        return await read_many([match for match in matches if match != "m_0"], count)

    store.read_many = without_the_newest
    folding = Folding()
    await folding.run(store)
    assert [one.match for one in folding.summaries][-1] == "m_0"


async def test_processes_of_their_own_fold_the_same(store, monkeypatch):
    monkeypatch.setattr(module, "APART_MIN", 1)
    monkeypatch.setattr(module, "BATCH", 2)
    store._logs["m_3"][1] = b"{}"
    folding = Folding()
    assert await folding.run(store) == MATCHES
    expected = {f"m_{number}" for number in range(MATCHES)} - {"m_3"}
    assert {one.match for one in folding.summaries} == expected
    for one in folding.summaries:
        assert one == summarise(GAMES, one.match, await store.read(one.match))
    (stopped,) = folding.stopped
    assert (stopped.match, stopped.version) == ("m_3", 2)
    assert (
        str(stopped)
        == "m_3 cannot be folded at record 2: ValidationError: Object missing required field `v`"
    )


async def test_the_first_failure_ends_all_of_it(store, monkeypatch):
    monkeypatch.setattr(module, "BATCH", 1)

    async def fail(_summaries):
        raise ConnectionError

    async def give_up(stopped: Stopped):
        raise stopped

    parts = (store, GAMES, fail, lambda *_: None, give_up, no_errata)
    with pytest.raises(ConnectionError):
        await refold(*parts)
    store._logs["m_0"][1] = b"{}"
    with pytest.raises(Stopped):
        await refold(*parts)
