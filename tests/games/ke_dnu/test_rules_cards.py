"""KED-90 to KED-102: cards with own rulings, and the table of abilities, card by card (KED-101)."""

import pytest

from games.ke_dnu.commands import (
    Activate,
    Buy,
    ChooseCard,
    Draw,
    EndTurn,
    Jettison,
    Maid,
    Pass,
    PlaceStory,
    Play,
    Tycoon,
    UseFlapper,
)
from games.ke_dnu.events import (
    ActionAnnounced,
    BandHeld,
    CardReadied,
    CardsDrawn,
    ChoiceOpened,
    Chosen,
    Closed,
    DeckShuffled,
    Jettisoned,
    LimitReached,
    Moved,
    Picked,
    PointsGained,
    Resolved,
    ShipSank,
    StoryDrawn,
    StoryOpened,
    StorySkipped,
)
from tests.games.ke_dnu.table import cards, play

SINGER = {"include_singer": True}


@pytest.mark.rule("KED-90", "KED-101/captain")
def test_captain_shuffles_cards_into_the_deck_and_draws_as_many():
    """Even with an empty deck it never sinks its seat; locked cards may go."""
    p = play(boards={0: "captain_1"}, hands={0: "jack_1 seal_1 lady_1"}, decks={0: ""})
    two = ("seal_1", "jack_1")
    p(0, Activate("captain_1", cards=two))
    assert cards(p.of(Moved)) == list(two)
    assert {event.to_zone for event in p.of(Moved)} == {"deck_bottom"}
    assert sorted(p.of(DeckShuffled)[0].order) == ["jack_1", "seal_1"]
    assert len(p.of(CardsDrawn)[0].cards) == 2
    assert p.hand(0) == "jack_1 lady_1 seal_1"
    assert p.state.status[0] == "afloat"
    p = play(boards={0: "captain_1"})
    assert p(0, Activate("captain_1")).code == "nothing-to-do"
    p = play(boards={0: "captain_1"}, hands={0: "jack_1 seal_1"}, locked=["jack_1"])
    assert p(0, Activate("captain_1")).code == "wrong-count"
    assert len(p.legal(0, Activate)) == 3


@pytest.mark.rule("KED-91", "KED-101/doctor", "KED-101/stimulants")
def test_doctor_and_stimulants_ready_other_exhausted_cards_once_a_turn():
    board = "doctor_1 doctor_2 fanatic_1* seal_1 stimulants_1"
    p = play(boards={0: board})
    assert p(0, Activate("doctor_1", cards=("doctor_1",))).code == "self-target"
    assert p(0, Activate("doctor_1", cards=("seal_1",))).code == "not-exhausted"
    p(0, Activate("doctor_1", cards=("fanatic_1",)))
    assert p.of(CardReadied) == [CardReadied(0, "fanatic_1")]
    p(0, Activate("doctor_2", cards=("doctor_1",)))
    assert p(0, Activate("doctor_1", cards=("fanatic_1",))).code == "not-exhausted"
    p.state.board[0][2] = type(p.state.board[0][2])("fanatic_1", exhausted=True)
    assert p(0, Activate("doctor_1", cards=("fanatic_1",))).code == "already-readied"
    p(0, Activate("stimulants_1", cards=("doctor_2",)))
    assert p.names[-2:] == ["card_readied", "jettisoned"]
    assert p.board(0) == "doctor_1 doctor_2 fanatic_1* seal_1"
    p = play(boards={0: "doctor_1 fanatic_1*", 1: "fanatic_2*"}, options={"readied_limit": False})
    p.state.readied.append("fanatic_1")
    assert p(0, Activate("doctor_1", cards=("fanatic_2",))).code == "card-not-on-board"
    assert p(0, Activate("doctor_1", cards=("fanatic_1",))).code == ""
    p = play(boards={0: "doctor_1+assistant_1 fanatic_1* fanatic_2*"})
    assert len(p.legal(0, Activate)) == 3
    p(0, Activate("doctor_1", cards=("fanatic_2", "fanatic_1")))
    assert p.board(0) == "doctor_1+assistant_1* fanatic_1 fanatic_2"
    p = play(boards={0: "doctor_1 fanatic_1"})
    assert p(0, Activate("doctor_1", cards=("fanatic_1",))).code == "nothing-to-do"


