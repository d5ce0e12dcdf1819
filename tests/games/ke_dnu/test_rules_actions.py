"""KED-90, KED-91, KED-98, KED-101: actions that change a seat's own cards and points."""

import pytest

from games.ke_dnu.commands import Activate, Buy, Play
from games.ke_dnu.events import (
    CardReadied,
    CardsDrawn,
    DeckShuffled,
    Jettisoned,
    Moved,
    PointsGained,
)
from tests.games.ke_dnu.table import cards, given


@pytest.mark.rule("KED-90", "KED-101/captain")
def test_captain_shuffles_cards_into_the_deck_and_draws_as_many():
    """A Captain never sinks the ship, even with an empty deck. Locked cards may be named."""
    p = given(boards={0: "captain_1"}, hands={0: "jack_1 seal_1 lady_1"}, decks={0: ""})
    two = ("seal_1", "jack_1")
    then = p.when(0, Activate("captain_1", cards=two))
    assert cards(then.of(Moved)) == list(two)
    assert {event.to_zone for event in then.of(Moved)} == {"deck_bottom"}
    assert sorted(then.of(DeckShuffled)[0].order) == ["jack_1", "seal_1"]
    assert len(then.of(CardsDrawn)[0].cards) == 2
    assert p.hand(0) == "jack_1 lady_1 seal_1"
    assert p.state.status[0] == "afloat"
    p = given(boards={0: "captain_1"})
    p.when(0, Activate("captain_1")).refused("nothing-to-do")
    p = given(boards={0: "captain_1"}, hands={0: "jack_1 seal_1"}, locked=["jack_1"])
    p.when(0, Activate("captain_1")).refused("wrong-count")
    assert len(p.legal(0, Activate)) == 3


@pytest.mark.rule("KED-91", "KED-101/doctor", "KED-101/stimulants")
def test_doctor_and_stimulants_ready_other_exhausted_cards_once_a_turn():
    board = "doctor_1 doctor_2 fanatic_1* seal_1 stimulants_1"
    p = given(boards={0: board})
    p.when(0, Activate("doctor_1", cards=("doctor_1",))).refused("self-target")
    p.when(0, Activate("doctor_1", cards=("seal_1",))).refused("not-exhausted")
    then = p.when(0, Activate("doctor_1", cards=("fanatic_1",)))
    assert then.of(CardReadied) == [CardReadied(0, "fanatic_1")]
    p.when(0, Activate("doctor_2", cards=("doctor_1",)))
    p.when(0, Activate("doctor_1", cards=("fanatic_1",))).refused("not-exhausted")
    p.state.board[0][2] = type(p.state.board[0][2])("fanatic_1", exhausted=True)
    p.when(0, Activate("doctor_1", cards=("fanatic_1",))).refused("already-readied")
    then = p.when(0, Activate("stimulants_1", cards=("doctor_2",)))
    assert then.names[-2:] == ["card_readied", "jettisoned"]
    assert p.board(0) == "doctor_1 doctor_2 fanatic_1* seal_1"
    p = given(boards={0: "doctor_1 fanatic_1*", 1: "fanatic_2*"}, options={"readied_limit": False})
    p.state.readied.append("fanatic_1")
    p.when(0, Activate("doctor_1", cards=("fanatic_2",))).refused("card-not-on-board")
    assert not p.when(0, Activate("doctor_1", cards=("fanatic_1",))).code
    p = given(boards={0: "doctor_1+assistant_1 fanatic_1* fanatic_2*"})
    assert len(p.legal(0, Activate)) == 3
    p.when(0, Activate("doctor_1", cards=("fanatic_2", "fanatic_1")))
    assert p.board(0) == "doctor_1+assistant_1* fanatic_1 fanatic_2"
    p = given(boards={0: "doctor_1 fanatic_1"})
    p.when(0, Activate("doctor_1", cards=("fanatic_1",))).refused("nothing-to-do")


@pytest.mark.rule("KED-98", "KED-101/profiteer", "KED-101/convict")
def test_gained_points_serve_laying_and_buying():
    p = given(
        phase="voyage",
        boards={0: "profiteer_1 convict_1"},
        hands={0: "maid_1"},
        shop="stoker_1 lifebuoy_1",
    )
    then = p.when(0, Activate("profiteer_1", cards=("profiteer_1",)))
    assert then.of(Jettisoned) == [Jettisoned(0, "profiteer_1", "board", "profiteer", 6)]
    then = p.when(0, Activate("convict_1"))
    assert then.of(PointsGained) == [PointsGained(0, 6, "convict")]
    assert p.state.points == 12
    p.when(0, Buy("stoker_1"))
    p.when(0, Play("maid_1"))
    assert p.state.points == 3


@pytest.mark.rule("KED-101/profiteer")
def test_profiteer_sells_cards_of_the_own_board():
    """A Flapper gives no points. A doubled Profiteer sells one or two cards."""
    p = given(boards={0: "profiteer_1+assistant_1 flapper_1 pirate_1"})
    then = p.when(0, Activate("profiteer_1", cards=("flapper_1", "pirate_1")))
    assert [event.points for event in then.of(Jettisoned)] == [0, 12]


