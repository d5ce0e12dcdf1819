"""Names that are a player's own: who owns one, who is refused, and what frees it."""

import asyncio

import pytest
from freezegun import freeze_time
from msgspec.json import encode
from msgspec.structs import replace

from events.memory_store import MemoryStore
from events.store import Unavailable
from service.base.keys import Keys
from service.base.problems import Problem
from service.play.player_record import DECODER, Mailbox
from service.play.players import Players
from tests.service.play.stores import Between, process
from tests.service.table import SECRETS

ISSUER = "https://id.example"


@pytest.fixture
def players():
    return process(MemoryStore())


async def owner(players: Players, name: str) -> str:
    """Return a player who can come back."""
    player, _ = await players.create(name)
    await players.set_code(player, f"r_{player}")
    return player


async def owns(players: Players, player: str) -> bool:
    return bool((await players.stored(player)).own_name)


async def refused(attempt) -> str:
    """Return the name that a refusal suggests."""
    with pytest.raises(Problem) as problem:
        await attempt
    assert (problem.value.status, problem.value.code) == (409, "name-taken")
    return problem.value.extra["suggestion"]


@pytest.mark.parametrize("name", ["Nemo", "nemo", "Nem0"])
async def test_a_guest_cannot_take_a_name_that_looks_like_one_of_a_player_who_can_come_back(
    players, name
):
    await owner(players, "Nemo")
    suggestion = await refused(players.create(name))
    guest, _ = await players.create(suggestion)
    assert suggestion == f"{name} 2"
    assert await refused(players.rename(guest, name)) == f"{name} 2"
    assert (await players.stored(guest)).name == suggestion


async def test_guests_may_share_a_name_until_one_of_them_can_come_back(players):
    first, _ = await players.create("Ada")
    second, _ = await players.create("Ada")
    await players.set_code(second, "r_1")
    assert await refused(players.set_code(first, "r_2")) == "Ada 2"
    assert not (await players.stored(first)).can_come_back
    assert await players.names([first, second]) == {second: "Ada", first: "Ada (2)"}
    assert await players.suggested_name(first) == "Ada 2"
    assert await players.suggested_name(second) is None
    await players.rename(first, "Ada 2")
    await players.set_code(first, "r_2")
    assert [await owns(players, player) for player in (first, second)] == [True, True]


@pytest.mark.parametrize("end", ["rename", "erase", "revoke", "delete"])
async def test_a_name_is_free_once_its_owner_is_renamed_erased_or_has_no_way_back(players, end):
    player = await owner(players, "Ada")
    ends = {
        "rename": lambda: players.rename(player, "Eva"),
        "erase": lambda: players.erase(player),
        "revoke": lambda: players.revoke(player),
        "delete": lambda: players.set_code(player, ""),
    }
    await ends[end]()
    other = await owner(players, "ada")
    assert await owns(players, other)
    assert await owns(players, player) == (end == "rename")


async def test_an_owner_may_write_the_name_in_another_way(players):
    player = await owner(players, "Nemo")
    assert await players.rename(player, "Nem0") == "Nem0"
    assert await refused(players.create("Nemo")) == "Nemo 2"
    assert await refused(players.create("NEM0")) == "NEM0 2"


async def test_an_identity_with_the_name_of_another_player_gets_a_number(players):
    first, second = [await players.external(ISSUER, subject, "Ada") for subject in ("a", "b")]
    assert [await owns(players, one.player) for one in (first, second)] == [True, True]
    names = await players.names([first.player, second.player])
    assert [*names.values()] == ["Ada", "Ada 2"]
    assert await players.external(ISSUER, "b", "Ada") == second


async def test_an_unconfirmed_address_owns_nothing(players):
    player, _ = await players.create("Ada")
    waits = Mailbox("m_1", "ada@play.example", "2026-11-21T12:00:00Z", "en")
    await players.set_mailbox(player, lambda _: waits)
    assert not await owns(players, player)
    assert await owns(players, await owner(players, "Ada"))


async def test_of_two_processes_that_want_a_name_at_once_one_gets_it():
    store = Between()
    one, other = process(store), process(store)
    first, second = [(await one.create("Ada"))[0] for _ in range(2)]
    store.between = lambda: other.set_code(second, "r_2")
    assert await refused(one.set_code(first, "r_1")) == "Ada 2"
    assert [await owns(process(store), player) for player in (first, second)] == [False, True]


async def test_of_many_that_want_a_name_at_once_one_gets_it():
    store = MemoryStore()
    players = [(await process(store).create("Ada"))[0] for _ in range(12)]
    outcomes = await asyncio.gather(
        *(process(store).set_code(player, f"r_{player}") for player in players),
        return_exceptions=True,
    )
    owners = [player for player in players if await owns(process(store), player)]
    assert len(owners) == 1
    assert [outcome for outcome in outcomes if outcome is None] == [None]
    assert all(getattr(one, "code", "name-taken") == "name-taken" for one in outcomes if one)


class Killed(MemoryStore):
    """A store that stops a process before it writes the record of a player."""

    def __init__(self):
        super().__init__()
        self.victim = ""

    async def put_document(self, kind, name, *words):
        if name == self.victim:
            raise Unavailable("the process was killed")
        return await super().put_document(kind, name, *words)


async def test_a_claim_of_a_process_that_was_killed_ends_after_a_minute():
    store = Killed()
    with freeze_time("2026-11-21 12:00:00") as clock:
        first, second = [(await process(store).create("Ada"))[0] for _ in range(2)]
        store.victim = first
        with pytest.raises(Unavailable):
            await process(store).set_code(first, "r_1")
        await refused(process(store).set_code(second, "r_2"))
        clock.tick(61)
        await process(store).set_code(second, "r_2")
        store.victim = ""
        await refused(process(store).set_code(first, "r_1"))


async def test_of_players_who_shared_a_name_before_it_could_be_owned_the_first_visitor_owns_it():
    store = MemoryStore()
    players = process(store)
    first, second = [(await players.create("Ada"))[0] for _ in range(2)]
    for player in (first, second):
        kept = await store.document("player", player)
        earlier = replace(DECODER.decode(kept.data), code_lead=f"r_{player}")
        await store.put_document("player", player, encode(earlier), kept)
    for player in (second, first):
        await players.sign_in(player, "Phone")
    assert [await owns(players, player) for player in (first, second)] == [False, True]
    assert await players.suggested_name(first) == "Ada 2"
    await players.rename(first, "Ada 2")
    assert await owns(players, first)


async def test_what_is_stored_does_not_tell_the_name():
    store = MemoryStore()
    await owner(Players(store, Keys(SECRETS)), "Ada Lovelace")
    leads = [name async for name in store.documents("player") if name.startswith("n_")]
    assert leads
    for lead in leads:
        assert b"ovelace" not in (await store.document("player", lead)).data.lower()
