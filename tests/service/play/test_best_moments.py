"""Best moments: who is shown them, how many stay, and that an erasure takes them."""

import pytest
from msgspec.structs import replace

from events.memory_store import MemoryStore
from projections.summary import Outcome, Sitter, Summary
from replay.best import BestMoment
from service.play.best_moments import MATCHES_MAX, SHOWN_MAX, BestMoments
from service.play.caller import Caller
from tests.service.play.stores import process

FOUND = [BestMoment(0, 6, "comeback", 0.12), BestMoment(1, 9, "find", 0.08)]


@pytest.fixture
def players():
    return process(MemoryStore())


@pytest.fixture
def moments(work, players):
    return BestMoments(work, players)


def over(match: str, *people: str, ended: int = 1) -> Summary:
    """Return a public match that is over."""
    return Summary(
        match, 20, "submarine", "finished", False, people[0], {}, None,
        tuple(map(Sitter, people)), 0, 20, ended, None, None,
        Outcome(ended, ((0,), (1,)), (1, 2), (0,)),
    )  # fmt: skip


async def shown(moments: BestMoments, player: str, reader: str = "p_eve") -> list[tuple]:
    found = await moments.of(player, Caller(reader))
    return [(one.match, one.version, one.kind) for one in found]


async def test_everybody_is_shown_a_players_own_moments_latest_first(moments):
    await moments.keep(over("m_1", "p_ada", "p_bob", ended=1), FOUND)
    await moments.keep(over("m_2", "p_bob", "p_ada", ended=2), FOUND)
    await moments.keep(over("m_2", "p_bob", "p_ada", ended=2), FOUND)
    assert await shown(moments, "p_ada") == [("m_2", 9, "find"), ("m_1", 6, "comeback")]
    assert await shown(moments, "p_nobody") == []


async def test_moments_of_a_private_match_are_for_those_who_were_in_it(moments):
    private = replace(over("m_1", "p_ada", "p_bob"), private=True)
    await moments.keep(private, FOUND)
    assert await shown(moments, "p_ada") == []
    for reader in ("p_ada", "p_bob"):
        assert await shown(moments, "p_ada", reader) == [("m_1", 6, "comeback")]


async def test_matches_that_are_not_over_and_bots_have_none(moments):
    await moments.keep(replace(over("m_1", "p_ada", "p_bob"), outcome=None), FOUND)
    bots = replace(over("m_2", "p_ada", "p_bob"), sitters=(Sitter(bot="strong"), Sitter("p_bob")))
    await moments.keep(bots, FOUND)
    assert await shown(moments, "p_ada") == []
    assert await shown(moments, "p_bob") == [("m_2", 9, "find")]


async def test_the_latest_matches_stay_and_an_answer_is_short(moments, work):
    for number in range(MATCHES_MAX + 2):
        await moments.keep(over(f"m_{number}", "p_ada", "p_bob", ended=number), FOUND)
    assert await work.hlen("moments:p_ada") == MATCHES_MAX
    found = await shown(moments, "p_ada")
    assert [match for match, *_ in found] == [f"m_{MATCHES_MAX + 1 - n}" for n in range(SHOWN_MAX)]


async def test_an_erasure_takes_them_and_none_come_after_it(moments, players):
    player, _ = await players.create("Ada")
    await moments.keep(over("m_1", player, "p_bob"), FOUND)
    await players.erase(player)
    await moments.forget(player)
    assert await shown(moments, player) == []
    await moments.keep(over("m_1", player, "p_bob"), FOUND)
    assert await shown(moments, player) == []
    assert await shown(moments, "p_bob") == [("m_1", 9, "find")]
