"""The match cache: what a process holds of a match is what the log has."""

import pytest

from events.memory_store import MemoryStore
from games.match.commands import TakeSeat
from service.base.problems import Problem
from tests.service.table import ADA, BOB, RIVALS, parts


@pytest.mark.parametrize("records_lost", [1, 2])
@pytest.mark.parametrize("successor", [False, True])
async def test_records_are_not_folded_onto_those_that_a_failover_has_lost(records_lost, successor):
    """The other process goes on with the log as it is now."""
    store = MemoryStore()
    here, there = parts(store), parts(store)
    cached = await here.matches.create(ADA, RIVALS, None)
    match = cached.match.header.match
    for player in (ADA, BOB)[:records_lost]:
        await here.matches.play(cached, player, TakeSeat(), None)
    del store._logs[match][-records_lost:]
    if successor:
        elsewhere = await there.cache.get(match)
        for player in (BOB, ADA):
            await there.matches.play(elsewhere, player, TakeSeat(), None)
    with pytest.raises(Problem) as refused:
        await here.cache.get(match)
    assert (refused.value.status, refused.value.code) == (503, "log-unavailable")
    again = await here.cache.get(match)
    assert again.folded.head == (await there.cache.get(match)).folded.head
