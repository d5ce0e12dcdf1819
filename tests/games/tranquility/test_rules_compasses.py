"""Compasses, and storms of the opening (TRA-54 to TRA-60)."""

import pytest

from games.tranquility import GAME
from games.tranquility.commands import (
    DiscardHand,
    DiscardTwo,
    LetPass,
    PlayCard,
    PlayMonster,
    PlayStart,
    UseCompass,
)
from games.tranquility.events import (
    CardsDiscarded,
    CompassGained,
    DrawsQueued,
    StormCancelled,
    StormDrawn,
)
from games.tranquility.model import PendingStorm
from tests.games.tranquility.board import (
    cards,
    dealt,
    drawn,
    drawn_by,
    kinds,
    only,
    phase,
    play,
    refusal,
    storm,
    table,
)


def stormy(*hands, **more):
    return table(*hands, storms=True, **more)


def drawing(card, hand="1 2 3 4 5", after="71 72 73 74", **more):
    """Let seat 0 throw two cards away and draw a storm first."""
    others = more.pop("others", ["20 21"])
    piles = [f"{card} {after}", *[""] * len(others)]
    return stormy(hand, *others, piles=piles, **more)


THROW = DiscardTwo(cards("1 2"))


@pytest.mark.rule("TRA-54")
def test_a_compass_may_cancel_a_storm_before_it_takes_effect():
    state = drawing("storm_yellow_1", hand="1 2 3 4 5 6", others=["20 21", "30 31"])
    state.compasses = [["compass_2"], [], ["compass_1"]]
    events = play(state, 0, THROW)
    assert phase(events) == ("storm_window", (0, 2))
    assert refusal(state, 1, LetPass()) == "compass-not-held"
    assert phase(play(state, 0, LetPass())) == ("storm_window", (2,))
    assert state.passed == (0,)
    assert refusal(state, 0, LetPass()) == "already-passed"
    passing = state.copy()
    assert phase(play(passing, 2, LetPass())) == ("storm_discard", (0,))
    assert passing.passed == []
    events = play(state, 2, UseCompass("compass_1", "storm_yellow_1"))
    assert events[1] == StormCancelled("storm_yellow_1")
    assert state.out == ["compass_1", "storm_yellow_1"]
    assert drawn_by(events) == [(0, cards("71"))]


@pytest.mark.rule("TRA-54")
def test_the_storm_takes_effect_when_all_pass():
    state = drawing("storm_orange_1", others=["20 21", "30 31"])
    state.compasses[2] = ["compass_1"]
    play(state, 0, THROW)
    events = play(state, 2, LetPass())
    assert kinds(events)[:2] == ["window_passed", "storm_landed"]
    assert drawn_by(events) == [(0, cards("71 72"))]
    assert state.passed == ()


@pytest.mark.rule("TRA-54")
def test_a_window_closes_when_its_last_compass_goes_to_another_storm():
    state = drawing("storm_orange_1", others=["20 21", "30 31"])
    state.compasses[2] = ["compass_1"]
    state.storms = [storm("storm_purple_1", row=4)]
    play(state, 0, THROW)
    events = play(state, 2, UseCompass("compass_1", "storm_purple_1"))
    assert kinds(events)[:3] == ["compass_used", "storm_cancelled", "storm_landed"]
    state = drawing("storm_orange_1", others=["20 21", "30 31"])
    state.compasses[2] = ["compass_1", "compass_2"]
    state.storms = [storm("storm_purple_1", row=4)]
    play(state, 0, THROW)
    events = play(state, 2, UseCompass("compass_1", "storm_purple_1"))
    assert phase(events) == ("storm_window", (2,))


@pytest.mark.rule("TRA-54")
def test_a_storm_being_resolved_may_still_be_cancelled():
    for card, name in (("storm_purple_1", "storm_row"), ("storm_yellow_1", "storm_discard")):
        state = stormy("1 2 3 4", "20 21", piles=["9", ""], phase=name)
        state.pending_storm = PendingStorm(card, 0, "draw")
        state.draw_queue, state.after_draws = [(0, -1)], "next_turn"
        state.storms = [storm("storm_orange_1", seat=1)]
        state.compasses[1] = ["compass_1", "compass_2"]
        events = play(state, 1, UseCompass("compass_2", "storm_orange_1"))
        assert phase(events) == (name, (0,))
        events = play(state, 1, UseCompass("compass_1", card))
        assert drawn_by(events) == [(0, cards("9"))]
        assert state.storms == []
        assert phase(events) == ("action", (1,))


