"""KED-81, KED-82: Bartenders block a play, Ship Guards an action."""

import pytest

from games.ke_dnu.commands import (
    Activate,
    Claim,
    EndTurn,
    Jettison,
    Pass,
    Play,
    React,
    Tycoon,
    UseFlapper,
)
from games.ke_dnu.events import Blocked, CardPlayed, ReactionAnnounced, Resolved
from tests.games.ke_dnu.table import given


@pytest.mark.rule("KED-81", "KED-101/bartender")
def test_a_bartender_sends_the_card_back_and_the_points_stay():
    """The same card cannot be laid again in this turn. Another copy can."""
    p = given(boards={1: "bartender_1 bartender_2*"}, hands={0: "stoker_1 stoker_2"}, points=10)
    p.when(0, Play("stoker_1"))
    assert p.waiting == {1}
    p.when(1, React("bartender_1")).then(
        ReactionAnnounced(1, "bartender_1", "", (), ()), Blocked(0, "stoker_1", 1, "bartender_1")
    )
    assert (p.hand(0), p.state.points, p.state.no_play) == ("stoker_1 stoker_2", 10, ["stoker_1"])
    p.when(0, Play("stoker_1")).refused("card-blocked")
    assert p.when(0, Play("stoker_2")).of(CardPlayed)
    p.when(0, EndTurn())
    assert p.state.no_play == []


@pytest.mark.rule("KED-81", "KED-86")
def test_a_bartender_stops_a_teacher_too():
    """The card stays in the water, the payment is lost, and nobody may lay the card this turn."""
    p = given(
        3,
        boards={1: "teacher_1", 2: "bartender_1 teacher_2"},
        hands={0: "stoker_1", 1: "tycoon_1", 2: "pirate_1"},
    )
    p.when(0, Jettison("stoker_1"))
    p.when(2, Pass())
    p.when(1, Claim("stoker_1", ("tycoon_1",)))
    p.when(2, React("bartender_1"))
    assert (p.water(0), p.water(1)) == ("stoker_1", "tycoon_1")
    assert p.waiting == {2}, "the payment is offered in its turn"
    p.when(2, Claim("stoker_1", ("pirate_1",))).refused("card-not-in-batch")
    p.when(2, Pass())
    assert not p.state.stack


@pytest.mark.rule("KED-82", "KED-101/ship_guard")
def test_a_ship_guard_blocks_the_whole_action():
    """Even if nobody is touched. No cost is paid; the card stays exhausted on its board."""
    p = given(
        3,
        boards={0: "torpedo_1 drunkard_1 convict_1", 2: "ship_guard_1 ship_guard_2"},
        hands={0: "jack_1"},
    )
    p.when(0, Activate("torpedo_1", 1, ("jack_1",)))
    assert p.waiting == {2}
    p.when(2, React("ship_guard_1")).then(
        ReactionAnnounced(2, "ship_guard_1", "", (), ()), Blocked(0, "torpedo_1", 2, "ship_guard_1")
    )
    assert p.hand(0) == "jack_1"
    assert p.board(0) == "torpedo_1* drunkard_1 convict_1"
    p.when(0, Activate("convict_1"))
    p.when(2, React("ship_guard_2"))
    assert (p.board(0), p.state.points) == ("torpedo_1* drunkard_1 convict_1*", 0)
    assert p.when(0, Activate("drunkard_1")).of(Resolved), "no guard is ready any more"


@pytest.mark.rule("KED-82", "KED-87")
def test_a_ship_guard_blocks_other_reactions():
    """Bartender, Lifebuoy, Steward and Ship Guard are actions that exhaust a card."""
    p = given(
        3,
        boards={0: "lady_1", 1: "lifebuoy_1", 2: "ship_guard_1"},
        hands={1: "jack_1"},
    )
    p.when(0, Activate("lady_1", 1))
    p.when(2, Pass())
    p.when(1, React("lifebuoy_1"))
    assert p.waiting == {2}, "a pass holds for its frame only"
    p.when(2, React("ship_guard_1"))
    assert p.board(1) == "lifebuoy_1*", "no self-discard"
    assert p.hand(0) == "jack_1"
    p = given(3, boards={1: "bartender_1", 2: "ship_guard_1"}, hands={0: "jack_1"})
    p.when(0, Play("jack_1"))
    p.when(1, React("bartender_1"))
    p.when(2, React("ship_guard_1"))
    assert p.board(0) == "jack_1*"


@pytest.mark.rule("KED-82")
def test_a_ship_guard_cannot_block_what_exhausts_nothing():
    """These are passives, Flapper, Maid, Teacher and Anchor."""
    p = given(
        boards={0: "tycoon_1 arbiter_1", 1: "ship_guard_1 jack_1 fanatic_1"},
        hands={0: "flapper_1"},
        step="draw",
        drawn=False,
        tycoon_left=1,
    )
    assert p.when(0, Tycoon(1)).of(Resolved)
    p.state.step = "main"
    p.when(0, Jettison("flapper_1"))
    assert p.when(0, UseFlapper("fanatic_1", victims=("jack_1",))).of(Resolved)
    assert p.when(0, EndTurn()).of(Resolved)
