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
from tests.games.tranquility.table import (
    THROW,
    cards,
    dealt,
    drawing,
    drawn,
    drawn_by,
    phase,
    storm,
    stormy,
    table,
)


@pytest.mark.rule("TRA-54")
def test_a_compass_may_cancel_a_storm_before_it_takes_effect():
    given = drawing("storm_yellow_1", hand="1 2 3 4 5 6", others=["20 21", "30 31"])
    given.state.compasses = [["compass_2"], [], ["compass_1"]]
    then = given.when(0, THROW)
    assert phase(then) == ("storm_window", (0, 2))
    given.when(1, LetPass()).refused("compass-not-held")
    assert phase(given.when(0, LetPass())) == ("storm_window", (2,))
    assert given.state.passed == (0,)
    given.when(0, LetPass()).refused("already-passed")
    passing = given.copy()
    assert phase(passing.when(2, LetPass())) == ("storm_discard", (0,))
    assert passing.state.passed == ()
    then = given.when(2, UseCompass("compass_1", "storm_yellow_1"))
    assert then.events[1] == StormCancelled("storm_yellow_1")
    assert given.state.out == ["compass_1", "storm_yellow_1"]
    assert drawn_by(then) == [(0, cards("71"))]


@pytest.mark.rule("TRA-54")
def test_the_storm_takes_effect_when_all_pass():
    given = drawing("storm_orange_1", others=["20 21", "30 31"])
    given.state.compasses[2] = ["compass_1"]
    given.when(0, THROW)
    then = given.when(2, LetPass())
    assert then.names[:2] == ["window_passed", "storm_landed"]
    assert drawn_by(then) == [(0, cards("71 72"))]
    assert given.state.passed == ()


@pytest.mark.rule("TRA-54")
def test_a_window_closes_when_its_last_compass_goes_to_another_storm():
    given = drawing("storm_orange_1", others=["20 21", "30 31"])
    given.state.compasses[2] = ["compass_1"]
    given.state.storms = [storm("storm_purple_1", row=4)]
    given.when(0, THROW)
    then = given.when(2, UseCompass("compass_1", "storm_purple_1"))
    assert then.names[:3] == ["compass_used", "storm_cancelled", "storm_landed"]
    given = drawing("storm_orange_1", others=["20 21", "30 31"])
    given.state.compasses[2] = ["compass_1", "compass_2"]
    given.state.storms = [storm("storm_purple_1", row=4)]
    given.when(0, THROW)
    then = given.when(2, UseCompass("compass_1", "storm_purple_1"))
    assert phase(then) == ("storm_window", (2,))


@pytest.mark.rule("TRA-54")
def test_a_storm_being_resolved_may_still_be_cancelled():
    for card, name in (("storm_purple_1", "storm_row"), ("storm_yellow_1", "storm_discard")):
        given = stormy("1 2 3 4", "20 21", piles=["9", ""], phase=name)
        given.state.pending_storm = PendingStorm(card, 0, "draw")
        given.state.draw_queue, given.state.after_draws = [(0, -1)], "next_turn"
        given.state.storms = [storm("storm_orange_1", seat=1)]
        given.state.compasses[1] = ["compass_1", "compass_2"]
        then = given.when(1, UseCompass("compass_2", "storm_orange_1"))
        assert phase(then) == (name, (0,))
        then = given.when(1, UseCompass("compass_1", card))
        assert drawn_by(then) == [(0, cards("9"))]
        assert given.state.storms == []
        assert phase(then) == ("action", (1,))


@pytest.mark.rule("TRA-54")
@pytest.mark.parametrize(
    "name",
    ["action", "start_pledge", "start_pay", "rocks", "confirm", "explore_monster", "explore_rocks"],
)
def test_a_compass_may_be_used_at_any_time(name):
    given = stormy("1 2 3 4 5", "20 21 22 23 24", phase=name)
    given.state.storms = [storm("storm_purple_1", row=2)]
    given.state.compasses[1] = ["compass_1"]
    command = UseCompass("compass_1", "storm_purple_1")
    assert command in given.legal(1)
    then = given.when(1, command)
    assert phase(then) == (name, (0,))
    given.when(1, command).refused("compass-not-held")


@pytest.mark.rule("TRA-55")
def test_compasses_are_no_hand_cards_and_only_their_holder_uses_them():
    given = stormy("1 2 3 4 5", "20 21", piles=["71 72 73", ""])
    given.state.storms = [storm("storm_purple_1", row=2)]
    given.state.compasses[0] = ["compass_1", "compass_2"]
    given.when(1, UseCompass("compass_1", "storm_purple_1")).refused("compass-not-held")
    given.when(0, THROW)
    assert len(given.state.hands[0]) == 5
    for viewer in (0, 1, None):
        assert given.view(viewer).compasses == [["compass_1", "compass_2"], []]
        assert given.view(viewer).talk == "compass"


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
    given = stormy("start_1 1 2 3 4", "20 21 22 23")
    assert CompassGained(0, "compass_1", "start") in given.when(0, PlayStart("start_1")).events
    given = stormy("15 60", "20", grid=drawn(ROW))
    then = given.when(0, PlayCard("island_15", (3, 1), cards("60")))
    assert then.names[:3] == ["island_placed", "cards_discarded", "compass_gained"]
    assert then.events[2] == CompassGained(0, "compass_1", "row")
    given = stormy("1 2 3 4", "20 21")
    then = given.when(0, DiscardHand())
    assert then.events[1] == CompassGained(0, "compass_1", "hand")
    assert given.state.compasses == [["compass_1"], []]


