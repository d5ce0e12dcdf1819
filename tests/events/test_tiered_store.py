"""Redis and archive as one: a match is in one of them, or in both, and never in neither."""

import asyncio

import pytest

from events.archive import ArchiveStore
from events.memory_store import MemoryStore
from events.redis_store import PAGE
from events.store import Gap, Taken, Unavailable
from events.tiered_store import TieredStore
from tests.events.archived import HEAD, LINES, signed
from tests.events.lines import chain_of, next_line


class Killed(BaseException):
    """The process ends here."""


@pytest.fixture
async def live():
    store = MemoryStore()
    for version, line in enumerate(LINES, start=1):
        await store.append("m_1", version, line)
    return store


@pytest.fixture
def store(live, tmp_path):
    return TieredStore(live, ArchiveStore(tmp_path / "archive"))


async def everything(store, match="m_1"):
    """Read a match in every way."""
    last = len(LINES)
    counts = (None, 1, 2, last)
    return [await store.read(match, after, count) for after in range(last + 2) for count in counts]


async def test_a_match_reads_the_same_wherever_it_is(store, live):
    before = await everything(store)
    await store.retire("m_1", LINES, HEAD)
    assert await live.read("m_1") == []
    assert await everything(store) == before
    assert {match async for match in store.matches()} == {"m_1"}


async def test_a_match_in_both_places_reads_the_same(store):
    before = await everything(store)
    await store.archive.store("m_1", LINES, HEAD)
    assert await everything(store) == before


async def test_what_is_unknown_is_unknown(store):
    assert await store.read("m_2") == []
    assert await store.read("no/match") == []
    with pytest.raises(Gap):
        await store.append("m_2", 2, LINES[1])


async def test_what_is_sent_again_is_compared(store, live):
    """A late retry with the same bytes counts as written.

    Any other write to the match is refused.
    """
    await store.retire("m_1", LINES, HEAD)
    for version, line in enumerate(LINES, start=1):
        await store.append("m_1", version, line)
    other = chain_of(5, "other")
    for version, line in enumerate(other, start=1):
        with pytest.raises(Taken):
            await store.append("m_1", version, line)
    with pytest.raises(Taken):
        await store.append("m_1", len(LINES) + 1, next_line(LINES))
    assert [match async for match in live.matches()] == []
    assert await store.read("m_1") == LINES


async def test_a_match_that_is_moved_while_it_is_opened_again_is_not_opened_anew(
    store, live, monkeypatch
):
    """The archive did not have it when it was asked, and has it when the record is written."""
    look, looks = store._archived, []

    async def late(match):
        looks.append(match)
        if len(looks) == 1:
            assert await look(match) == []
            await store.retire("m_1", LINES, HEAD)
            return []
        return await look(match)

    monkeypatch.setattr(store, "_archived", late)
    await store.append("m_1", 1, LINES[0])
    assert [match async for match in live.matches()] == []
    assert await store.read("m_1") == LINES


@pytest.mark.parametrize("point", ["before the file", "after the file", "after the removal"])
async def test_a_move_may_be_killed_anywhere(store, live, monkeypatch, point):
    before = await everything(store)
    keep, forget = store.archive.store, live.forget

    async def killed_store(*given):
        if point == "after the file":
            await keep(*given)
        raise Killed

    async def killed_forget(match):
        await forget(match)
        raise Killed

    if point == "after the removal":
        monkeypatch.setattr(live, "forget", killed_forget)
    else:
        monkeypatch.setattr(store.archive, "store", killed_store)
    with pytest.raises(Killed):
        await store.retire("m_1", LINES, HEAD)
    monkeypatch.undo()
    assert await everything(store) == before
    await store.retire("m_1", LINES, HEAD)
    assert await everything(store) == before


async def test_what_is_not_kept_is_not_removed(store, live, monkeypatch):
    async def fail(*_):
        raise Unavailable("disk full")

    monkeypatch.setattr(store.archive, "store", fail)
    with pytest.raises(Unavailable):
        await store.retire("m_1", LINES, HEAD)
    assert await live.read("m_1") == LINES


async def test_readers_see_a_moving_match_whole(store):
    async def reader():
        return {tuple(await store.read("m_1", after)) for after in (0, 2) for _ in range(50)}

    readers = [asyncio.create_task(reader()) for _ in range(4)]
    await asyncio.sleep(0)
    await store.retire("m_1", LINES, HEAD)
    for seen in await asyncio.gather(*readers):
        assert seen == {tuple(LINES), tuple(LINES[2:])}


async def test_a_long_match_that_is_moved_between_two_pages_is_read_whole(tmp_path):
    class Moved(MemoryStore):
        """Gives the first page of a log that has been moved since."""

        async def read(self, match, after=0, count=None):
            return lines[after:PAGE]

    lines = chain_of(PAGE + 50)
    archive = ArchiveStore(tmp_path)
    await archive.store("m_long", lines, signed("m_long", lines))
    store = TieredStore(Moved(), archive)
    assert await store.read("m_long") == lines


async def test_without_an_archive_all_stays_where_it_is(live):
    store = TieredStore(live, None)
    assert await store.read("m_1", 1) == LINES[1:]
    assert [match async for match in store.matches()] == ["m_1"]
    with pytest.raises(Gap):
        await store.append("m_2", 2, LINES[1])


async def test_players_live_in_the_first_place(store, live):
    kept = await store.put_document("player", "p_1", b"Ada")
    assert await live.document("player", "p_1") == await store.document("player", "p_1") == kept
    assert await store.epoch() == "memory"