@pytest.mark.rule("KED-92", "KED-101/dealer")
def test_dealer_lets_all_draw_before_any_sinks():
    p = play(
        3,
        active=1,
        boards={1: "dealer_1"},
        decks={0: "", 1: "", 2: "baby_5"},
        hands={0: "jack_1"},
    )
    p(1, Activate("dealer_1"))
    assert p.names[2:] == ["cards_drawn", "ship_sank", "ship_sank", "turn_ended", "turn_started"]
    assert [event.seat for event in p.of(ShipSank)] == [1, 0]
    p = play(boards={0: "dealer_1+assistant_1"}, decks={0: "baby_1 baby_2", 1: "baby_3"})
    p(0, Activate("dealer_1"))
    assert p.hand(0) == "baby_1 baby_2"
    assert [event.seat for event in p.of(ShipSank)] == [1]


@pytest.mark.rule("KED-93", "KED-101/storyteller")
def test_storyteller_goes_round_seat_by_seat():
    """Each draws, then chooses; who cannot draw sinks, in the Voyage is skipped."""
    p = play(
        3,
        boards={0: "storyteller_1"},
        decks={0: "jack_1 baby_1", 1: "", 2: "rats_1 baby_5"},
    )
    p(0, Activate("storyteller_1"))
    assert p.events[-2:] == [StoryOpened(0, (0, 1, 2)), StoryDrawn(0, "jack_1")]
    assert p.waiting == {0}
    p(0, PlaceStory("board"))
    assert p.names == ["story_placed", "ship_sank", "story_skipped", "story_drawn"]
    assert p.board(0) == "storyteller_1* jack_1*"
    assert p(2, PlaceStory("board")).code == "cannot-board"
    p(2, PlaceStory("deck"))
    assert p.deck(2) == "baby_5 rats_1"
    assert p.events[-1] == Closed("story")
    p = play(
        phase="voyage", boards={0: "storyteller_1"}, decks={0: "", 1: ""}, waters={1: "jack_1"}
    )
    p(0, Activate("storyteller_1"))
    assert p.names[3:] == ["story_skipped", "water_shuffled", "story_drawn"]
    assert p.of(StorySkipped) == [StorySkipped(0)]
    p = play(boards={0: "storyteller_1+assistant_1"}, decks={0: "baby_1 baby_2"})
    p(0, Activate("storyteller_1"))
    assert p.of(StoryOpened) == [StoryOpened(0, (0, 1, 0, 1))]
    for _ in range(2):
        p(0, PlaceStory("board"))
        p(1, PlaceStory("deck"))
    assert p.board(0) == "storyteller_1+assistant_1* baby_1 baby_2"
    assert len(p.state.deck[1]) == 5


@pytest.mark.rule("KED-93", "KED-101/storyteller")
def test_who_sank_in_the_first_row_of_a_doubled_storyteller_is_passed_over():
    p = play(
        3,
        boards={0: "storyteller_1+assistant_1"},
        decks={0: "baby_1 baby_2", 1: "", 2: "baby_5 baby_6"},
    )
    p(0, Activate("storyteller_1"))
    assert p(0, PlaceStory("board")).names[1:3] == ["ship_sank", "story_skipped"]
    p(2, PlaceStory("board"))
    p(0, PlaceStory("board"))
    assert p.events[1:] == [StorySkipped(1), StoryDrawn(2, "baby_6")]


@pytest.mark.rule("KED-94", "KED-101/janitor")
def test_janitor_lets_every_seat_move_a_card_of_its_own_choice():
    """In any order, at once; an empty board is skipped."""
    p = play(4, boards={0: "janitor_1 jack_1", 2: "seal_1", 3: "lady_1 stoker_1"})
    p(0, Activate("janitor_1"))
    assert p.of(ChoiceOpened) == [ChoiceOpened("janitor", (1, 0, 1, 1))]
    assert p.waiting == {0, 2, 3}
    assert p(3, ChooseCard("seal_1")).code == "card-not-on-board"
    assert p(3, ChooseCard("stoker_1")).events == [
        Chosen(3, "stoker_1"),
        Moved(3, "stoker_1", "board", 3, "deck_bottom", "janitor", locked=False),
    ]
    p(0, ChooseCard("janitor_1"))
    assert p(2, ChooseCard("seal_1")).events[-1] == Closed("choice")
    assert p.deck(3).endswith("stoker_1")
    p = play(boards={0: "janitor_1+assistant_1", 1: "seal_1"})
    p(0, Activate("janitor_1"))
    assert p.of(ChoiceOpened)[0].need == (2, 1)
    p(0, ChooseCard("janitor_1"))
    assert p.waiting == {0, 1}
    p(0, ChooseCard("assistant_1"))
    assert p.waiting == {1}