@pytest.mark.rule("TRA-54")
@pytest.mark.parametrize(
    "name",
    ["action", "start_pledge", "start_pay", "rocks", "confirm", "explore_monster", "explore_rocks"],
)
def test_a_compass_may_be_used_at_any_time(name):
    state = stormy("1 2 3 4 5", "20 21 22 23 24", phase=name)
    state.storms = [storm("storm_purple_1", row=2)]
    state.compasses[1] = ["compass_1"]
    command = UseCompass("compass_1", "storm_purple_1")
    assert command in GAME.legal(state, 1)
    events = play(state, 1, command)
    assert phase(events) == (name, (0,))
    assert refusal(state, 1, command) == "compass-not-held"


@pytest.mark.rule("TRA-55")
def test_compasses_are_no_hand_cards_and_only_their_holder_uses_them():
    state = stormy("1 2 3 4 5", "20 21", piles=["71 72 73", ""])
    state.storms = [storm("storm_purple_1", row=2)]
    state.compasses[0] = ["compass_1", "compass_2"]
    assert refusal(state, 1, UseCompass("compass_1", "storm_purple_1")) == "compass-not-held"
    play(state, 0, THROW)
    assert len(state.hands[0]) == 5
    for viewer in (0, 1, None):
        assert GAME.view(state, viewer).compasses == [["compass_1", "compass_2"], []]
        assert GAME.view(state, viewer).talk == "compass"


ROW = """
    . . . . . .
    . . . . . .
    . . . . . .
    . . . . . .
    12 13 14 . 16 17
    . . . . . .
"""


@pytest.mark.rule("TRA-56")
def test_a_compass_comes_from_a_start_a_row_and_a_whole_hand():
    state = stormy("start_1 1 2 3 4", "20 21 22 23")
    assert CompassGained(0, "compass_1", "start") in play(state, 0, PlayStart("start_1"))
    state = stormy("15 60", "20", grid=drawn(ROW))
    events = play(state, 0, PlayCard("island_15", (3, 1), cards("60")))
    assert kinds(events)[:3] == ["island_placed", "cards_discarded", "compass_gained"]
    assert events[2] == CompassGained(0, "compass_1", "row")
    state = stormy("1 2 3 4", "20 21")
    events = play(state, 0, DiscardHand())
    assert events[1] == CompassGained(0, "compass_1", "hand")
    assert state.compasses == [["compass_1"], []]


@pytest.mark.rule("TRA-56")
def test_an_empty_supply_gives_nothing():
    state = stormy("1 2 3 4", "20 21", compass_supply=[])
    assert not only(play(state, 0, DiscardHand()), CompassGained)
    state = table("15 60", "20", grid=drawn(ROW))
    assert not only(play(state, 0, PlayCard("island_15", (3, 1), cards("60"))), CompassGained)


@pytest.mark.rule("TRA-57")
def test_discarding_the_hand_needs_three_cards_and_no_monster():
    assert refusal(stormy("1 2", "20"), 0, DiscardHand()) == "hand-too-small"
    assert DiscardHand() not in GAME.legal(stormy("1 2", "20"), 0)
    assert DiscardHand() in GAME.legal(stormy("1 2 3", "20"), 0)
    assert DiscardHand() not in GAME.legal(stormy("1 2 3 monster_1", "20", monsters=3), 0)
    assert refusal(stormy("1 2 3", "20"), 0, DiscardHand()) is None
    assert refusal(table("1 2 3", "20"), 0, DiscardHand()) == "no-compass-rule"
    state = stormy("1 2 3 4", "20 21", piles=["71 72 73 74 75", ""])
    events = play(state, 0, DiscardHand())
    assert events[0] == CardsDiscarded(0, cards("1 2 3 4"), 4, "hand")
    assert drawn_by(events) == [(0, cards("71 72 73 74 75"))]


