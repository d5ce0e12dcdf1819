"""KED-7 to KED-19: order, draw steps, empty decks, hand limit."""

import pytest

from games.ke_dnu.commands import Activate, Draw, EndTurn, Maid, Play, Tycoon
from games.ke_dnu.commands import DiscardDown as Down
from games.ke_dnu.events import (
    CardsDrawn,
    DrawEnded,
    DrawSkipped,
    EndDeclared,
    Jettisoned,
    LimitReached,
    ShipSank,
    TurnEnded,
    TurnStarted,
    WaterShuffled,
)
from tests.games.ke_dnu.table import drawing, given

NINE = " ".join(f"passenger_{n}" for n in range(1, 9))


def draw_step(seats: int = 2, **position):
    """Set up the beginning of a turn, by default in the Voyage."""
    return drawing(seats, **({"phase": "voyage"} | position))


@pytest.mark.rule("KED-7")
def test_turns_go_clockwise_over_the_seats_afloat():
    p = given(4, status=["afloat", "sunk", "afloat", "afloat"], active=3)
    assert p.when(3, EndTurn()).events[-1] == TurnStarted(0, "sinking", 9, 4)
    p.state.step = "main"
    assert p.when(0, EndTurn()).events[-1] == TurnStarted(2, "sinking", 10, 4)


@pytest.mark.rule("KED-8")
def test_a_turn_goes_draw_main_end():
    """The main step takes its commands in any order."""
    p = draw_step(hands={0: "baby_1 passenger_1"}, decks={0: NINE[12:]}, turn_index=0)
    p.when(0, EndTurn()).refused("wrong-step")
    p.when(0, Draw()).then(
        CardsDrawn(0, ("passenger_2", "passenger_3", "passenger_4"), "turn"), DrawEnded(0)
    )
    p.when(0, Draw()).refused("wrong-step")
    assert p.when(0, EndTurn()).names == ["end_declared", "turn_ended", "turn_started"]


@pytest.mark.rule("KED-9")
def test_the_own_board_is_ready_at_the_start_of_a_turn():
    p = given(boards={0: "fanatic_1*", 1: "fanatic_2* jack_1*"})
    p.when(0, EndTurn())
    assert p.board(0) == "fanatic_1*"
    assert p.board(1) == "fanatic_2 jack_1"


@pytest.mark.rule("KED-10")
@pytest.mark.parametrize(("index", "count"), [(0, 3), (1, 4), (2, 5), (3, 5), (40, 5)])
def test_the_voyage_draws_three_four_then_five(index, count):
    p = draw_step(4, turn_index=index, decks={0: NINE})
    assert len(p.when(0, Draw()).events[0].cards) == count


@pytest.mark.rule("KED-11")
@pytest.mark.parametrize(("index", "count"), [(0, 0), (1, 1), (2, 2), (3, 3), (4, 3), (40, 3)])
def test_the_sinking_draws_none_one_two_then_three(index, count):
    p = draw_step(2, turn_index=index, decks={0: NINE}, phase="sinking")
    p.when(0, Draw()).then(CardsDrawn(0, tuple(NINE.split()[:count]), "turn"), DrawEnded(0))


@pytest.mark.rule("KED-12", "KED-101/fisherman", "KED-101/stoker")
@pytest.mark.parametrize(
    ("board", "index", "count"),
    [
        ("fisherman_1", 5, 4),
        ("fisherman_1 fisherman_2 fisherman_3", 5, 6),
        ("fisherman_1+assistant_1", 5, 5),
        ("stoker_1", 5, 2),
        ("stoker_1+assistant_1", 5, 1),
        ("stoker_1+assistant_1 stoker_2", 5, 0),
        ("stoker_1+assistant_1 stoker_2", 0, 0),
        ("stoker_1 fisherman_1", 5, 3),
        ("fisherman_1", 0, 1),
        ("stoker_1", 2, 1),
    ],
)
def test_fishermen_and_stokers_change_the_own_draw(board, index, count):
    """They do so in the first, slower turns too. The draw is never below 0."""
    p = draw_step(boards={0: board}, decks={0: NINE}, phase="sinking", turn_index=index)
    assert len(p.when(0, Draw()).events[0].cards) == count


@pytest.mark.rule("KED-13", "KED-101/anchor")
@pytest.mark.parametrize("phase", ["voyage", "sinking"])
def test_an_anchor_skips_the_draw_step(phase):
    """Fisherman, Stoker and Tycoon are ignored; a Maid and other draws still work."""
    p = given(
        active=1,
        phase=phase,
        boards={0: "anchor_1 fisherman_1 tycoon_1 maid_1 polka_dancer_1*"},
        hands={0: "baby_1"},
    )
    p.when(1, EndTurn())
    assert p.state.tycoon_left == 0
    p.when(0, Tycoon(1)).refused("no-tycoon")
    assert p.when(0, Maid("baby_1")).names == ["moved"]
    p.when(0, Draw()).then(DrawSkipped(0, "anchor"), DrawEnded(0))
    assert p.when(0, Activate("polka_dancer_1")).of(CardsDrawn)
    assert len(p.state.hand[0]) == 1


