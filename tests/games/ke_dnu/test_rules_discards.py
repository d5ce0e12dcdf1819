"""KED-40 to KED-47: discards, Band, Rose, Flapper, Seal, locked cards, the Anchor."""

import pytest

from games.ke_dnu.commands import (
    Activate,
    Claim,
    DiscardAnchor,
    EndTurn,
    Jettison,
    JettisonPair,
    Pass,
    Play,
    UseFlapper,
)
from games.ke_dnu.events import (
    BandHeld,
    Closed,
    DiscardsOpened,
    FlapperSpent,
    Jettisoned,
    Moved,
    PointsGained,
)
from tests.games.ke_dnu.table import given

FOUR = "passenger_9 passenger_10 passenger_11 passenger_12"


@pytest.mark.rule("KED-40")
def test_a_discard_goes_to_its_holders_water():
    """It does not matter which seat began with the card."""
    p = given(boards={0: "fanatic_1", 1: "passenger_1"}, hands={1: "jack_1"}, waters={1: "seal_1"})
    then = p.when(0, Activate("fanatic_1", victims=("passenger_1",)))
    assert then.of(Jettisoned) == [Jettisoned(1, "passenger_1", "board", "fanatic", 0)]
    assert p.water(1) == "seal_1 passenger_1"


@pytest.mark.rule("KED-41", "KED-101/band")
def test_the_band_cannot_be_discarded_under_five_board_cards():
    """Band and Lifeguards count as board cards. The rule holds for all zones and seats."""
    p = given(boards={0: FOUR}, hands={0: "band_1"})
    p.when(0, Jettison("band_1")).refused("band-held")
    p = given(boards={0: f"{FOUR} lifeguard_1"}, hands={0: "band_1"})
    p.when(0, Jettison("band_1")).then(Jettisoned(0, "band_1", "hand", "jettison", 6))

    p = given(boards={0: "fanatic_1", 1: f"band_1 {FOUR[:-13]}"})
    p.when(0, Activate("fanatic_1", victims=("band_1",))).refused("band-protected")
    p = given(boards={0: "fanatic_1", 1: f"band_1 {FOUR}"})
    assert p.when(0, Activate("fanatic_1", victims=("band_1",))).of(Jettisoned)
    p = given(boards={0: "profiteer_1 band_1"})
    p.when(0, Activate("profiteer_1", cards=("band_1",))).refused("band-held")


@pytest.mark.rule("KED-41", "KED-101/band")
def test_a_forced_discard_leaves_a_held_band_where_it_is():
    """Nothing replaces the Band, and its position in the deck stays. Other moves are allowed."""
    p = given(boards={0: "saboteur_1"}, hands={1: "band_1"})
    then = p.when(0, Activate("saboteur_1"))
    assert then.names[-2:] == ["picked", "band_held"]
    assert p.hand(1) == "band_1"
    p = given(
        boards={0: "torpedo_1"},
        hands={0: "jack_1"},
        decks={1: "baby_3 band_1 baby_4 passenger_9"},
    )
    then = p.when(0, Activate("torpedo_1", 1, ("jack_1",)))
    assert then.events[2:5] == [
        Jettisoned(1, "baby_3", "deck", "torpedo", 0),
        BandHeld(1, "band_1", "deck"),
        Jettisoned(1, "baby_4", "deck", "torpedo", 0),
    ]
    assert p.deck(1) == "band_1 passenger_9"
    p = given(boards={0: "beggar_1", 1: "band_1"})
    p.when(0, Activate("beggar_1", victims=("band_1",)))
    assert p.hand(1) == "band_1"


@pytest.mark.rule("KED-42", "KED-101/rose")
def test_rose_goes_aboard_when_discarded():
    """Her points are gained. As a board card she may raise later prices."""
    p = given(boards={0: FOUR}, hands={0: "baby_1 rose_1 seal_1"}, points=5)
    p.when(0, Jettison("rose_1")).then(Jettisoned(0, "rose_1", "hand", "jettison", 3))
    assert (p.board(0), p.water(0), p.state.points) == (f"{FOUR} rose_1", "", 8)
    assert p.when(0, Play("baby_1")).events[0].price == 4
    p = given(
        boards={0: "torpedo_1", 1: "teacher_1"},
        hands={0: "jack_1"},
        decks={1: "baby_3 rose_1 baby_4"},
    )
    p.when(0, Activate("torpedo_1", 1, ("jack_1",)))
    assert p.board(1) == "teacher_1 rose_1"


