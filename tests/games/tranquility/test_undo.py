"""Which commands may be taken back (section 13)."""

import pytest

from games.chance import Chance
from games.playout import seed_of
from games.tranquility import GAME
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
from tests.games.tranquility.board import cards, full, laid, storm, table

PILES = ["71 72 73 74 75", "61 62 63 64 65"]
HAND = "1 2 3 4 5"


def undo(state, command, seat=0):
    events = GAME.decide(state, seat, command, Chance(seed_of(1), 2))
    return GAME.undo(state, seat, command, events)


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

    assert undo(at(piles=PILES), command) == "all"
    assert undo(at(), command) == "free"
    assert undo(at(piles=PILES, confirm_draw=True), command) == "free"
    assert undo(at(piles=PILES, rocks=True, rocks_row=4), command) == "free"


def test_a_flip_is_an_action_too():
    command = FlipCard((3, 1), "island_5")
    assert undo(day(piles=PILES), command) == "all"
    assert undo(day(), command) == "free"


def test_what_was_explored_was_seen():
    state = table(HAND, "50 51", variant="pyramid", explore=["monster_1"])
    assert undo(state, PlayCard("island_1", (0, 0))) == "all"


@pytest.mark.parametrize(("others", "expected"), [(0, "all"), (1, "all"), (2, "consent")])
def test_a_start_is_asked_for_unless_cards_were_drawn(others, expected):
    hands = ["start_1 1 2 3 4", *["50 51 52 53 54"] * others]
    state = table(*hands, piles=["71 72 73 74 75 76 77 78", *["61 62 63"] * others])
    assert undo(state, PlayStart("start_1")) == expected


def test_a_pledge_is_free_until_all_bind():
    state = table(HAND, "50 51 52 53", phase="start_pledge")
    assert undo(state, Pledge(4)) == "free"
    state.pledges[1] = Offer(4, from_deck=False)
    assert undo(state, Pledge(4)) == "consent"


def test_a_payment_is_free_until_the_last():
    state = table(HAND, "50 51 52 53", phase="start_pay", start="start_1", piles=PILES)
    state.pledges = [Offer(4, from_deck=False)] * 2
    assert undo(state, PayStart(cards("1 2 3 4"))) == "free"
    state.paid[1] = True
    assert undo(state, PayStart(cards("1 2 3 4"))) == "all"
    state.piles = [[], []]
    assert undo(state, PayStart(cards("1 2 3 4"))) == "all"


def test_a_finish():
    state = table("finish_1 1 2", "50", grid=full(), start="start_1", monsters=3)
    assert undo(state, PlayFinish("finish_1")) is None
    state.hands[1] = ["monster_1"]
    assert undo(state, PlayFinish("finish_1")) == "all"


def test_the_rocks():
    for command in (MoveRocks(1), KeepRocks(cards("1 2"))):
        state = table("1 2 3 4", "50 51", rocks=True, rocks_row=4, phase="rocks", piles=PILES)
        assert undo(state, command) == "all"
        state = table(
            "1 2 3 4",
            "50 51",
            rocks=True,
            rocks_row=4,
            phase="rocks",
            piles=PILES,
            confirm_draw=True,
        )
        assert undo(state, command) == "free"
    state = table("1 2", "50 51", variant="pyramid", phase="explore_rocks", piles=PILES)
    assert undo(state, SetRocks(1)) == "all"
    state.piles = [[], []]
    assert undo(state, SetRocks(1)) == "consent"


def test_compasses_and_storms():
    state = table(HAND, "50 51 52", storms=True, phase="storm_window", piles=PILES)
    state.compasses = [["compass_1"], ["compass_2"]]
    state.pending_storm = PendingStorm("storm_purple_1", 0, "draw")
    assert undo(state, LetPass()) == "consent"
    state.draw_queue, state.after_draws = [(0, -1)], "next_turn"
    assert undo(state, UseCompass("compass_1", "storm_purple_1")) == "consent"
    state.hands[0].pop()
    assert undo(state, UseCompass("compass_1", "storm_purple_1")) == "all"
    state.phase = "storm_row"
    assert undo(state, PlaceStorm(1)) == "all"
    state.piles = [[], []]
    assert undo(state, PlaceStorm(1)) == "consent"
    state.phase, state.pending_storm = "storm_discard", PendingStorm("storm_yellow_1", 0, "draw")
    assert undo(state, ShedToLimit(cards("1"))) == "consent"
    state = table(HAND, "50 51 52", storms=True)
    state.compasses[1] = ["compass_1"]
    state.storms = [storm("storm_purple_1", row=1)]
    assert undo(state, UseCompass("compass_1", "storm_purple_1"), seat=1) == "consent"


def test_a_fed_monster():
    state = table(
        "1 2", "50 51", variant="pyramid", phase="explore_monster", grid=laid("pyramid", i3=9)
    )
    state.revealed = "monster_1"
    assert undo(state, FeedMonster((3, 0))) == "consent"
    state.piles = [list(cards(pile)) for pile in PILES]
    assert undo(state, FeedMonster((3, 0))) == "all"


def test_taking_and_ending_a_turn():
    state = table("1 2 3 4", "50 51", variant="competitive", phase="take", row=list(cards("7 8")))
    assert undo(state, TakeCards(cards("7"))) == "free"
    state.deck = list(cards("30 31"))
    assert undo(state, TakeCards(cards("7"))) == "all"
    state = table(HAND, "50 51", phase="confirm", confirm_draw=True)
    assert undo(state, EndTurn()) == "all"


def test_what_ends_the_voyage_is_never_taken_back():
    state = table("1 2", "50", grid=full(without=(20,)))
    assert undo(state, DiscardTwo(cards("1 2"))) is None


@pytest.mark.rule("TRA-48")
def test_a_storm_on_top_of_the_pile_is_a_new_card_too():
    state = table("1 2 3 4 5", "20 21", piles=["storm_purple_1", ""], storms=True)
    command = DiscardTwo(cards("1 2"))
    events = GAME.decide(state, 0, command, Chance(seed_of(1), 2))
    assert GAME.undo(state, 0, command, events) == "all"
