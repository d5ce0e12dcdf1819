"""KED-92 to KED-95, KED-101: actions that reach other seats."""

import pytest

from games.ke_dnu.commands import Activate, ChooseCard, PlaceStory
from games.ke_dnu.events import (
    ChoiceOpened,
    Chosen,
    Closed,
    Jettisoned,
    Moved,
    Picked,
    ShipSank,
    StoryDrawn,
    StoryOpened,
    StorySkipped,
)
from tests.games.ke_dnu.table import cards, given


@pytest.mark.rule("KED-92", "KED-101/dealer")
def test_dealer_lets_all_draw_before_any_sinks():
    p = given(
        3,
        active=1,
        boards={1: "dealer_1"},
        decks={0: "", 1: "", 2: "baby_5"},
        hands={0: "jack_1"},
    )
    then = p.when(1, Activate("dealer_1"))
    assert then.names[2:] == ["cards_drawn", "ship_sank", "ship_sank", "turn_ended", "turn_started"]
    assert [event.seat for event in then.of(ShipSank)] == [1, 0]
    p = given(boards={0: "dealer_1+assistant_1"}, decks={0: "baby_1 baby_2", 1: "baby_3"})
    then = p.when(0, Activate("dealer_1"))
    assert p.hand(0) == "baby_1 baby_2"
    assert [event.seat for event in then.of(ShipSank)] == [1]


@pytest.mark.rule("KED-93", "KED-101/storyteller")
def test_storyteller_goes_round_seat_by_seat():
    """Each seat draws, then chooses. A seat that cannot draw sinks; in the Voyage it is skipped."""
    p = given(
        3,
        boards={0: "storyteller_1"},
        decks={0: "jack_1 baby_1", 1: "", 2: "rats_1 baby_5"},
    )
    then = p.when(0, Activate("storyteller_1"))
    assert then.events[-2:] == [StoryOpened(0, (0, 1, 2)), StoryDrawn(0, "jack_1")]
    assert p.waiting == {0}
    then = p.when(0, PlaceStory("board"))
    assert then.names == ["story_placed", "ship_sank", "story_skipped", "story_drawn"]
    assert p.board(0) == "storyteller_1* jack_1*"
    p.when(2, PlaceStory("board")).refused("cannot-board")
    then = p.when(2, PlaceStory("deck"))
    assert p.deck(2) == "baby_5 rats_1"
    assert then.events[-1] == Closed("story")
    p = given(
        phase="voyage", boards={0: "storyteller_1"}, decks={0: "", 1: ""}, waters={1: "jack_1"}
    )
    then = p.when(0, Activate("storyteller_1"))
    assert then.names[3:] == ["story_skipped", "water_shuffled", "story_drawn"]
    assert then.of(StorySkipped) == [StorySkipped(0)]
    p = given(boards={0: "storyteller_1+assistant_1"}, decks={0: "baby_1 baby_2"})
    then = p.when(0, Activate("storyteller_1"))
    assert then.of(StoryOpened) == [StoryOpened(0, (0, 1, 0, 1))]
    for _ in range(2):
        p.when(0, PlaceStory("board"))
        p.when(1, PlaceStory("deck"))
    assert p.board(0) == "storyteller_1+assistant_1* baby_1 baby_2"
    assert len(p.state.deck[1]) == 5


@pytest.mark.rule("KED-93", "KED-101/storyteller")
def test_who_sank_in_the_first_row_of_a_doubled_storyteller_is_passed_over():
    p = given(
        3,
        boards={0: "storyteller_1+assistant_1"},
        decks={0: "baby_1 baby_2", 1: "", 2: "baby_5 baby_6"},
    )
    p.when(0, Activate("storyteller_1"))
    assert p.when(0, PlaceStory("board")).names[1:3] == ["ship_sank", "story_skipped"]
    p.when(2, PlaceStory("board"))
    then = p.when(0, PlaceStory("board"))
    assert then.events[1:] == [StorySkipped(1), StoryDrawn(2, "baby_6")]