@pytest.mark.rule("KED-101/drunkard", "KED-101/convict")
def test_drunkard_and_convict_discard_themselves():
    p = given(boards={0: "drunkard_1 convict_1"})
    assert p.when(0, Activate("drunkard_1")).events[2:] == [
        Jettisoned(0, "drunkard_1", "board", "drunkard", 0)
    ]
    assert p.when(0, Activate("convict_1")).events[2:] == [
        PointsGained(0, 6, "convict"),
        Jettisoned(0, "convict_1", "board", "convict", 0),
    ]


@pytest.mark.rule("KED-101/polka_dancer", "KED-101/singer")
def test_polka_dancer_draws_and_singer_earns():
    p = given(
        boards={0: "polka_dancer_1 singer_1+assistant_1 singer_2"},
        decks={0: "baby_1 baby_2"},
        options={"include_singer": True},
    )
    then = p.when(0, Activate("polka_dancer_1"))
    assert then.of(CardsDrawn) == [CardsDrawn(0, ("baby_1",), "polka_dancer")]
    p.when(0, Activate("singer_1"))
    p.when(0, Activate("singer_2"))
    assert p.state.points == 9


@pytest.mark.rule("KED-101/chef")
def test_chef_moves_two_hand_cards_under_the_deck():
    """The order of the command counts. A hand of one gives one card; doubled, two to four."""
    p = given(boards={0: "chef_1"}, hands={0: "jack_1 seal_1 lady_1"}, decks={0: "baby_1"})
    p.when(0, Activate("chef_1", cards=("jack_1",))).refused("wrong-count")
    p.when(0, Activate("chef_1", cards=("seal_1", "jack_1")))
    assert p.deck(0) == "baby_1 seal_1 jack_1"
    p = given(boards={0: "chef_1"}, hands={0: "jack_1"}, decks={0: "baby_1"})
    p.when(0, Activate("chef_1", cards=("jack_1",)))
    assert p.deck(0) == "baby_1 jack_1"
    p = given(boards={0: "chef_1+assistant_1"}, hands={0: "jack_1 seal_1 lady_1 rats_1 maid_1"})
    assert p.legal(0, Activate)[-1].cards == ("jack_1", "maid_1", "rats_1", "seal_1")
    assert len(p.legal(0, Activate)) == 11
    assert not p.when(0, Activate("chef_1", cards=("jack_1", "lady_1", "rats_1"))).code
    given(boards={0: "chef_1"}).when(0, Activate("chef_1")).refused("nothing-to-do")


@pytest.mark.rule("KED-101/diver")
def test_diver_puts_water_cards_on_top_of_the_deck():
    p = given(
        boards={0: "diver_1+assistant_1"}, waters={0: "jack_1 seal_1 lady_1"}, decks={0: "baby_1"}
    )
    p.when(0, Activate("diver_1", cards=("lady_1", "jack_1")))
    assert (p.deck(0), p.water(0)) == ("jack_1 lady_1 baby_1", "seal_1")
    p = given(boards={0: "diver_1"}, waters={0: "jack_1 seal_1"})
    p.when(0, Activate("diver_1", cards=("jack_1", "seal_1"))).refused("wrong-count")
    p.when(0, Activate("diver_1", cards=("lady_1",))).refused("card-not-in-water")


@pytest.mark.rule("KED-101/diver")
def test_the_number_of_cards_is_checked_before_the_cards():
    """A doubled Diver may name two cards, whatever lies in the water."""
    p = given(boards={0: "diver_1+assistant_1"}, waters={0: "jack_1"})
    p.when(0, Activate("diver_1", cards=("jack_1", "seal_1"))).refused("card-not-in-water")


@pytest.mark.rule("KED-101/jack")
def test_jack_goes_under_its_deck():
    p = given(boards={0: "jack_1"}, decks={0: "baby_1"})
    p.when(0, Activate("jack_1"))
    assert (p.board(0), p.deck(0)) == ("", "baby_1 jack_1")


@pytest.mark.rule("KED-101/life_jacket")
def test_life_jacket_saves_a_card_of_the_water():
    p = given(boards={0: "life_jacket_1"}, waters={0: "fanatic_1 seal_1"}, hands={0: "jack_1"})
    then = p.when(0, Activate("life_jacket_1", cards=("fanatic_1",)))
    assert then.names[2:] == ["card_placed", "jettisoned"]
    assert (p.board(0), p.water(0)) == ("fanatic_1*", "seal_1 life_jacket_1")
    p = given(boards={0: "life_jacket_1+assistant_1"}, waters={0: "fanatic_1 seal_1"})
    p.when(0, Activate("life_jacket_1", cards=("seal_1", "fanatic_1")))
    assert (p.board(0), p.water(0)) == ("life_jacket_1* seal_1 fanatic_1*", "assistant_1")


@pytest.mark.rule("KED-101/technician")
def test_technician_takes_any_cards_under_the_deck():
    """The Technician itself may be named. Single cards and all cards are listed."""
    p = given(boards={0: "technician_1 jack_1 seal_1 band_1"}, decks={0: "baby_1"})
    assert [len(c.cards) for c in p.legal(0, Activate) if c.card == "technician_1"] == [
        1,
        1,
        1,
        1,
        4,
    ]
    p.when(0, Activate("technician_1", cards=("band_1", "technician_1", "jack_1")))
    assert p.deck(0) == "baby_1 band_1 technician_1 jack_1"
