"""Rows and indexes in Redis: newer only, all at once."""

import asyncio

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from redis.asyncio import Redis

from games import GAMES
from projections.entries import BOTS, DEADLINES, entries, lobby_index
from projections.rebuild import compare, settle_all
from projections.rows import NoRows, Rows
from tests.projections.contents import content
from tests.projections.recorded import history

MATCHES = 6


@st.composite
def deliveries(draw):
    """Draw some matches' versions in any order, some twice, the last of each among them."""
    chosen = [
        (number, draw(st.integers(0, len(history(number)) - 1)))
        for number in draw(st.lists(st.integers(0, MATCHES - 1), max_size=15))
    ]
    numbers = {number for number, _ in chosen}
    return draw(st.permutations(chosen + [(number, -1) for number in numbers])), numbers


@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(deliveries())
def test_applying_twice_or_out_of_order_changes_nothing(work_server, drawn):
    """The rows, and the standings folded in between, are those of the last versions alone."""
    order, numbers = drawn

    async def case():
        async with Redis.from_url(work_server.url) as client:
            await client.flushall()
            rows = Rows(client)
            live, clean = await rows.begin("current"), "clean"
            for number, version in order:
                await rows.apply(history(number)[version])
                if version % 3 == 0:
                    await settle_all(rows, live, GAMES)
            for number in sorted(numbers):
                await rows.apply(history(number)[-1], clean)
            await settle_all(rows, live, GAMES)
            await settle_all(rows, clean, GAMES)
            assert await content(rows, live) == await content(rows, clean)
            assert await compare(rows, live, clean) == []

    asyncio.run(case())


async def test_an_older_version_is_refused(rows):
    summaries = history(1)
    assert await rows.apply(summaries[9])
    assert not await rows.apply(summaries[9])
    assert not await rows.apply(summaries[4])
    assert await rows.apply(summaries[10])


async def test_a_row_leaves_the_indexes_it_is_no_longer_in(rows):
    summaries = history(1)
    generation = await rows.generation()
    for summary in summaries:
        await rows.apply(summary)
        listed = {entry.index for entry in entries(summary)}
        held = {
            name
            for name in await content(rows, generation)
            if name != "rows" and await rows.client.zcard(f"{generation}:{name}")
        }
        assert held == listed


async def test_what_is_due_comes_soonest_first(rows):
    first = next(summary for summary in history(1) if summary.deadline is not None)
    for name, later in (("m_a", 30), ("m_b", 10), ("m_c", 20)):
        due = first.deadline + later
        await rows.apply(msgspec.structs.replace(first, match=name, deadline=due))
    found = await rows.due(DEADLINES, first.deadline + 20, 0, 10)
    assert [(due.member, due.at - first.deadline) for due in found] == [("m_b", 10), ("m_c", 20)]
    assert await rows.due(DEADLINES, first.deadline + 20, 1, 10) == found[1:]


async def test_a_bots_turn_names_its_version(rows):
    waiting = next(summary for summary in history(1) if summary.bots_from is not None)
    await rows.apply(waiting)
    [due] = await rows.due(BOTS, waiting.bots_from, 0, 10)
    assert due.member == f"m_1 {waiting.version}"


async def test_pages_hold_every_match_once_the_latest_first(rows):
    opened = history(0)[0]
    names = [f"m_{number:02}" for number in range(7)]
    for place, name in enumerate(names):
        await rows.apply(
            msgspec.structs.replace(opened, match=name, opened=opened.opened + place // 2)
        )
    found, after = [], None
    while True:
        page = await rows.page(lobby_index("tranquility", "waiting"), after, 3)
        found += [summary.match for summary in page.summaries]
        if (after := page.next) is None:
            break
    assert found == sorted(names, reverse=True)


async def test_a_page_does_not_shift_when_matches_are_opened(rows):
    opened = history(0)[0]
    for place in range(4):
        await rows.apply(
            msgspec.structs.replace(opened, match=f"m_{place}", opened=opened.opened + place)
        )
    first = await rows.page(lobby_index(), None, 2)
    await rows.apply(msgspec.structs.replace(opened, match="m_new", opened=opened.opened + 9))
    second = await rows.page(lobby_index(), first.next, 2)
    assert [summary.match for summary in second.summaries] == ["m_1", "m_0"]


async def test_a_page_says_whether_matches_may_be_missing(rows):
    await rows.apply(history(0)[0])
    assert not (await rows.page(lobby_index(), None, 2)).complete
    await rows.complete(await rows.generation(), await rows.doubted())
    assert (await rows.page(lobby_index(), None, 2)).complete
    assert (await rows.page(lobby_index("nautilus"), None, 2)).complete
    await rows.doubt()
    assert not (await rows.page(lobby_index(), None, 2)).complete


@pytest.mark.parametrize("cursor", ["", "x", "+", "(0000000000000000 m_1", "1 m_1", "[zzz"])
async def test_a_made_up_cursor_is_refused(rows, cursor):
    with pytest.raises(ValueError, match="not a cursor"):
        await rows.page(lobby_index(), cursor, 10)


async def test_a_wiped_redis_is_noticed_by_all(rows, work):
    await rows.apply(history(0)[0])
    await work.flushall()
    with pytest.raises(NoRows):
        await rows.apply(history(0)[1])
    with pytest.raises(NoRows):
        await rows.page(lobby_index(), None, 10)
    with pytest.raises(NoRows):
        await rows.due(DEADLINES, 1, 0, 10)
    with pytest.raises(NoRows):
        await rows.generation()
