"""Limits of blocks and mutes."""

import pytest

from events.memory_store import MemoryStore
from service.base.keys import Keys
from service.base.problems import Problem
from service.play.blocks import BLOCKS_MAX, MUTES_MAX, Blocks
from service.play.players import Players
from tests.service.table import SECRETS


async def test_blocks_are_limited_and_the_first_muted_match_makes_room():
    players = Players(MemoryStore(), Keys(SECRETS))
    blocks = Blocks(players)
    ada, _ = await players.create("Ada")
    others = [(await players.create("Guest"))[0] for _ in range(BLOCKS_MAX + 1)]
    for other in others[:-1]:
        await blocks.block(ada, other)
    with pytest.raises(Problem) as refused:
        await blocks.block(ada, others[-1])
    assert refused.value.code == "too-many-blocks"
    await blocks.block(ada, others[0])
    for number in range(MUTES_MAX + 1):
        await blocks.mute(ada, f"m_{number}")
    record = await blocks.of(ada)
    assert len(record.blocks) == BLOCKS_MAX
    assert (record.mutes[0], len(record.mutes)) == ("m_1", MUTES_MAX)


async def test_nothing_is_left_of_an_erased_players_blocks():
    store = MemoryStore()
    players = Players(store, Keys(SECRETS))
    ada, bob = [(await players.create(name))[0] for name in ("Ada", "Bob")]
    await Blocks(players).block(ada, bob)
    await players.erase(ada)
    assert bob.encode() not in (await store.document("player", ada)).data