@pytest.mark.rule("KED-94", "KED-101/proletarian")
def test_proletarian_hits_every_fullest_hand():
    """The own one too; nothing where the most is none; what cannot be discarded stays."""
    p = play(
        3,
        boards={0: "proletarian_1"},
        hands={0: "jack_1 seal_1", 1: "rats_1 rats_2", 2: "lady_1"},
    )
    p(0, EndTurn())
    assert p.of(ActionAnnounced)[0].source == "passive"
    assert p.waiting == {0, 1}
    assert p(0, ChooseCard("lady_1")).code == "card-not-in-hand"
    p(0, ChooseCard("jack_1"))
    assert p.events == [
        Chosen(0, "jack_1"),
        Jettisoned(0, "jack_1", "hand", "proletarian", 0),
    ]
    assert p(1, ChooseCard("rats_2")).names[-2:] == ["turn_ended", "turn_started"]
    p = play(boards={0: "proletarian_1"})
    assert p(0, EndTurn()).names[1:3] == ["action_announced", "resolved"]
    assert p.names[3] == "turn_ended"

    p = play(boards={0: "proletarian_1"}, hands={1: "band_1 jack_1"})
    p(0, EndTurn())
    assert p(1, ChooseCard("band_1")).code == "band-held"
    p = play(boards={0: "proletarian_1"}, hands={1: "band_1"})
    p(0, EndTurn())
    p(1, ChooseCard("band_1"))
    assert p.events[:2] == [Chosen(1, "band_1"), BandHeld(1, "band_1", "hand")]
    p = play(boards={0: "proletarian_1"}, hands={0: "jack_1 seal_1"}, locked=["jack_1"])
    p(0, EndTurn())
    assert p(0, ChooseCard("jack_1")).code == "card-locked"
    p = play(boards={0: "proletarian_1"}, hands={0: "jack_1"}, locked=["jack_1"])
    p(0, EndTurn())
    assert p(0, ChooseCard("jack_1")).names[:2] == ["chosen", "closed"]
    assert p.hand(0) == "jack_1"


@pytest.mark.rule("KED-95", "KED-101/torpedo")
def test_torpedo_pays_with_a_hand_card():
    """The deck first, then the hand card, for no points."""
    p = play(boards={0: "torpedo_1"}, hands={0: "jack_1 seal_1"})
    p(0, Activate("torpedo_1", 1, ("seal_1",)))
    assert p.events[2:] == [
        Jettisoned(1, "passenger_9", "deck", "torpedo", 0),
        Jettisoned(1, "passenger_10", "deck", "torpedo", 0),
        Jettisoned(1, "passenger_11", "deck", "torpedo", 0),
        Jettisoned(0, "seal_1", "hand", "torpedo", 0),
    ]
    p = play(boards={0: "torpedo_1"})
    assert p(0, Activate("torpedo_1", 1)).code == "hand-empty"
    p = play(boards={0: "torpedo_1"}, hands={0: "band_1"})
    assert p(0, Activate("torpedo_1", 1, ("band_1",))).code == "nothing-to-do"
    p = play(boards={0: "torpedo_1"}, hands={0: "jack_1"}, decks={1: ""}, phase="voyage")
    p.state.water[1].append("seal_1")
    assert p(0, Activate("torpedo_1", 1, ("jack_1",))).code == "nothing-to-do"
    p = play(boards={0: "torpedo_1+assistant_1"}, hands={0: "jack_1 seal_1"})
    p(0, Activate("torpedo_1", 1, ("seal_1", "jack_1")))
    assert len(p.state.water[1]) == 5, "six, as far as they go"
    assert p.water(0) == "seal_1 jack_1"