@pytest.mark.rule("KED-42")
def test_profiteer_may_discard_rose_every_turn_and_no_teacher_gets_her():
    p = given(boards={0: "rose_1 profiteer_1", 1: "teacher_1"}, hands={1: "pirate_1"})
    then = p.when(0, Activate("profiteer_1", cards=("rose_1",)))
    assert then.of(Jettisoned) == [Jettisoned(0, "rose_1", "board", "profiteer", 3)]
    assert (p.board(0), p.state.points) == ("profiteer_1* rose_1", 3)
    assert p.waiting == {0}


@pytest.mark.rule("KED-43", "KED-44", "KED-101/flapper")
def test_a_flapper_lets_its_holder_use_a_card_on_an_opponents_board():
    """The card may be exhausted and is not exhausted by it. The Flapper gives no points."""
    p = given(boards={1: "fanatic_1* polka_dancer_1 jack_1"}, hands={0: "flapper_1"})
    p.when(0, Jettison("flapper_1")).then(
        Jettisoned(0, "flapper_1", "hand", "jettison", 0),
        DiscardsOpened(("flapper_1",), (0,), ("flapper_1",)),
    )
    assert p.waiting == {0}
    assert {c.source for c in p.legal(0, UseFlapper)} == {"fanatic_1", "polka_dancer_1"}
    p.when(0, UseFlapper("jack_1")).refused("not-copyable")
    then = p.when(0, UseFlapper("fanatic_1", victims=("jack_1",)))
    assert then.names == [
        "action_announced", "resolved", "jettisoned", "closed",
    ]  # fmt: skip
    assert p.board(1) == "fanatic_1* polka_dancer_1"
    assert p.waiting == {0}


@pytest.mark.rule("KED-43")
def test_a_flapper_works_wherever_and_by_whomever_it_is_discarded():
    """Its holder may decline. Without a copyable card nobody is asked."""
    p = given(boards={0: "fanatic_1 priest_1", 1: "flapper_1"})
    p.when(0, Activate("fanatic_1", victims=("flapper_1",)))
    assert p.waiting == {1}
    p.when(1, Pass()).then(FlapperSpent(1, "flapper_1"), Closed("discard"))
    p = given(
        boards={0: "torpedo_1", 1: "jack_1"},
        hands={0: "seal_1"},
        decks={1: "flapper_1 flapper_2 baby_3"},
    )
    then = p.when(0, Activate("torpedo_1", 1, ("seal_1",)))
    opened = then.of(DiscardsOpened)[0]
    assert opened.flappers == ("flapper_1", "flapper_2")
    assert p.waiting == {1}
    p.when(1, Pass())
    assert p.waiting == {1}, "one after the other"
    p.when(1, Pass())
    assert p.waiting == {0}
    p = given(boards={0: "polka_dancer_1", 1: "jack_1"}, hands={0: "flapper_1"})
    assert p.when(0, Jettison("flapper_1")).names == ["jettisoned"]


def test_a_flapper_may_be_thrown_for_an_own_turn_effect():
    p = given(boards={1: "dealer_1"}, hands={0: "flapper_1"})
    p.when(0, Jettison("flapper_1"))
    assert p.when(0, Pass()).names == ["flapper_spent", "closed"]


@pytest.mark.rule("KED-43")
def test_a_flapper_is_never_doubled_and_gains_nothing_outside_its_turn():
    p = given(boards={1: "polka_dancer_1+assistant_1"}, hands={0: "flapper_1"})
    p.when(0, Jettison("flapper_1"))
    p.when(0, UseFlapper("polka_dancer_1"))
    assert len(p.state.hand[0]) == 1
    p = given(
        boards={0: "fanatic_1 profiteer_1 singer_1", 1: "flapper_1 rose_1"},
        options={"include_singer": True},
        points=2,
    )
    p.when(0, Activate("fanatic_1", victims=("flapper_1",)))
    before = p.state.copy()
    then = p.when(1, UseFlapper("profiteer_1", cards=("rose_1",)))
    assert then.of(Jettisoned) == [Jettisoned(1, "rose_1", "board", "profiteer", 0)]
    p.state = before
    then = p.when(1, UseFlapper("singer_1"))
    assert not then.of(PointsGained)
    assert p.state.points == 2


