"""The undo class of every command."""

import pytest

from games.tranquility.commands import (
    DiscardHand,
    DiscardTwo,
    EndTurn,
    FeedMonster,
    FlipCard,
    KeepRocks,
    LetPass,
    MoveRocks,
    PayStart,
    PlaceStorm,
    PlayCard,
    PlayFinish,
    PlayMonster,
    PlayStart,
    Pledge,
    SetRocks,
    ShedToLimit,
    TakeCards,
    UseCompass,
)
from games.tranquility.model import Offer, PendingStorm
from tests.games.tranquility.table import cards, full, laid, storm, table

PILES = ["71 72 73 74 75", "61 62 63 64 65"]
HAND = "1 2 3 4 5"


def day(**more):
    return table(HAND, "50 51 52", variant="day_night", grid=laid("day_night", i9=30), **more)


ACTIONS = [
    (PlayCard("island_1", (0, 0)), {}),
    (DiscardTwo(cards("1 2")), {}),
    (DiscardHand(), {"storms": True}),
    (PlayMonster("monster_1", (3, 1)), {"monsters": 3}),
]


@pytest.mark.parametrize(("command", "options"), ACTIONS, ids=lambda item: type(item).__name__)
def test_an_action_is_free_until_new_cards_come(command, options):
    hand = "1 2 3 monster_1" if options.get("monsters") else HAND

    def at(**more):
        return table(hand, "50 51 52", grid=laid(i9=30), **options, **more)

    assert at(piles=PILES).trial(0, command).undo == "all"
    assert at().trial(0, command).undo == "free"
    assert at(piles=PILES, confirm_draw=True).trial(0, command).undo == "free"
    assert at(piles=PILES, rocks=True, rocks_row=4).trial(0, command).undo == "free"


def test_a_flip_is_an_action_too():
    command = FlipCard((3, 1), "island_5")
    assert day(piles=PILES).trial(0, command).undo == "all"
    assert day().trial(0, command).undo == "free"


def test_what_was_explored_was_seen():
    given = table(HAND, "50 51", variant="pyramid", explore=["monster_1"])
    assert given.trial(0, PlayCard("island_1", (0, 0))).undo == "all"


@pytest.mark.parametrize(("others", "expected"), [(0, "all"), (1, "all"), (2, "consent")])
def test_a_start_is_asked_for_unless_cards_were_drawn(others, expected):
    hands = ["start_1 1 2 3 4", *["50 51 52 53 54"] * others]
    given = table(*hands, piles=["71 72 73 74 75 76 77 78", *["61 62 63"] * others])
    assert given.trial(0, PlayStart("start_1")).undo == expected


def test_a_pledge_is_free_until_all_bind():
    given = table(HAND, "50 51 52 53", phase="start_pledge")
    assert given.trial(0, Pledge(4)).undo == "free"
    given.state.pledges[1] = Offer(4, from_deck=False)
    assert given.trial(0, Pledge(4)).undo == "consent"


def test_a_payment_is_free_until_the_last():
    given = table(HAND, "50 51 52 53", phase="start_pay", start="start_1", piles=PILES)
    given.state.pledges = [Offer(4, from_deck=False)] * 2
    assert given.trial(0, PayStart(cards("1 2 3 4"))).undo == "free"
    given.state.paid[1] = True
    assert given.trial(0, PayStart(cards("1 2 3 4"))).undo == "all"
    given.state.piles = [[], []]
    assert given.trial(0, PayStart(cards("1 2 3 4"))).undo == "all"


def test_a_finish():
    given = table("finish_1 1 2", "50", grid=full(), start="start_1", monsters=3)
    assert given.trial(0, PlayFinish("finish_1")).undo is None
    given.state.hands[1] = ["monster_1"]
    assert given.trial(0, PlayFinish("finish_1")).undo == "all"


def test_the_rocks():
    for command in (MoveRocks(1), KeepRocks(cards("1 2"))):
        given = table("1 2 3 4", "50 51", rocks=True, rocks_row=4, phase="rocks", piles=PILES)
        assert given.trial(0, command).undo == "all"
        given = table(
            "1 2 3 4",
            "50 51",
            rocks=True,
            rocks_row=4,
            phase="rocks",
            piles=PILES,
            confirm_draw=True,
        )
        assert given.trial(0, command).undo == "free"
    given = table("1 2", "50 51", variant="pyramid", phase="explore_rocks", piles=PILES)
    assert given.trial(0, SetRocks(1)).undo == "all"
    given.state.piles = [[], []]
    assert given.trial(0, SetRocks(1)).undo == "consent"


def test_compasses_and_storms():
    given = table(HAND, "50 51 52", storms=True, phase="storm_window", piles=PILES)
    given.state.compasses = [["compass_1"], ["compass_2"]]
    given.state.pending_storm = PendingStorm("storm_purple_1", 0, "draw")
    assert given.trial(0, LetPass()).undo == "consent"
    given.state.draw_queue, given.state.after_draws = [(0, -1)], "next_turn"
    assert given.trial(0, UseCompass("compass_1", "storm_purple_1")).undo == "consent"
    given.state.hands[0].pop()
    assert given.trial(0, UseCompass("compass_1", "storm_purple_1")).undo == "all"
    given.state.phase = "storm_row"
    assert given.trial(0, PlaceStorm(1)).undo == "all"
    given.state.piles = [[], []]
    assert given.trial(0, PlaceStorm(1)).undo == "consent"
    given.state.phase, given.state.pending_storm = (
        "storm_discard",
        PendingStorm("storm_yellow_1", 0, "draw"),
    )
    assert given.trial(0, ShedToLimit(cards("1"))).undo == "consent"
    given = table(HAND, "50 51 52", storms=True)
    given.state.compasses[1] = ["compass_1"]
    given.state.storms = [storm("storm_purple_1", row=1)]
    assert given.trial(1, UseCompass("compass_1", "storm_purple_1")).undo == "consent"


def test_a_fed_monster():
    given = table(
        "1 2", "50 51", variant="pyramid", phase="explore_monster", grid=laid("pyramid", i3=9)
    )
    given.state.revealed = "monster_1"
    assert given.trial(0, FeedMonster((3, 0))).undo == "consent"
    given.state.piles = [list(cards(pile)) for pile in PILES]
    assert given.trial(0, FeedMonster((3, 0))).undo == "all"


def test_taking_and_ending_a_turn():
    given = table("1 2 3 4", "50 51", variant="competitive", phase="take", row=list(cards("7 8")))
    assert given.trial(0, TakeCards(cards("7"))).undo == "free"
    given.state.deck = list(cards("30 31"))
    assert given.trial(0, TakeCards(cards("7"))).undo == "all"
    given = table(HAND, "50 51", phase="confirm", confirm_draw=True)
    assert given.trial(0, EndTurn()).undo == "all"


def test_what_ends_the_voyage_is_never_taken_back():
    given = table("1 2", "50", grid=full(without=(20,)))
    assert given.trial(0, DiscardTwo(cards("1 2"))).undo is None


@pytest.mark.rule("TRA-48")
def test_a_storm_on_top_of_the_pile_is_a_new_card_too():
    given = table("1 2 3 4 5", "20 21", piles=["storm_purple_1", ""], storms=True)
    assert given.trial(0, DiscardTwo(cards("1 2"))).undo == "all"