@pytest.mark.rule("KED-96", "KED-101/tycoon")
def test_tycoon_draws_from_opponents_decks():
    """Before or after the own draw, each time from whom one likes; skipped where there is nothing."""
    given = {"step": "draw", "drawn": False, "draw_begun": False, "boards": {0: "tycoon_1"}}
    p = play(3, tycoon_left=2, decks={2: "baby_5"}, **given)
    assert p(0, Tycoon(1)).names == ["action_announced", "resolved", "moved"]
    assert p.state.draw_begun
    assert not p.state.drawn
    p(0, Draw())
    assert p.state.step == "draw", "mandatory while one has cards"
    assert p(0, EndTurn()).code == "wrong-step"
    p(0, Tycoon(2))
    assert p.state.step == "main"
    assert len(p.state.hand[0]) == 5
    p = play(3, tycoon_left=1, decks={1: "", 2: ""}, **given)
    assert p(0, Tycoon(1)).code == "target-empty"
    assert p(0, Draw()).names[-1] == "draw_ended"
    p = play(tycoon_left=1, decks={1: ""}, waters={1: "jack_1"}, phase="voyage", **given)
    assert p(0, Tycoon(1)).names[2:] == ["water_shuffled", "moved"]
    p = play(tycoon_left=1, decks={0: ""}, **given)
    p(0, Tycoon(1))
    assert p(0, Draw()).of(ShipSank), "who will sink may still take a card before"


@pytest.mark.rule("KED-97", "KED-101/maid")
def test_maid_moves_a_hand_card_under_the_deck_before_the_draw():
    given = {"step": "draw", "drawn": False, "draw_begun": False}
    p = play(
        boards={0: "maid_1 maid_2 tycoon_1"},
        hands={0: "jack_1 seal_1 lady_1"},
        maid_left=2,
        tycoon_left=1,
        **given,
    )
    p(0, Maid("jack_1"))
    assert p.events == [Moved(0, "jack_1", "hand", 0, "deck_bottom", "maid", locked=False)]
    assert p.deck(0).endswith("jack_1")
    p(0, Tycoon(1))
    assert p(0, Maid("seal_1")).code == "draw-begun"
    p = play(boards={0: "maid_1"}, hands={0: "jack_1"}, maid_left=1, **given)
    assert p(0, Draw()).code == "", "optional"


@pytest.mark.rule("KED-98", "KED-101/profiteer", "KED-101/convict")
def test_gained_points_serve_laying_and_buying():
    p = play(
        phase="voyage",
        boards={0: "profiteer_1 convict_1"},
        hands={0: "maid_1"},
        shop="stoker_1 lifebuoy_1",
    )
    p(0, Activate("profiteer_1", cards=("profiteer_1",)))
    assert p.of(Jettisoned) == [Jettisoned(0, "profiteer_1", "board", "profiteer", 6)]
    p(0, Activate("convict_1"))
    assert p.of(PointsGained) == [PointsGained(0, 6, "convict")]
    assert p.state.points == 12
    p(0, Buy("stoker_1"))
    p(0, Play("maid_1"))
    assert p.state.points == 3


@pytest.mark.rule("KED-99", "KED-101/arbiter")
def test_arbiter_discards_all_the_dearest_cards():
    """Over all boards afloat; Iceberg and Lifeboat count ten; itself too if tied."""
    p = play(
        3,
        boards={0: "arbiter_1 tycoon_1", 1: "priest_1 jack_1", 2: "pirate_1"},
        status=["afloat", "afloat", "sunk"],
    )
    p(0, EndTurn())
    assert [(e.seat, e.card) for e in p.of(Jettisoned)] == [(0, "tycoon_1"), (1, "priest_1")]
    p = play(boards={0: "arbiter_1 lifeboat_1", 1: "iceberg_1 tycoon_1"})
    p(0, EndTurn())
    assert cards(p.of(Jettisoned)) == ["lifeboat_1", "iceberg_1"]
    p = play(boards={0: "arbiter_1"})
    assert cards(p(0, EndTurn()).of(Jettisoned)) == ["arbiter_1"]


@pytest.mark.rule("KED-100")
def test_end_effects_run_in_board_order_then_the_limit():
    p = play(
        phase="voyage",
        boards={0: "proletarian_1 arbiter_1 proletarian_2"},
        hands={0: "jack_1 seal_1 seal_2 rats_1 rats_2 rats_3 rats_4 maid_1"},
    )
    p(0, EndTurn())
    assert p.of(ActionAnnounced)[0].card == "proletarian_1"
    p(0, ChooseCard("jack_1"))
    assert [event.card for event in p.of(ActionAnnounced)] == ["arbiter_1", "proletarian_2"]
    p(0, ChooseCard("seal_1"))
    assert p.events[-1] == LimitReached(0)
    p = play(
        boards={0: "proletarian_1 arbiter_1 priest_1", 1: "jack_1"},
        hands={1: "flapper_2 seal_1"},
    )
    p(0, EndTurn())
    p(1, ChooseCard("flapper_2"))
    p(1, UseFlapper("priest_1", victims=("arbiter_1",)))
    assert "arbiter_1" in p.hand(1)
    assert p.events[-1].seat == 1, "announced only if still on the board"