@pytest.mark.rule("TRA-56")
def test_an_empty_supply_gives_nothing():
    given = stormy("1 2 3 4", "20 21", compass_supply=[])
    assert not given.when(0, DiscardHand()).of(CompassGained)
    given = table("15 60", "20", grid=drawn(ROW))
    assert not given.when(0, PlayCard("island_15", (3, 1), cards("60"))).of(CompassGained)


@pytest.mark.rule("TRA-57")
def test_discarding_the_hand_needs_three_cards_and_no_monster():
    stormy("1 2", "20").when(0, DiscardHand()).refused("hand-too-small")
    assert DiscardHand() not in stormy("1 2", "20").legal(0)
    assert DiscardHand() in stormy("1 2 3", "20").legal(0)
    assert DiscardHand() not in stormy("1 2 3 monster_1", "20", monsters=3).legal(0)
    assert not stormy("1 2 3", "20").trial(0, DiscardHand()).code
    table("1 2 3", "20").when(0, DiscardHand()).refused("no-compass-rule")
    given = stormy("1 2 3 4", "20 21", piles=["71 72 73 74 75", ""])
    then = given.when(0, DiscardHand())
    assert then.events[0] == CardsDiscarded(0, cards("1 2 3 4"), 4, "hand")
    assert drawn_by(then) == [(0, cards("71 72 73 74 75"))]


@pytest.mark.rule("TRA-58")
def test_the_row_counts_when_it_becomes_full_wilds_by_their_number():
    grid = drawn(ROW.replace("13", "w13"))
    given = stormy("15 60", "20", grid=grid, wilds=1)
    assert given.when(0, PlayCard("island_15", (3, 1), cards("60"))).of(CompassGained)
    grid = drawn(ROW.replace("12", "10"))
    given = stormy("15 60", "20", grid=grid)
    assert not given.when(0, PlayCard("island_15", (3, 1), cards("60"))).of(CompassGained)


@pytest.mark.rule("TRA-58")
def test_a_row_that_is_not_full_yet_earns_nothing():
    given = stormy("15 60", "20", grid=drawn(ROW.replace("17", ". ")))
    assert not given.when(0, PlayCard("island_15", (3, 1), cards("60"))).of(CompassGained)


@pytest.mark.rule("TRA-58")
def test_a_reopened_row_may_earn_again():
    grid = drawn(ROW)
    given = stormy("15 60", "monster_1 21 22", "15 61", grid=grid, monsters=3)
    given.when(0, PlayCard("island_15", (3, 1), cards("60")))
    given.when(1, PlayMonster("monster_1", (3, 1)))
    then = given.when(2, PlayCard("island_15", (3, 1), cards("61")))
    assert then.of(CompassGained) == [CompassGained(2, "compass_2", "row")]


@pytest.mark.rule("TRA-59")
def test_cancelling_a_yellow_storm_raises_the_limit_for_the_next_draw():
    given = stormy("1 2 3", "20 21 22", piles=["71 72 73 74 75", "76"])
    given.state.storms = [storm("storm_yellow_1", seat=0)]
    given.state.compasses[0] = ["compass_1"]
    then = given.when(0, UseCompass("compass_1", "storm_yellow_1"))
    assert drawn_by(then) == []
    then = given.when(0, THROW)
    assert drawn_by(then) == [(0, cards("71 72 73 74"))]


def opening(first, *, seats=2):
    """Find a deal whose first storm in the opening draws has that colour."""
    for seed in range(400):
        given, then = dealt(seats, seed, storms=True)
        met = then.of(StormDrawn)
        if met and first in met[0].storm:
            return given, then
    raise AssertionError(first)


@pytest.mark.rule("TRA-60")
def test_storms_of_the_opening_are_resolved_before_the_first_turn():
    given, then = opening("purple")
    assert phase(then)[0] == "storm_row"
    assert given.state.turn == 0
    assert then.of(DrawsQueued)[0].purpose == "opening"
    assert not any(card.startswith("start") for pile in given.state.piles for card in pile)
    while given.state.turn == 0:
        (seat,) = given.waiting
        given.when(seat, GAME.default(given.state, seat))
    assert given.state.turn == 1
    assert sum(card.startswith("start") for pile in given.state.piles for card in pile) == 2
    given, then = opening("orange")
    assert "storm_landed" in then.names


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
    given = stormy("15 70", "1 2", grid=grid)
    then = given.when(0, PlayCard("island_15", (3, 1), cards("70")))
    assert then.of(CompassGained) == []


@pytest.mark.rule("TRA-54")
def test_who_let_one_storm_pass_is_asked_again_for_the_next():
    piles = ["storm_orange_1 storm_orange_2 70", ""]
    given = stormy("1 2 3", "20 21", piles=piles, active=0)
    given.state.compasses = [[], ["compass_1"]]
    assert phase(given.when(0, DiscardTwo(cards("1 2")))) == ("storm_window", (1,))
    then = given.when(1, LetPass())
    assert then.names[:3] == ["window_passed", "storm_landed", "storm_drawn"]
    assert phase(then) == ("storm_window", (1,))
    assert given.state.passed == ()


@pytest.mark.rule("TRA-16", "TRA-55")
def test_while_pledging_the_talk_is_of_the_start_even_with_a_compass_about():
    given = stormy("1 2", "20 21", start="start_1", phase="start_pledge")
    given.state.compasses[0] = ["compass_1"]
    assert given.view(1).talk == "start"
    given.state.phase = "start_pay"
    assert given.view(1).talk == "compass"


def test_compasses_are_shown_in_the_order_gained():
    given = stormy("1 2", "20", compass_supply=["compass_1", "compass_3"])
    for compass in ("compass_3", "compass_1"):
        GAME.apply(given.state, CompassGained(1, compass, "hand"))
    for viewer in (0, 1, None):
        assert GAME.view(given.state, viewer).compasses[1] == ["compass_3", "compass_1"]
