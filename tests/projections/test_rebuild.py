"""Rebuilding: beside, compared, then in place; strict."""

import msgspec
import pytest

from events.memory_store import MemoryStore
from games import GAMES
from projections.rebuild import Busy, rebuild, settle_all
from projections.refold import Stopped
from projections.rows import NoRows, Rows
from tests.projections.contents import content
from tests.projections.recorded import history, log, no_errata, unseen

MATCHES = 5


@pytest.fixture
async def store():
    store = MemoryStore()
    for number in range(MATCHES):
        for version, line in enumerate(log(number), start=1):
            await store.append(f"m_{number}", version, line)
    return store


async def live(rows: Rows) -> str:
    """Apply everything as it would have come in."""
    for number in range(MATCHES):
        for summary in history(number)[::7]:
            await rows.apply(summary)
        await rows.apply(history(number)[-1])
    generation = await rows.generation()
    await settle_all(rows, generation, GAMES)
    return generation


async def test_a_rebuild_gives_what_was_there_byte_for_byte(rows, store):
    old = await live(rows)
    before = await content(rows, old)
    rebuilt = await rebuild(store, GAMES, rows, unseen, no_errata, verify=True)
    assert (rebuilt.matches, rebuilt.differences) == (MATCHES, [])
    new = await rows.generation()
    assert new != old
    after = await content(rows, new)
    assert after == before
    assert await content(rows, old) == {}
    assert await rows.is_complete(new)


async def test_a_rebuild_needs_no_rows_before(work, store):
    rows = Rows(work)
    await rebuild(store, GAMES, rows, unseen, no_errata, verify=True)
    assert len(await content(rows, await rows.generation())) > 10


async def test_a_difference_is_found_named_and_repaired(rows, store, monkeypatch):
    monkeypatch.setattr("projections.rebuild.PATIENCE_S", 0.0)
    old = await live(rows)
    await rows.client.zadd(f"{old}:lobby:*:finished", {"0000000000000001 m_ghost": 0})
    await rows.client.hset(f"{old}:standings:tranquility", "p_0", b"{}")
    await rows.client.zrem(
        f"{old}:results:tranquility", *await rows.client.zrange(f"{old}:results:tranquility", 0, 0)
    )
    rebuilt = await rebuild(store, GAMES, rows, unseen, no_errata, verify=True)
    found = {
        (difference.key, difference.field.split(" ")[-1]) for difference in rebuilt.differences
    }
    assert ("lobby:*:finished", "m_ghost") in found
    assert ("standings:tranquility", "p_0") in found
    assert any(key == "results:tranquility" for key, _ in found)
    again = await rebuild(store, GAMES, rows, unseen, no_errata, verify=True)
    assert again.differences == []


async def test_what_happens_meanwhile_is_in_the_new_rows_too(rows, store):
    """Live changes go into both generations; the newer one stays."""
    newer = msgspec.structs.replace(history(1)[-1], version=500, status="abandoned")
    seen = []

    def progress(done, _all):
        seen.append(done)

    await live(rows)
    original = rows.switch

    async def switch(built):
        await rows.apply(newer)
        await original(built)

    rows.switch = switch
    await rebuild(store, GAMES, rows, progress, no_errata)
    assert (seen[0], seen[-1]) == (0, MATCHES)
    page = await rows.page("lobby:*:abandoned", None, 10)
    assert [summary.match for summary in page.summaries] == ["m_1"]


async def test_an_unknown_event_stops_it_and_leaves_everything_as_it_was(rows, store):
    old = await live(rows)
    before = await content(rows, old)
    lines = log(1)
    record = msgspec.json.decode(lines[-1])
    record["events"][0]["type"] = "no_such_event"
    store._logs["m_1"] = [*lines[:-1], msgspec.json.encode(record)]
    with pytest.raises(Stopped) as stop:
        await rebuild(store, GAMES, rows, unseen, no_errata)
    assert (stop.value.match, stop.value.version) == ("m_1", len(lines))
    assert "no_such_event" in stop.value.why
    assert await rows.generation() == old
    assert await content(rows, old) == before
    with pytest.raises(NoRows):
        await rows.generation("building")


async def test_an_unknown_game_stops_it_at_record_one(rows, store):
    with pytest.raises(Stopped) as stop:
        await rebuild(store, {}, rows, unseen, no_errata)
    assert (stop.value.match, stop.value.version) == ("m_0", 1)


async def test_two_rebuilds_do_not_run_together(rows, store):
    await rows.client.set("projections:rebuilding", "1")
    with pytest.raises(Busy):
        await rebuild(store, GAMES, rows, unseen, no_errata)


async def test_what_a_killed_rebuild_left_is_forgotten(rows, store):
    left = await rows.begin("building")
    await rows.apply(history(0)[0], left)
    await rebuild(store, GAMES, rows, unseen, no_errata)
    assert await content(rows, left) == {}