@pytest.mark.rule("TRA-58")
def test_the_row_counts_when_it_becomes_full_wilds_by_their_number():
    grid = drawn(ROW.replace("13", "w13"))
    state = stormy("15 60", "20", grid=grid, wilds=1)
    assert only(play(state, 0, PlayCard("island_15", (3, 1), cards("60"))), CompassGained)
    grid = drawn(ROW.replace("12", "10"))
    state = stormy("15 60", "20", grid=grid)
    assert not only(play(state, 0, PlayCard("island_15", (3, 1), cards("60"))), CompassGained)


@pytest.mark.rule("TRA-58")
def test_a_row_that_is_not_full_yet_earns_nothing():
    state = stormy("15 60", "20", grid=drawn(ROW.replace("17", ". ")))
    assert not only(play(state, 0, PlayCard("island_15", (3, 1), cards("60"))), CompassGained)


@pytest.mark.rule("TRA-58")
def test_a_reopened_row_may_earn_again():
    grid = drawn(ROW)
    state = stormy("15 60", "monster_1 21 22", "15 61", grid=grid, monsters=3)
    play(state, 0, PlayCard("island_15", (3, 1), cards("60")))
    play(state, 1, PlayMonster("monster_1", (3, 1)))
    events = play(state, 2, PlayCard("island_15", (3, 1), cards("61")))
    assert only(events, CompassGained) == [CompassGained(2, "compass_2", "row")]


@pytest.mark.rule("TRA-59")
def test_cancelling_a_yellow_storm_raises_the_limit_for_the_next_draw():
    state = stormy("1 2 3", "20 21 22", piles=["71 72 73 74 75", "76"])
    state.storms = [storm("storm_yellow_1", seat=0)]
    state.compasses[0] = ["compass_1"]
    events = play(state, 0, UseCompass("compass_1", "storm_yellow_1"))
    assert drawn_by(events) == []
    events = play(state, 0, THROW)
    assert drawn_by(events) == [(0, cards("71 72 73 74"))]


def opening(first, *, seats=2):
    """Find a deal where the first seat meets a storm of that colour in its opening draw."""
    for seed in range(400):
        state, events = dealt(seats, seed, storms=True)
        met = only(events, StormDrawn)
        if met and first in met[0].storm:
            return state, events
    raise AssertionError(first)


@pytest.mark.rule("TRA-60")
def test_storms_of_the_opening_are_resolved_before_the_first_turn():
    state, events = opening("purple")
    assert phase(events)[0] == "storm_row"
    assert state.turn == 0
    assert only(events, DrawsQueued)[0].purpose == "opening"
    assert not any(card.startswith("start") for pile in state.piles for card in pile)
    while state.turn == 0:
        (seat,) = GAME.waiting(state)
        play(state, seat, GAME.default(state, seat))
    assert state.turn == 1
    assert sum(card.startswith("start") for pile in state.piles for card in pile) == 2
    state, events = opening("orange")
    assert "storm_landed" in kinds(events)


@pytest.mark.rule("TRA-56", "TRA-58")
def test_a_row_with_one_number_left_out_earns_nothing():
    grid = drawn("""
        . . . . . .
        . . . . . .
        . . . . . .
        . . . . . .
        12 13 14 . 16 18
        . . . . . .
    """)
    state = stormy("15 70", "1 2", grid=grid)
    events = play(state, 0, PlayCard("island_15", (3, 1), cards("70")))
    assert only(events, CompassGained) == []


@pytest.mark.rule("TRA-54")
def test_who_let_one_storm_pass_is_asked_again_for_the_next():
    piles = ["storm_orange_1 storm_orange_2 70", ""]
    state = stormy("1 2 3", "20 21", piles=piles, active=0)
    state.compasses = [[], ["compass_1"]]
    assert phase(play(state, 0, DiscardTwo(cards("1 2")))) == ("storm_window", (1,))
    events = play(state, 1, LetPass())
    assert kinds(events)[:3] == ["window_passed", "storm_landed", "storm_drawn"]
    assert phase(events) == ("storm_window", (1,))
    assert state.passed == ()


@pytest.mark.rule("TRA-16", "TRA-55")
def test_while_pledging_the_talk_is_of_the_start_even_with_a_compass_about():
    state = stormy("1 2", "20 21", start="start_1", phase="start_pledge")
    state.compasses[0] = ["compass_1"]
    assert GAME.view(state, 1).talk == "start"
    state.phase = "start_pay"
    assert GAME.view(state, 1).talk == "compass"
