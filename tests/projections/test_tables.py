"""The standings in Redis, whatever the order in which results come in."""

import itertools

import msgspec
import pytest

from games import GAMES
from projections.rebuild import settle_all
from projections.rows import NoRows
from projections.standings import Finished, fold
from projections.tables import places, settle
from tests.projections.recorded import history

COUNTED = [history(number)[-1] for number in range(6) if not history(number)[-1].private]


def expected():
    standings = {}
    order = sorted(COUNTED, key=lambda summary: (summary.outcome.at, summary.match))
    fold(standings, [Finished(summary.sitters, summary.outcome) for summary in order])
    return sorted(standings.items(), key=lambda item: item[1].rating, reverse=True)


@pytest.mark.parametrize("order", list(itertools.permutations(range(4)))[::5])
async def test_a_late_result_refolds_what_follows(rows, order):
    generation = await rows.generation()
    for place in (*order, *range(4, len(COUNTED))):
        await rows.apply(COUNTED[place])
        assert await settle(rows, generation, "tranquility") == 1
    lines = await places(rows, "tranquility", "rated", 0, 10)
    assert [(line.name, line.standing) for line in lines] == expected()
    assert [line.place for line in lines] == list(range(1, len(lines) + 1))


async def test_results_that_come_together_are_counted_together(rows):
    for summary in reversed(COUNTED):
        await rows.apply(summary)
    generation = await rows.generation()
    assert await settle(rows, generation, "tranquility") == len(COUNTED)
    assert await settle(rows, generation, "tranquility") == 0
    lines = await places(rows, "tranquility", "rated", 0, 10)
    assert [(line.name, line.standing) for line in lines] == expected()


async def test_private_matches_and_running_ones_count_for_nothing(rows):
    private = msgspec.structs.replace(COUNTED[0], private=True)
    await rows.apply(private)
    await rows.apply(history(1)[20])
    await settle_all(rows, await rows.generation(), GAMES)
    assert await places(rows, "tranquility", "rated", 0, 10) == []


async def test_pages_go_on_where_they_ended(rows):
    for summary in COUNTED:
        await rows.apply(summary)
    await settle_all(rows, await rows.generation(), GAMES)
    whole = await places(rows, "tranquility", "rated", 0, 10)
    assert await places(rows, "tranquility", "rated", 1, 10) == whole[1:]
    assert await places(rows, "tranquility", "rated", 0, 1) == whole[:1]


async def test_without_rows_there_are_no_standings(work, rows):
    await work.flushall()
    with pytest.raises(NoRows):
        await places(rows, "tranquility", "rated", 0, 10)
