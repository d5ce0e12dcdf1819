"""Players' records: what an erasure leaves, whoever still holds something older."""

import asyncio

import pytest

from events.memory_store import MemoryStore
from service.base.problems import Problem
from service.play.blocks import Blocks
from tests.service.play.stores import Between, process


@pytest.fixture
def store():
    return MemoryStore()


async def test_nothing_of_a_person_is_left(store):
    players = process(store)
    player, token = await players.create("Ada Lovelace", roles=("auditor",))
    await players.erase(player)
    kept = await store.document("player", player)
    for word in (b"Ada", b"Lovelace", b"auditor", b"20"):
        assert word not in kept.data
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
    assert b"Ada" not in (await store.document("player", player)).data


async def test_an_identity_that_comes_again_is_somebody_new(store):
    players = process(store)
    first = await players.external("https://id.example", "subject-1", "Ada")
    assert await players.external("https://id.example", "subject-1", "Ada") == first
    await players.erase(first.player)
    assert b"subject-1" not in (await store.document("player", first.player)).data
    second = await players.external("https://id.example", "subject-1", "Ada")
    assert second.player != first.player
    assert await players.external("https://id.example", "subject-1", "Ada") == second


async def test_who_never_was_is_not_erased(store):
    with pytest.raises(Problem) as refused:
        await process(store).erase("p_nobody")
    assert refused.value.status == 404


async def test_two_processes_that_change_a_player_at_once_lose_nothing():
    store = Between()
    one, other = process(store), process(store)
    player, _ = await one.create("Ada")
    store.between = lambda: other.sign_in(player, "Phone")
    await one.rename(player, "Eva")
    record = await process(store).stored(player)
    assert record.name == "Eva"
    assert [device.name for device in record.devices] == ["Program", "Phone"]


async def test_many_processes_that_change_a_player_at_once_lose_nothing():
    store = MemoryStore()
    player, _ = await process(store).create("Ada")
    blocks = [Blocks(process(store)) for _ in range(4)]
    others = [(await process(store).create("Guest"))[0] for _ in range(20)]
    await asyncio.gather(
        *(blocks[number % 4].block(player, other) for number, other in enumerate(others))
    )
    assert set((await process(store).stored(player)).blocks) == set(others)


async def test_an_erasure_in_another_process_is_never_overwritten():
    store = Between()
    one, other = process(store), process(store)
    player, _ = await one.create("Ada")
    store.between = lambda: other.erase(player)
    with pytest.raises(Problem) as refused:
        await one.set_code(player, "r_1")
    assert refused.value.status == 404
    assert (await process(store).stored(player)).erased
    assert player.encode() not in (await store.document("player", "r_1")).data


async def test_an_erasure_erases_what_another_process_has_just_written():
    store = Between()
    one, other = process(store), process(store)
    player, _ = await one.create("Ada")
    store.between = lambda: other.set_code(player, "r_1")
    await one.erase(player)
    assert (await process(store).stored(player)).erased
    assert player.encode() not in (await store.document("player", "r_1")).data


async def test_a_recovery_code_is_used_once_by_two_processes():
    store = Between()
    one, other = process(store), process(store)
    player, _ = await one.create("Ada")
    await one.set_code(player, "r_1")
    used = []

    async def use():
        used.append(await other.recovered("r_1", "r_2"))

    store.between = use
    assert [await one.recovered("r_1", "r_3"), *used] == [None, player]
    assert (await process(store).stored(player)).code_lead == "r_2"


async def test_an_identity_that_comes_to_two_processes_at_once_is_one_player():
    store = Between()
    one, other = process(store), process(store)
    found = []

    async def come():
        found.append(await other.external("https://id.example", "subject-1", "Ada"))

    store.between = come
    assert [await one.external("https://id.example", "subject-1", "Ada")] == found


async def test_a_caller_is_recognised_until_its_record_changes_or_is_dropped(store):
    players = process(store)
    player, token = await players.create("Ada")
    assert players.recognised(token) is None, "nobody has shown it yet"
    caller = await players.caller(token)
    assert players.recognised(token) == caller
    assert players.recognised(token + "0") is None
    players.drop_cached(player)
    assert players.recognised(token) is None, "another process has changed the record"
    await players.caller(token)
    await players.revoke(player)
    assert players.recognised(token) is None
    with pytest.raises(Problem):
        await players.caller(token)