@pytest.mark.rule("KED-102", "KED-101/arbiter")
def test_by_option_the_arbiter_returns_the_dearest_cards():
    """Nothing counts as discarded: no Teacher, no Band, no Rose."""
    p = play(
        boards={0: "arbiter_1 jack_1", 1: "pirate_1 teacher_1"},
        hands={1: "lady_1"},
        options={"arbiter_mode": "hand"},
    )
    p(0, EndTurn())
    assert p.of(Moved) == [Moved(1, "pirate_1", "board", 1, "hand", "arbiter", locked=False)]
    assert p.hand(1) == "lady_1 pirate_1"
    p = play(boards={0: "arbiter_1", 1: "pirate_1+assistant_1"}, options={"arbiter_mode": "hand"})
    p(0, EndTurn())
    assert (p.hand(1), p.board(1)) == ("assistant_1", "pirate_1")


@pytest.mark.rule("KED-101/beggar")
def test_beggar_returns_a_card_of_every_opponent():
    p = play(3, boards={0: "beggar_1", 1: "jack_1 seal_1", 2: "lady_1*"}, hands={1: "rats_1"})
    p(0, Activate("beggar_1", victims=("lady_1", "seal_1")))
    assert p.of(Moved) == [
        Moved(1, "seal_1", "board", 1, "hand", "beggar", locked=False),
        Moved(2, "lady_1", "board", 2, "hand", "beggar", locked=False),
    ]
    p = play(3, boards={0: "beggar_1+assistant_1", 1: "jack_1 seal_1 stoker_1", 2: "lady_1"})
    assert p(0, Activate("beggar_1", victims=("jack_1", "lady_1"))).code == "bad-victims"
    p(0, Activate("beggar_1", victims=("jack_1", "stoker_1", "lady_1")))
    assert (p.hand(1), p.hand(2)) == ("jack_1 stoker_1", "lady_1")
    p = play(boards={0: "beggar_1"})
    assert p(0, Activate("beggar_1")).code == "nothing-to-do"


@pytest.mark.rule("KED-101/burglar", "KED-101/pirate")
def test_burglar_and_pirate_draw_from_the_tops_of_others_decks():
    p = play(3, boards={0: "burglar_1 pirate_1+assistant_1"}, decks={1: "baby_3 baby_4 jack_1"})
    p(0, Activate("burglar_1", 1))
    assert p.hand(0) == "baby_3"
    p(0, Activate("pirate_1"))
    assert p.hand(0) == "baby_3 baby_4 jack_1 passenger_17 passenger_18"
    p = play(boards={0: "burglar_1+assistant_1"}, decks={1: "baby_3 baby_4 jack_1"})
    p(0, Activate("burglar_1", 1))
    assert p.hand(0) == "baby_3 baby_4"
    p = play(boards={0: "burglar_1 pirate_1"}, decks={1: ""})
    assert p(0, Activate("burglar_1", 1)).code == "nothing-to-do"
    assert p(0, Activate("pirate_1")).code == "nothing-to-do"


@pytest.mark.rule("KED-101/chef")
def test_chef_moves_two_hand_cards_under_the_deck():
    """In listed order; the only card of a hand of one; doubled two to four."""
    p = play(boards={0: "chef_1"}, hands={0: "jack_1 seal_1 lady_1"}, decks={0: "baby_1"})
    assert p(0, Activate("chef_1", cards=("jack_1",))).code == "wrong-count"
    p(0, Activate("chef_1", cards=("seal_1", "jack_1")))
    assert p.deck(0) == "baby_1 seal_1 jack_1"
    p = play(boards={0: "chef_1"}, hands={0: "jack_1"}, decks={0: "baby_1"})
    p(0, Activate("chef_1", cards=("jack_1",)))
    assert p.deck(0) == "baby_1 jack_1"
    p = play(boards={0: "chef_1+assistant_1"}, hands={0: "jack_1 seal_1 lady_1 rats_1 maid_1"})
    assert p.legal(0, Activate)[-1].cards == ("jack_1", "maid_1", "rats_1", "seal_1")
    assert len(p.legal(0, Activate)) == 11
    assert p(0, Activate("chef_1", cards=("jack_1", "lady_1", "rats_1"))).code == ""
    assert play(boards={0: "chef_1"})(0, Activate("chef_1")).code == "nothing-to-do"