@pytest.mark.rule("KED-94", "KED-101/janitor")
def test_janitor_lets_every_seat_move_a_card_of_its_own_choice():
    """Seats choose in any order with immediate effect. A seat with an empty board is skipped."""
    p = given(4, boards={0: "janitor_1 jack_1", 2: "seal_1", 3: "lady_1 stoker_1"})
    then = p.when(0, Activate("janitor_1"))
    assert then.of(ChoiceOpened) == [ChoiceOpened("janitor", (1, 0, 1, 1))]
    assert p.waiting == {0, 2, 3}
    p.when(3, ChooseCard("seal_1")).refused("card-not-on-board")
    p.when(3, ChooseCard("stoker_1")).then(
        Chosen(3, "stoker_1"),
        Moved(3, "stoker_1", "board", 3, "deck_bottom", "janitor", locked=False),
    )
    p.when(0, ChooseCard("janitor_1"))
    assert p.when(2, ChooseCard("seal_1")).events[-1] == Closed("choice")
    assert p.deck(3).endswith("stoker_1")
    p = given(boards={0: "janitor_1+assistant_1", 1: "seal_1"})
    then = p.when(0, Activate("janitor_1"))
    assert then.of(ChoiceOpened)[0].need == (2, 1)
    p.when(0, ChooseCard("janitor_1"))
    assert p.waiting == {0, 1}
    p.when(0, ChooseCard("assistant_1"))
    assert p.waiting == {1}


@pytest.mark.rule("KED-95", "KED-101/torpedo")
def test_torpedo_pays_with_a_hand_card():
    """The deck is hit first; then the hand card is discarded for no points."""
    p = given(boards={0: "torpedo_1"}, hands={0: "jack_1 seal_1"})
    then = p.when(0, Activate("torpedo_1", 1, ("seal_1",)))
    assert then.events[2:] == [
        Jettisoned(1, "passenger_9", "deck", "torpedo", 0),
        Jettisoned(1, "passenger_10", "deck", "torpedo", 0),
        Jettisoned(1, "passenger_11", "deck", "torpedo", 0),
        Jettisoned(0, "seal_1", "hand", "torpedo", 0),
    ]
    p = given(boards={0: "torpedo_1"})
    p.when(0, Activate("torpedo_1", 1)).refused("hand-empty")
    p = given(boards={0: "torpedo_1"}, hands={0: "band_1"})
    p.when(0, Activate("torpedo_1", 1, ("band_1",))).refused("nothing-to-do")
    p = given(boards={0: "torpedo_1"}, hands={0: "jack_1"}, decks={1: ""}, phase="voyage")
    p.state.water[1].append("seal_1")
    p.when(0, Activate("torpedo_1", 1, ("jack_1",))).refused("nothing-to-do")
    p = given(boards={0: "torpedo_1+assistant_1"}, hands={0: "jack_1 seal_1"})
    p.when(0, Activate("torpedo_1", 1, ("seal_1", "jack_1")))
    assert len(p.state.water[1]) == 5, "six, as far as they go"
    assert p.water(0) == "seal_1 jack_1"


@pytest.mark.rule("KED-101/beggar")
def test_beggar_returns_a_card_of_every_opponent():
    p = given(3, boards={0: "beggar_1", 1: "jack_1 seal_1", 2: "lady_1*"}, hands={1: "rats_1"})
    then = p.when(0, Activate("beggar_1", victims=("lady_1", "seal_1")))
    assert then.of(Moved) == [
        Moved(1, "seal_1", "board", 1, "hand", "beggar", locked=False),
        Moved(2, "lady_1", "board", 2, "hand", "beggar", locked=False),
    ]
    p = given(3, boards={0: "beggar_1+assistant_1", 1: "jack_1 seal_1 stoker_1", 2: "lady_1"})
    p.when(0, Activate("beggar_1", victims=("jack_1", "lady_1"))).refused("bad-victims")
    p.when(0, Activate("beggar_1", victims=("jack_1", "stoker_1", "lady_1")))
    assert (p.hand(1), p.hand(2)) == ("jack_1 stoker_1", "lady_1")
    p = given(boards={0: "beggar_1"})
    p.when(0, Activate("beggar_1")).refused("nothing-to-do")


