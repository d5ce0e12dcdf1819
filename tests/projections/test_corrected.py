"""Standings follow the errata, and a rebuild gives the same rows."""

import pytest

from events.errata import decoded
from events.memory_store import MemoryStore
from games import GAMES
from projections.rebuild import rebuild, settle_all
from projections.refold import summarise
from projections.tables import places
from tests.projections.contents import content
from tests.projections.recorded import history, log, unseen
from tests.replay.errata import erratum_of, sealed, wrongly_won

RACE = wrongly_won()
MATCH = RACE.match.header.match
WINNER = 1 - RACE.match.ending.winners[0]


def errata(**more):
    return [decoded(sealed(erratum_of(RACE, **more)))]


def row(given=()):
    return summarise(GAMES, MATCH, RACE.lines, given)


async def table(rows):
    await settle_all(rows, await rows.generation(), GAMES)
    found = await places(rows, "tranquility", "rated", 0, 10)
    return {line.name: (line.standing.won, line.standing.rated) for line in found}


async def test_a_corrected_result_replaces_the_recorded_one(rows):
    await rows.apply(row())
    assert await table(rows) == {"p_0": (WINNER == 1, 1), "p_1": (WINNER == 0, 1)}
    assert await rows.apply(row(errata()))
    assert await table(rows) == {"p_0": (WINNER == 0, 1), "p_1": (WINNER == 1, 1)}
    assert not await rows.apply(row()), "a row without the errata is older"
    assert not await rows.apply(row(errata()))


async def test_a_match_that_no_longer_counts_leaves_no_trace(rows):
    await rows.apply(row())
    assert await table(rows)
    await rows.apply(row(errata(counts=False)))
    assert await table(rows) == {}
    left = await content(rows, await rows.generation())
    assert not {"standings:tranquility", "table:tranquility:rated"} & left.keys()


@pytest.mark.parametrize("counts", [True, False])
async def test_a_rebuild_gives_the_same_rows(rows, counts):
    store = MemoryStore()
    logs = {MATCH: RACE.lines, "m_0": log(0), "m_1": log(1)}
    for match, lines in logs.items():
        for version, line in enumerate(lines, start=1):
            await store.append(match, version, line)
    for one in (row(), history(1)[-1], history(0)[-1]):
        await rows.apply(one)
    await table(rows)
    given = errata(counts=counts)
    await rows.apply(row(given))
    before = await table(rows)

    async def known():
        return {MATCH: given}

    rebuilt = await rebuild(store, GAMES, rows, unseen, known, verify=True)
    assert rebuilt.differences == []
    assert await table(rows) == before


def test_errata_of_another_log_are_ignored():
    (given,) = errata(head="0" * 64)
    assert row([given]) == row()