@pytest.mark.rule("KED-14")
def test_in_the_voyage_an_empty_deck_is_made_of_the_water():
    """This happens also in the middle of a draw. If the water is empty too, the draw stops."""
    p = draw_step(decks={0: "baby_1 baby_2"}, waters={0: "passenger_1 passenger_2 rats_1"})
    first, shuffled, second, ended = p.when(0, Draw()).events
    assert first == CardsDrawn(0, ("baby_1", "baby_2"), "turn")
    assert isinstance(shuffled, WaterShuffled)
    assert sorted(shuffled.order) == ["passenger_1", "passenger_2", "rats_1"]
    assert second == CardsDrawn(0, shuffled.order, "turn")
    assert ended == DrawEnded(0)
    assert p.water(0) == p.deck(0) == ""

    p = draw_step(decks={0: "baby_1"}, waters={})
    p.when(0, Draw()).then(CardsDrawn(0, ("baby_1",), "turn"), DrawEnded(0))
    p = draw_step(decks={0: ""}, waters={})
    p.when(0, Draw()).then(CardsDrawn(0, (), "turn"), DrawEnded(0))
    p = draw_step(
        decks={0: "baby_1 baby_2 passenger_1 passenger_2 passenger_3"}, waters={0: "rats_1"}
    )
    assert p.when(0, Draw()).names == ["cards_drawn", "draw_ended"], (
        "no shuffle before it is needed"
    )


@pytest.mark.rule("KED-15")
def test_in_the_sinking_who_cannot_draw_sinks():
    """It sinks at that moment, by any draw. Drawing exactly all cards does not sink."""
    three = "baby_1 baby_2 passenger_1"
    p = draw_step(phase="sinking", decks={0: three}, waters={0: "rats_1"})
    assert p.when(0, Draw()).names == ["cards_drawn", "draw_ended"]
    assert not p.when(0, EndTurn()).code

    p = draw_step(phase="sinking", decks={0: "baby_1 baby_2"}, waters={0: "rats_1"})
    sank, ended, started = p.when(0, Draw()).events
    assert sank == ShipSank(0, 0, "empty_deck")
    assert (ended, started.seat) == (TurnEnded(0), 1)
    assert p.state.gone[0] == ["baby_1", "baby_2", "rats_1"], "no card was drawn"

    p = given(boards={0: "polka_dancer_1+assistant_1"}, decks={0: "baby_1"})
    assert p.when(0, Activate("polka_dancer_1")).of(ShipSank) == [ShipSank(0, 7, "empty_deck")]


@pytest.mark.rule("KED-16")
def test_others_draw_from_an_empty_deck_what_there_is():
    """Voyage: the water is shuffled. Sinking: the others get nothing and the seat does not sink."""
    p = given(
        phase="voyage",
        boards={0: "pirate_1+assistant_1"},
        decks={1: "baby_3"},
        waters={1: "rats_1 rats_2"},
    )
    assert p.when(0, Activate("pirate_1")).names == [
        "action_announced", "resolved", "moved", "water_shuffled", "moved",
    ]  # fmt: skip
    assert len(p.state.deck[1]) == 1
    p = given(
        3,
        boards={0: "pirate_1+assistant_1"},
        decks={1: "baby_3", 2: "baby_5 baby_6 passenger_17"},
        waters={1: "rats_1"},
    )
    p.when(0, Activate("pirate_1"))
    assert p.hand(0) == "baby_3 baby_5 baby_6"
    assert p.state.status == ["afloat"] * 3


@pytest.mark.rule("KED-17")
def test_a_torpedo_takes_what_is_there():
    """A Torpedo never shuffles the water and never sinks a ship."""
    for phase in ("voyage", "sinking"):
        p = given(
            phase=phase,
            boards={0: "torpedo_1"},
            hands={0: "passenger_1"},
            decks={1: "baby_3 baby_4"},
            waters={1: "rats_1"},
        )
        then = p.when(0, Activate("torpedo_1", 1, ("passenger_1",)))
        assert p.water(1) == "rats_1 baby_3 baby_4"
        assert p.state.status[1] == "afloat"
        assert not then.of(WaterShuffled)


@pytest.mark.rule("KED-18")
def test_in_the_voyage_the_hand_ends_at_five():
    """Only the active seat discards, after its end effects, cards of its choice."""
    seven = "baby_1 baby_2 passenger_1 passenger_2 passenger_3 passenger_4 rats_1"
    p = given(phase="voyage", hands={0: seven, 1: "lady_1 lady_2 jack_1 pirate_1 tycoon_1 seal_1"})
    p.when(0, EndTurn()).then(EndDeclared(0), LimitReached(0))
    assert p.waiting == {0}
    assert {c.card for c in p.legal(0)} == set(seven.split())
    p.when(0, Down("rats_1")).then(Jettisoned(0, "rats_1", "hand", "limit", 0))
    assert p.when(0, Down("baby_1")).names == ["jettisoned", "turn_ended", "turn_started"]
    assert p.water(0) == "rats_1 baby_1"
    assert len(p.state.hand[1]) == 6


@pytest.mark.rule("KED-19")
def test_in_the_sinking_there_is_no_hand_limit():
    p = given(hands={0: NINE})
    assert p.when(0, EndTurn()).names == ["end_declared", "turn_ended", "turn_started"]


def test_a_hand_of_only_held_cards_stays_over_the_limit():
    """Neither a protected Band nor a locked card can be discarded."""
    six = "band_1 lady_1 lady_2 pirate_1 pirate_2 tycoon_1"
    p = given(phase="voyage", hands={0: six}, locked=six.split()[1:])
    assert p.when(0, EndTurn()).names == ["end_declared", "turn_ended", "turn_started"]
    p = given(phase="voyage", hands={0: six}, locked=six.split()[2:])
    p.when(0, EndTurn())
    assert [c.card for c in p.legal(0)] == ["lady_1"]


def test_a_draw_while_a_tycoon_waits_keeps_the_step():
    p = draw_step(phase="sinking", boards={0: "tycoon_1"}, tycoon_left=1)
    assert p.when(0, Draw()).names == ["cards_drawn"]
    p.when(0, Draw()).refused("already-drawn")
    p.when(0, Play("baby_1")).refused("wrong-step")
    assert p.when(0, Tycoon(1)).names[-1] == "draw_ended"
