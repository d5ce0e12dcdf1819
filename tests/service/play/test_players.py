"""Players' records: what an erasure leaves, whoever still holds something older."""

import pytest

from events.memory_store import MemoryStore
from service.base.keys import Keys
from service.base.problems import Problem
from service.play.players import Players
from tests.service.table import SECRETS


@pytest.fixture
def store():
    return MemoryStore()


def process(store):
    return Players(store, Keys(SECRETS))


async def test_nothing_of_a_person_is_left(store):
    players = process(store)
    player, token = await players.create("Ada Lovelace", roles=("auditor",))
    await players.erase(player)
    kept = await store.player(player)
    assert kept is not None
    for word in (b"Ada", b"Lovelace", b"auditor", b"20"):
        assert word not in kept
    with pytest.raises(Problem) as refused:
        await players.caller(token)
    assert refused.value.status == 401
    assert await players.names([player, "p_nobody"]) == {player: "erased player"}


@pytest.mark.parametrize("change", ["rename", "revoke"])
async def test_a_process_that_knew_the_player_does_not_bring_it_back(store, change):
    one, other = process(store), process(store)
    player, _ = await one.create("Ada")
    assert await other.names([player]) == {player: "Ada"}
    await one.erase(player)
    with pytest.raises(Problem) as refused:
        await (other.rename(player, "Ada") if change == "rename" else other.revoke(player))
    assert refused.value.status == 404
    assert b"Ada" not in (await store.player(player) or b"")


async def test_an_identity_that_comes_again_is_somebody_new(store):
    players = process(store)
    first = await players.external("https://id.example", "subject-1", "Ada")
    assert await players.external("https://id.example", "subject-1", "Ada") == first
    await players.erase(first.player)
    assert b"subject-1" not in (await store.player(first.player) or b"")
    second = await players.external("https://id.example", "subject-1", "Ada")
    assert second.player != first.player
    assert await players.external("https://id.example", "subject-1", "Ada") == second


async def test_who_never_was_is_not_erased(store):
    with pytest.raises(Problem) as refused:
        await process(store).erase("p_nobody")
    assert refused.value.status == 404