@pytest.mark.rule("KED-44", "KED-101/flapper")
def test_a_flapper_is_worth_nothing_on_every_jettison():
    p = given(hands={0: "flapper_1 flapper_2 seal_1"})
    p.when(0, Jettison("flapper_1"))
    assert p.state.points == 0
    p.when(0, JettisonPair("seal_1", "flapper_2"))
    assert p.state.points == 0
    p = given(boards={1: "teacher_1"}, hands={0: "jack_1 seal_1", 1: "flapper_1"})
    p.when(0, Jettison("seal_1"))
    p.when(1, Claim("seal_1", ("flapper_1",))).refused("price-not-met")


@pytest.mark.rule("KED-45", "KED-101/seal")
def test_a_seal_doubles_one_card_thrown_with_it():
    p = given(hands={0: "pirate_1 seal_1 seal_2 passenger_1"})
    before = p.state.copy()
    p.when(0, JettisonPair("seal_1", "pirate_1")).then(
        Jettisoned(0, "seal_1", "hand", "pair", 0), Jettisoned(0, "pirate_1", "hand", "pair", 24)
    )
    p.state = before.copy()
    p.when(0, JettisonPair("seal_1", "seal_2"))
    assert p.state.points == 10, "the other may be a Seal"
    p.state = before.copy()
    p.when(0, Jettison("seal_1"))
    p.when(0, Jettison("passenger_1"))
    assert p.state.points == 6, "alone it gives its five"


@pytest.mark.rule("KED-45", "KED-42")
def test_a_seal_doubles_rose_and_she_still_goes_aboard():
    p = given(hands={0: "rose_1 seal_1"})
    p.when(0, JettisonPair("seal_1", "rose_1"))
    assert (p.state.points, p.board(0)) == (6, "rose_1")


@pytest.mark.rule("KED-46", "KED-101/priest")
def test_a_card_taken_exhausted_is_locked_this_turn():
    """It can be neither laid nor discarded. Other moves are allowed. A ready card is not locked."""
    p = given(
        boards={0: "priest_1 priest_2 chef_1 torpedo_1", 1: "fanatic_1* jack_1"},
        hands={0: "seal_1"},
        points=20,
    )
    then = p.when(0, Activate("priest_1", victims=("fanatic_1",)))
    assert then.of(Moved) == [Moved(1, "fanatic_1", "board", 0, "hand", "priest", locked=True)]
    assert p.state.locked == ["fanatic_1"]
    for command in (
        Jettison("fanatic_1"),
        Play("fanatic_1"),
        JettisonPair("seal_1", "fanatic_1"),
        Activate("torpedo_1", 1, ("fanatic_1",)),
    ):
        p.when(0, command).refused("card-locked")
    p.when(0, Activate("priest_2", victims=("jack_1",)))
    assert not p.when(0, Play("jack_1")).code
    assert not p.when(0, Activate("chef_1", cards=("fanatic_1", "seal_1"))).code
    p.when(0, EndTurn())
    assert p.state.locked == []


@pytest.mark.rule("KED-47", "KED-101/anchor")
def test_the_anchor_may_be_discarded_in_the_main_step():
    """It gives no points and exhausts nothing, so no Ship Guard is asked."""
    p = given(boards={0: "anchor_1 jack_1", 1: "ship_guard_1"})
    p.when(0, DiscardAnchor("jack_1")).refused("not-an-anchor")
    p.when(0, DiscardAnchor("anchor_2")).refused("card-not-on-board")
    p.when(0, DiscardAnchor("anchor_1")).then(Jettisoned(0, "anchor_1", "board", "anchor", 0))
    assert p.waiting == {0}
