"""Finish cards and the end (TRA-31 to TRA-35)."""

import pytest

from games.tranquility import GAME
from games.tranquility.commands import (
    DiscardTwo,
    LetPass,
    PlayCard,
    PlayFinish,
    UseCompass,
)
from games.tranquility.events import TurnBegun, VoyageLost, VoyageWon
from tests.games.tranquility.table import (
    cards,
    full,
    laid,
    phase,
    storm,
    table,
)


@pytest.mark.rule("TRA-31")
def test_a_finish_on_a_full_sea_wins_for_all():
    given = table("finish_2 10", "20 30", grid=full(), start="start_1", piles=["1", "2 3"])
    then = given.when(0, PlayFinish("finish_2"))
    assert then.events[-1] == VoyageWon(0)
    assert given.state.finish_placed == "finish_2"
    result = given.state.result
    assert (result.outcome, result.reason, result.winners) == ("won", "finish-placed", [0, 1])
    assert result.scores == [36 + 10 + 6, 36 + 10 + 6]
    assert result.places(2) == [1, 1]
    assert given.state.phase == "over"
    assert given.waiting == frozenset()


@pytest.mark.rule("TRA-31")
@pytest.mark.parametrize(
    ("variant", "cells"),
    [("standard", 36), ("high_arch", 30), ("pyramid", 21)],
)
def test_every_cell_must_be_filled_and_a_start_must_lie(variant, cells):
    for without, start, code in (
        ((), "start_1", ""),
        ((cells - 1,), "start_1", "sea-not-full"),
        ((0,), None, "sea-not-full"),
        ((), None, "start-not-placed"),
    ):
        grid = full(variant, without=without)
        assert len(grid) == cells
        given = table("finish_2 10", "20 30", grid=grid, start=start, variant=variant)
        assert given.trial(0, PlayFinish("finish_2")).code == code
        listed = PlayFinish("finish_2") in given.legal(0)
        assert listed == (not code)


@pytest.mark.rule("TRA-31")
def test_only_the_active_seat_may_finish():
    given = table("10 20", "finish_2 30", grid=full(), start="start_1")
    given.when(1, PlayFinish("finish_2")).refused("not-your-turn")


@pytest.mark.rule("TRA-31")
def test_the_score_counts_the_removed_islands():
    given = table("finish_2", "20", grid=full(), start="start_1", difficulty="poseidon")
    given.when(0, PlayFinish("finish_2"))
    assert given.state.result.scores == [36 + 10 + 1 + 12] * 2


@pytest.mark.rule("TRA-32")
def test_the_last_finish_may_be_discarded_and_nobody_is_told():
    given = table("finish_1 10 20", "30 40", start="start_1")
    then = given.when(0, DiscardTwo(("finish_1", "island_10")))
    shown = [GAME.redact(event, 1, given.state) for event in then.events]
    assert "finish" not in str(shown)
    assert given.state.result is None


@pytest.mark.rule("TRA-33")
def test_a_seat_without_an_action_loses_for_all_at_the_beginning_of_its_turn():
    grid = full(without=(20,))
    given = table("10 20", "42", grid=grid)
    then = given.when(0, DiscardTwo(cards("10 20")))
    assert then.names[-2:] == ["turn_begun", "voyage_lost"]
    assert then.events[-2:] == [TurnBegun(1, 10), VoyageLost(1, "no-action")]
    assert given.state.result.winners == []
    assert given.state.result.scores == [35, 35]


@pytest.mark.rule("TRA-33")
def test_one_card_that_can_be_laid_for_nothing_is_an_action():
    grid = laid(i5=12)
    assert phase(table("10 20", "50", grid=grid).when(0, DiscardTwo(cards("10 20"))))[0] == "action"
    beside = full(without=tuple(range(30, 36)))
    given = table("10 20", "70", grid=beside)
    assert phase(given.when(0, DiscardTwo(cards("10 20"))))[0] == "action"


@pytest.mark.rule("TRA-33")
def test_two_discardable_cards_are_an_action_and_two_monsters_are_none():
    grid = full(without=(20,))
    given = table("10 20", "2 4", grid=grid)
    assert phase(given.when(0, DiscardTwo(cards("10 20")))) == ("action", (1,))
    given = table("10 20", "monster_1 monster_2", grid=[None] * 36, monsters=3)
    then = given.when(0, DiscardTwo(cards("10 20")))
    assert then.events[-1] == VoyageLost(1, "no-action")


