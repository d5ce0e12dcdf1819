"""What leads to players is compared with what the players list."""

import pytest
from freezegun import freeze_time
from msgspec.json import encode
from msgspec.structs import replace

from events.memory_store import MemoryStore
from service.play.player_record import DECODER, ERASED, Player
from service.process.lead_check import LooseLeads, find_loose
from tests.service.play.stores import process

BEGUN, LATER = "2026-11-23T12:00:00Z", "2026-11-23T12:01:01Z"


@pytest.fixture
def store():
    return MemoryStore()


async def owner(store) -> tuple[str, Player]:
    """Create a player who can come back, and so owns the name."""
    players = process(store)
    player, _ = await players.create("Nemo")
    await players.set_code(player, "r_nemo")
    return player, await players.stored(player)


async def put(store, name, record):
    await store.put_document("player", name, encode(record), await store.document("player", name))


async def test_whoever_can_come_back_has_all_leads(store):
    await owner(store)
    assert await find_loose(store) == LooseLeads(missing=0, stray=0)


@pytest.mark.parametrize("kind", ["recovery", "name"])
async def test_a_player_whose_lead_is_missing_is_counted_once(store, kind):
    _, record = await owner(store)
    for lead in record.ways_back if kind == "recovery" else record.own_name:
        await put(store, lead, ERASED)
    assert await find_loose(store) == LooseLeads(missing=1, stray=0)


async def test_a_lead_to_somebody_else_is_missing_too(store):
    _, record = await owner(store)
    lead = record.own_name[0]
    found = DECODER.decode((await store.document("player", lead)).data)
    await put(store, lead, replace(found, leads_to="p_thief"))
    with freeze_time(LATER):
        assert (await find_loose(store)).missing == 1


async def test_a_claim_without_its_player_is_stray(store):
    with freeze_time(BEGUN) as clock:
        player, record = await owner(store)
        await put(store, player, ERASED)
        assert await find_loose(store) == LooseLeads(missing=0, stray=0), "its player comes soon"
        clock.move_to(LATER)
        assert await find_loose(store) == LooseLeads(missing=0, stray=len(record.leads))


async def test_a_change_during_the_search_is_no_mistake(store, monkeypatch):
    player, _ = await owner(store)
    read = store.document

    async def changing(kind, name):
        found = await read(kind, name)
        if name == player:
            monkeypatch.setattr(store, "document", read)
            await process(store).rename(player, "Ahab")
        return found

    monkeypatch.setattr(store, "document", changing)
    assert await find_loose(store) == LooseLeads(missing=0, stray=0)