@pytest.mark.rule("KED-101/diver")
def test_diver_puts_water_cards_on_top_of_the_deck():
    p = play(
        boards={0: "diver_1+assistant_1"}, waters={0: "jack_1 seal_1 lady_1"}, decks={0: "baby_1"}
    )
    p(0, Activate("diver_1", cards=("lady_1", "jack_1")))
    assert (p.deck(0), p.water(0)) == ("jack_1 lady_1 baby_1", "seal_1")
    p = play(boards={0: "diver_1"}, waters={0: "jack_1 seal_1"})
    assert p(0, Activate("diver_1", cards=("jack_1", "seal_1"))).code == "wrong-count"
    assert p(0, Activate("diver_1", cards=("lady_1",))).code == "card-not-in-water"


@pytest.mark.rule("KED-101/drunkard", "KED-101/convict")
def test_drunkard_and_convict_discard_themselves():
    p = play(boards={0: "drunkard_1 convict_1"})
    assert p(0, Activate("drunkard_1")).events[2:] == [
        Jettisoned(0, "drunkard_1", "board", "drunkard", 0)
    ]
    assert p(0, Activate("convict_1")).events[2:] == [
        PointsGained(0, 6, "convict"),
        Jettisoned(0, "convict_1", "board", "convict", 0),
    ]


@pytest.mark.rule("KED-101/fanatic", "KED-101/mime", "KED-101/priest")
def test_doubled_attacks_name_one_or_two_cards():
    """Fanatic and Priest of any opponents, Mime of one."""
    boards = {1: "jack_1 seal_1", 2: "stoker_1"}
    for card in ("fanatic_1", "priest_1", "mime_1"):
        p = play(3, boards={0: f"{card}+assistant_1"} | boards)
        across = p(0, Activate(card, victims=("jack_1", "stoker_1"))).code
        assert across == ("bad-victims" if card == "mime_1" else "")
        p = play(3, boards={0: f"{card}+assistant_1"} | boards)
        assert len(p.legal(0, Activate)) == (4 if card == "mime_1" else 6)
        p(0, Activate(card, victims=("seal_1", "jack_1")))
        assert p.board(1) == ""
        p = play(3, boards={0: card} | boards)
        assert p(0, Activate(card, victims=("jack_1", "seal_1"))).code == "bad-victims"


@pytest.mark.rule("KED-101/mime")
def test_mime_goes_to_the_hand_of_the_seat_it_hit():
    p = play(boards={0: "mime_1", 1: "jack_1"})
    p(0, Activate("mime_1", victims=("jack_1",)))
    assert p.events[2:] == [
        Jettisoned(1, "jack_1", "board", "mime", 0),
        Moved(0, "mime_1", "board", 1, "hand", "mime", locked=False),
    ]


@pytest.mark.rule("KED-101/jack")
def test_jack_goes_under_its_deck():
    p = play(boards={0: "jack_1"}, decks={0: "baby_1"})
    p(0, Activate("jack_1"))
    assert (p.board(0), p.deck(0)) == ("", "baby_1 jack_1")


@pytest.mark.rule("KED-101/lady", "KED-101/saboteur")
def test_lady_and_saboteur_hit_random_hand_cards():
    p = play(
        3,
        boards={0: "lady_1+assistant_1 saboteur_1+assistant_2"},
        hands={1: "jack_1", 2: "seal_1 rats_1 rats_2"},
    )
    p(0, Activate("lady_1", 2))
    assert len(p.hand(0).split()) == 2
    assert p.of(Picked)[0].cards == tuple(cards(p.of(Moved)))
    p(0, Activate("saboteur_1"))
    assert [(e.seat, len(e.cards)) for e in p.of(Picked)] == [(1, 1), (2, 1)]
    assert p.hand(1) == p.hand(2) == ""
    assert p(0, Activate("lady_1", 1)).code == "card-exhausted"
    p = play(boards={0: "lady_1 saboteur_1"})
    assert p(0, Activate("lady_1", 1)).code == "nothing-to-do"
    assert p(0, Activate("saboteur_1")).code == "nothing-to-do"