@pytest.mark.rule("KED-101/burglar", "KED-101/pirate")
def test_burglar_and_pirate_draw_from_the_tops_of_others_decks():
    p = given(3, boards={0: "burglar_1 pirate_1+assistant_1"}, decks={1: "baby_3 baby_4 jack_1"})
    p.when(0, Activate("burglar_1", 1))
    assert p.hand(0) == "baby_3"
    p.when(0, Activate("pirate_1"))
    assert p.hand(0) == "baby_3 baby_4 jack_1 passenger_17 passenger_18"
    p = given(boards={0: "burglar_1+assistant_1"}, decks={1: "baby_3 baby_4 jack_1"})
    p.when(0, Activate("burglar_1", 1))
    assert p.hand(0) == "baby_3 baby_4"
    p = given(boards={0: "burglar_1 pirate_1"}, decks={1: ""})
    p.when(0, Activate("burglar_1", 1)).refused("nothing-to-do")
    p.when(0, Activate("pirate_1")).refused("nothing-to-do")


@pytest.mark.rule("KED-101/fanatic", "KED-101/mime", "KED-101/priest")
def test_doubled_attacks_name_one_or_two_cards():
    """Fanatic and Priest name cards of any opponents, Mime of one opponent."""
    boards = {1: "jack_1 seal_1", 2: "stoker_1"}
    for card in ("fanatic_1", "priest_1", "mime_1"):
        p = given(3, boards={0: f"{card}+assistant_1"} | boards)
        across = p.when(0, Activate(card, victims=("jack_1", "stoker_1"))).code
        assert across == ("bad-victims" if card == "mime_1" else "")
        p = given(3, boards={0: f"{card}+assistant_1"} | boards)
        assert len(p.legal(0, Activate)) == (4 if card == "mime_1" else 6)
        p.when(0, Activate(card, victims=("seal_1", "jack_1")))
        assert p.board(1) == ""
        p = given(3, boards={0: card} | boards)
        p.when(0, Activate(card, victims=("jack_1", "seal_1"))).refused("bad-victims")


@pytest.mark.rule("KED-101/mime")
def test_mime_goes_to_the_hand_of_the_seat_it_hit():
    p = given(boards={0: "mime_1", 1: "jack_1"})
    then = p.when(0, Activate("mime_1", victims=("jack_1",)))
    assert then.events[2:] == [
        Jettisoned(1, "jack_1", "board", "mime", 0),
        Moved(0, "mime_1", "board", 1, "hand", "mime", locked=False),
    ]


@pytest.mark.rule("KED-101/lady", "KED-101/saboteur")
def test_lady_and_saboteur_hit_random_hand_cards():
    p = given(
        3,
        boards={0: "lady_1+assistant_1 saboteur_1+assistant_2"},
        hands={1: "jack_1", 2: "seal_1 rats_1 rats_2"},
    )
    then = p.when(0, Activate("lady_1", 2))
    assert len(p.hand(0).split()) == 2
    assert then.of(Picked)[0].cards == tuple(cards(then.of(Moved)))
    then = p.when(0, Activate("saboteur_1"))
    assert [(e.seat, len(e.cards)) for e in then.of(Picked)] == [(1, 1), (2, 1)]
    assert p.hand(1) == p.hand(2) == ""
    p.when(0, Activate("lady_1", 1)).refused("card-exhausted")
    p = given(boards={0: "lady_1 saboteur_1"})
    p.when(0, Activate("lady_1", 1)).refused("nothing-to-do")
    p.when(0, Activate("saboteur_1")).refused("nothing-to-do")


@pytest.mark.rule("KED-101/beggar", "KED-101/saboteur")
def test_large_families_are_listed_by_representatives():
    """Listed are first combinations and those that differ in one seat. All are accepted."""
    boards = {0: "beggar_1", 1: "jack_1 seal_1", 2: "lady_1 stoker_1", 3: "band_1 maid_1"}
    p = given(4, boards=boards)
    assert [c.victims for c in p.legal(0, Activate)] == [
        ("jack_1", "lady_1", "band_1"),
        ("seal_1", "lady_1", "band_1"),
        ("jack_1", "stoker_1", "band_1"),
        ("jack_1", "lady_1", "maid_1"),
    ]
    assert not p.when(0, Activate("beggar_1", victims=("maid_1", "seal_1", "stoker_1"))).code
    hands = {1: "jack_1 seal_1", 2: "lady_1 stoker_1"}
    p = given(3, boards={0: "saboteur_1 boogeyman_1"}, hands=hands)
    assert [c.victims for c in p.legal(0, Activate)] == [
        ("jack_1", "lady_1"),
        ("seal_1", "lady_1"),
        ("jack_1", "stoker_1"),
    ]
