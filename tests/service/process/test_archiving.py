"""Matches that are over leave Redis for the archive; nobody who reads them notices."""

from types import SimpleNamespace

import pytest

from events.archive import ArchiveStore, NotArchived
from events.memory_store import MemoryStore
from events.store import Unavailable
from events.tiered_store import TieredStore
from games.match.commands import BranchMatch, CreateMatch, ProposeAbandon, TakeSeat
from projections.folded import Folded
from service.base.keys import Keys
from service.base.problems import Problem
from service.base.settings import Settings
from service.http.problem_json import problem_of
from service.play.answers import answer
from service.play.caller import Caller
from service.play.listings import Listings
from service.play.readers import Readers
from service.process.archiving import NotOver, retire, retire_due
from tests.service.process.rebuilt import built
from tests.service.table import SECRETS

KEYS = Keys(SECRETS)
ADA = Caller("p_ada")


@pytest.fixture
def store(tmp_path):
    return TieredStore(MemoryStore(), ArchiveStore(tmp_path / "archive"))


async def played(process, key="open"):
    """Open a match and end it; return it as that process knows it."""
    live = await process.matches.create(ADA, CreateMatch("tranquility", 1), key)
    await process.matches.play(live, ADA, TakeSeat(), "sit")
    await process.matches.play(live, ADA, ProposeAbandon(), "end")
    return live


def context(store, work, after_s=0):
    settings = Settings(archive_after_s=after_s)
    return SimpleNamespace(store=store, settings=settings, work=work, keys=KEYS)


async def test_what_is_over_is_moved_when_it_is_due(start, store, work):
    process = start()
    match = (await played(process)).match.header.match
    running = await process.matches.create(ADA, CreateMatch("tranquility", 2), "another")
    await built(store, work)
    assert await retire_due(context(store, work, after_s=3600)) == 0
    assert await retire_due(context(store, work)) == 1
    assert [one async for one in store.live.matches()] == [running.match.header.match]
    assert [one async for one in store.archive.matches()] == [match]
    assert await retire_due(context(store, work)) == 0


async def test_an_archive_that_cannot_be_written_is_one_failure_not_one_for_each_match(
    start, store, work, tmp_path
):
    process = start()
    for key in ("one", "two"):
        await played(process, key)
    await built(store, work)
    (tmp_path / "archive").write_text("no folder")
    with pytest.raises(Unavailable):
        await retire_due(context(store, work))
    (tmp_path / "archive").unlink()
    assert await retire_due(context(store, work)) == 2


async def test_a_damaged_file_in_the_archive_is_our_fault_not_an_outage(start, store, tmp_path):
    """Nobody should try again, and the log line names the file."""
    match = (await played(start())).match.header.match
    assert await retire(store, KEYS, match, 0)
    (path,) = (tmp_path / "archive").rglob(f"{match}.*")
    path.write_bytes(b"damaged")
    with pytest.raises(NotArchived) as error:
        await start().cache.get(match)
    assert problem_of(error.value, "/matches").status == 500


async def test_a_match_that_goes_on_stays_whatever_the_rows_say(start, store):
    live = await start().matches.create(ADA, CreateMatch("tranquility", 2), "open")
    with pytest.raises(NotOver):
        await retire(store, KEYS, live.match.header.match, 0)
    assert await store.live.read(live.match.header.match)


async def test_a_move_that_was_broken_off_is_ended(start, store):
    live = await played(start())
    match = live.match.header.match
    lines = await store.live.read(match)
    head = KEYS.sign(match, len(lines), live.folded.head)
    await store.archive.store(match, lines, head)
    assert await retire(store, KEYS, match, 3600), "it had been decided before"
    assert await store.live.read(match) == []
    assert not await retire(store, KEYS, match, 0)


async def test_every_process_reads_it_as_before(start, store):
    """One knew it to its end, one knew an earlier version, one never heard of it."""
    knows, knew, never = start(), start(), start()
    live = await knows.matches.create(ADA, CreateMatch("tranquility", 1), "open")
    match = live.match.header.match
    early = await knew.cache.get(match)
    await knows.matches.play(live, ADA, TakeSeat(), "sit")
    await knows.matches.play(live, ADA, ProposeAbandon(), "end")
    before = await store.read(match)
    assert await retire(store, KEYS, match, 0)
    for process in (knows, knew, never):
        found = await process.cache.get(match)
        assert (found.folded.version, found.match.status) == (3, "abandoned")
        assert await process.cache.lines(found) == before
    assert early.folded.version == 3


@pytest.mark.parametrize("key", ["sit", "fresh"])
async def test_a_command_comes_late(start, store, key):
    """A retry is answered as before by a process that had not seen the end.

    A new command is refused.
    """
    knows, knew = start(), start()
    live = await knows.matches.create(ADA, CreateMatch("tranquility", 1), "open")
    match = live.match.header.match
    early = await knew.cache.get(match)
    first = await knows.matches.play(live, ADA, TakeSeat(), "sit")
    await knows.matches.play(live, ADA, ProposeAbandon(), "end")
    assert await retire(store, KEYS, match, 0)
    if key == "sit":
        again = await knew.matches.play(early, ADA, TakeSeat(), "sit")
        assert (again.version, again.head) == (first.version, first.head)
    else:
        with pytest.raises(Problem) as refused:
            await knew.matches.play(early, ADA, TakeSeat(), key)
        assert refused.value.code == "match-started"
    assert [one async for one in store.live.matches()] == []


async def test_opening_it_again_gives_what_is_archived(start, store):
    first, second = start(), start()
    match = (await played(first)).match.header.match
    assert await retire(store, KEYS, match, 0)
    live = await second.matches.create(ADA, CreateMatch("tranquility", 1), "open")
    assert (live.match.header.match, live.match.status) == (match, "abandoned")
    assert [one async for one in store.live.matches()] == []


async def test_it_can_be_forked(start, store):
    process = start()
    live = await played(process)
    match = live.match.header.match
    assert await retire(store, KEYS, match, 0)
    parent = await start().cache.get(match)
    readers = Readers(process.cache, 1, 0, 0, answered_here)
    made = await process.matches.branch(ADA, parent, BranchMatch(match, 2, 0), "fork", readers)
    assert made.match.header.branch.parent == match
    recalled = await process.cache.recalled(made.match.header.match)
    assert len(recalled.match.past[0]) == 1


async def answered_here(limits, function, arguments):
    return answer(function, arguments)


async def test_the_rows_are_built_from_both_places(start, store, work):
    process = start()
    match = (await played(process)).match.header.match
    await process.matches.create(ADA, CreateMatch("tranquility", 2), "another")
    assert await retire(store, KEYS, match, 0)
    await built(store, work)
    listed = (await Listings(work).lobby()).matches
    assert len(listed) == 2
    assert match in {one.match for one in listed}


async def test_one_that_can_not_be_read_does_not_keep_the_others(start, store, work, monkeypatch):
    process = start()
    for key in ("one", "two"):
        await played(process, key)
    await built(store, work)
    checked, calls = Folded.checked, []

    def fails_first(*given):
        calls.append(given)
        if len(calls) == 1:
            raise KeyError("what a later release wrote")
        return checked(*given)

    monkeypatch.setattr(Folded, "checked", fails_first)
    assert await retire_due(context(store, work)) == 1
    assert len([one async for one in store.live.matches()]) == 1