@pytest.mark.rule("TRA-33", "TRA-63")
def test_a_wild_is_an_action_as_long_as_no_start_lies():
    given = table("10 20", "wild_1", grid=full(), wilds=1)
    assert phase(given.when(0, DiscardTwo(cards("10 20")))) == ("action", (1,))
    given = table("10 20", "wild_1", grid=full(without=(20,)), wilds=1, start="start_1")
    assert given.when(0, DiscardTwo(cards("10 20"))).events[-1] == VoyageLost(1, "no-action")


@pytest.mark.rule("TRA-33")
def test_a_blocked_finish_may_leave_no_action():
    given = table("finish_1", "monster_1", grid=full(), start="start_1", monsters=3)
    then = given.when(0, PlayFinish("finish_1"))
    assert then.names == ["finish_blocked", "voyage_lost"]


@pytest.mark.rule("TRA-33")
def test_a_wild_spent_as_a_compass_may_leave_no_action():
    given = table("wild_1", "10", grid=full(without=(20,)), start="start_1", wilds=1, storms=True)
    given.state.storms = [storm("storm_orange_1", seat=0)]
    then = given.when(0, UseCompass("wild_1", "storm_orange_1"))
    assert then.events[-1] == VoyageLost(0, "no-action")


@pytest.mark.rule("TRA-34")
def test_only_the_active_seat_is_tested():
    given = table("10 20 30", "40 50", "", piles=["", "60 61", ""])
    then = given.when(0, DiscardTwo(cards("10 20")))
    assert phase(then) == ("action", (1,))
    then = given.when(1, DiscardTwo(cards("40 50")))
    assert then.events[-1] == VoyageLost(2, "no-action")


def in_need(**more):
    """Build a table where seat 1 is next, with one card that an orange storm keeps in hand."""
    given = table("10 20", "50", "60", storms=True, **more)
    given.state.storms = [storm("storm_orange_1", seat=1)]
    return given


@pytest.mark.rule("TRA-35")
def test_compass_holders_may_rescue_a_seat_without_an_action():
    given = in_need()
    given.state.compasses = [["compass_1"], [], ["compass_2"]]
    then = given.when(0, DiscardTwo(cards("10 20")))
    assert phase(then) == ("rescue", (0, 2))
    assert phase(given.when(0, LetPass())) == ("rescue", (2,))
    then = given.when(2, UseCompass("compass_2", "storm_orange_1"))
    assert phase(then) == ("action", (1,))
    assert not given.trial(1, PlayCard("island_50", (3, 3))).code


@pytest.mark.rule("TRA-35")
def test_who_passed_is_forgotten_with_the_next_turn():
    given = in_need(passed=(0, 2))
    GAME.apply(given.state, TurnBegun(1, 10))
    assert given.state.passed == ()


@pytest.mark.rule("TRA-35")
def test_the_voyage_is_lost_when_all_pass():
    given = in_need()
    given.state.compasses[2] = ["compass_2"]
    given.when(0, DiscardTwo(cards("10 20")))
    then = given.when(2, LetPass())
    assert then.names == ["window_passed", "voyage_lost"]
    assert given.state.result.reason == "no-action"


@pytest.mark.rule("TRA-35")
def test_a_compass_that_does_not_help_leaves_the_rescue_open_or_the_voyage_lost():
    given = in_need()
    given.state.storms += [storm("storm_yellow_1", seat=0), storm("storm_purple_1", row=2)]
    given.state.compasses[2] = ["compass_2", "compass_3"]
    given.when(0, DiscardTwo(cards("10 20")))
    assert phase(given.when(2, UseCompass("compass_2", "storm_yellow_1"))) == ("rescue", (2,))
    assert phase(given.when(2, UseCompass("compass_3", "storm_orange_1"))) == ("action", (1,))
    given = in_need()
    given.state.storms += [storm("storm_purple_1", row=2)]
    given.state.compasses[2] = ["compass_2"]
    given.when(0, DiscardTwo(cards("10 20")))
    then = given.when(2, UseCompass("compass_2", "storm_purple_1"))
    assert then.events[-1] == VoyageLost(1, "no-action")


@pytest.mark.rule("TRA-35")
def test_no_rescue_from_another_seats_storm_or_without_a_compass():
    given = in_need()
    given.state.storms = [storm("storm_orange_1", seat=0), storm("storm_yellow_1", seat=1)]
    given.state.grid = full(without=(20,))
    given.state.compasses[2] = ["compass_2"]
    then = given.when(0, DiscardTwo(cards("10 20")))
    assert then.events[-1] == VoyageLost(1, "no-action")
    then = in_need().when(0, DiscardTwo(cards("10 20")))
    assert then.events[-1] == VoyageLost(1, "no-action")