@pytest.mark.rule("KED-101/life_jacket")
def test_life_jacket_saves_a_card_of_the_water():
    p = play(boards={0: "life_jacket_1"}, waters={0: "fanatic_1 seal_1"}, hands={0: "jack_1"})
    p(0, Activate("life_jacket_1", cards=("fanatic_1",)))
    assert p.names[2:] == ["card_placed", "jettisoned"]
    assert (p.board(0), p.water(0)) == ("fanatic_1*", "seal_1 life_jacket_1")
    p = play(boards={0: "life_jacket_1+assistant_1"}, waters={0: "fanatic_1 seal_1"})
    p(0, Activate("life_jacket_1", cards=("seal_1", "fanatic_1")))
    assert (p.board(0), p.water(0)) == ("life_jacket_1* seal_1 fanatic_1*", "assistant_1")


@pytest.mark.rule("KED-101/polka_dancer", "KED-101/singer")
def test_polka_dancer_draws_and_singer_earns():
    p = play(
        boards={0: "polka_dancer_1 singer_1+assistant_1 singer_2"},
        decks={0: "baby_1 baby_2"},
        options=SINGER,
    )
    p(0, Activate("polka_dancer_1"))
    assert p.of(CardsDrawn) == [CardsDrawn(0, ("baby_1",), "polka_dancer")]
    p(0, Activate("singer_1"))
    p(0, Activate("singer_2"))
    assert p.state.points == 9


@pytest.mark.rule("KED-101/profiteer")
def test_profiteer_sells_cards_of_the_own_board():
    """A Flapper yields nothing; doubled one or two."""
    p = play(boards={0: "profiteer_1+assistant_1 flapper_1 pirate_1"})
    p(0, Activate("profiteer_1", cards=("flapper_1", "pirate_1")))
    assert [event.points for event in p.of(Jettisoned)] == [0, 12]


@pytest.mark.rule("KED-101/technician")
def test_technician_takes_any_cards_under_the_deck():
    """Itself too, in listed order; one or all are listed."""
    p = play(boards={0: "technician_1 jack_1 seal_1 band_1"}, decks={0: "baby_1"})
    assert [len(c.cards) for c in p.legal(0, Activate) if c.card == "technician_1"] == [
        1,
        1,
        1,
        1,
        4,
    ]
    p(0, Activate("technician_1", cards=("band_1", "technician_1", "jack_1")))
    assert p.deck(0) == "baby_1 band_1 technician_1 jack_1"


def test_a_passive_frame_is_announced_and_resolved():
    p = play(boards={0: "arbiter_1"}, hands={0: "rats_1"})
    p(0, EndTurn())
    assert p.of(Resolved) == [Resolved(0, "arbiter_1")]


def test_a_flapper_may_be_thrown_for_an_own_turn_effect():
    p = play(boards={1: "dealer_1"}, hands={0: "flapper_1"})
    p(0, Jettison("flapper_1"))
    assert p(0, Pass()).names == ["flapper_spent", "closed"]


@pytest.mark.rule("KED-101/beggar", "KED-101/saboteur")
def test_large_families_are_listed_by_representatives():
    """Each opponent's first combination, and what differs from that in one opponent's; all are taken."""
    boards = {0: "beggar_1", 1: "jack_1 seal_1", 2: "lady_1 stoker_1", 3: "band_1 maid_1"}
    p = play(4, boards=boards)
    assert [c.victims for c in p.legal(0, Activate)] == [
        ("jack_1", "lady_1", "band_1"),
        ("seal_1", "lady_1", "band_1"),
        ("jack_1", "stoker_1", "band_1"),
        ("jack_1", "lady_1", "maid_1"),
    ]
    assert p(0, Activate("beggar_1", victims=("maid_1", "seal_1", "stoker_1"))).code == ""
    hands = {1: "jack_1 seal_1", 2: "lady_1 stoker_1"}
    p = play(3, boards={0: "saboteur_1 boogeyman_1"}, hands=hands)
    assert [c.victims for c in p.legal(0, Activate)] == [
        ("jack_1", "lady_1"),
        ("seal_1", "lady_1"),
        ("jack_1", "stoker_1"),
    ]


@pytest.mark.rule("KED-101/diver")
def test_the_number_of_cards_is_checked_before_the_cards():
    """A doubled Diver may name two, whatever the water holds."""
    p = play(boards={0: "diver_1+assistant_1"}, waters={0: "jack_1"})
    assert p(0, Activate("diver_1", cards=("jack_1", "seal_1"))).code == "card-not-in-water"
