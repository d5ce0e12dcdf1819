"""Defaults, clocks and leaving."""

import pytest

from games.tranquility import GAME
from games.tranquility.commands import (
    DiscardTwo,
    EndTurn,
    FeedMonster,
    FlipCard,
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
from games.tranquility.events import RaceEnded, VoyageLost
from games.tranquility.model import Laid, Offer, PendingStorm
from games.tranquility.turns import waste_order
from tests.games.tranquility.table import cards, full, laid, storm, table


def default(given, seat=0):
    command = GAME.default(given.state, seat)
    assert not given.trial(seat, command).code
    return command


def test_waste_goes_from_useless_to_precious():
    grid = laid(i0=1, i1=5, i12=30, i20=50)
    hand = "start_1 3 31 33 36 40 60 finish_2 finish_4 wild_1 monster_1"
    given = table(hand, "20", grid=grid, start="start_2", wilds=1, monsters=3)
    order = waste_order(given.state, 0)
    dead = ["island_3"]
    live = [f"island_{number}" for number in (31, 33, 36, 40, 60)]
    assert order == ["start_1", *dead, *live, "finish_2", "wild_1", "finish_4"]
    given.state.start_placed = None
    assert waste_order(given.state, 0)[0] == "island_3"


def test_waste_prefers_what_is_dear_to_lay():
    given = table("44 45 46 48 52", "20", grid=full(without=(20, 21)))
    given.state.grid[19] = Laid("island_41", 41, "", 0)
    given.state.grid[22] = Laid("island_50", 50, "", 0)
    for index in range(23, 36):
        given.state.grid[index] = Laid(f"island_{index + 40}", index + 40, "", 0)
    assert waste_order(given.state, 0) == list(cards("52 45 46 44 48"))
    given.state.storms = [storm("storm_purple_1", row=3)]
    assert waste_order(given.state, 0) == list(cards("52 44 45 46 48"))


def test_an_action_finishes_when_it_can():
    given = table("finish_2 finish_3 wild_1 1", "20", grid=full(), start="start_1", wilds=1)
    assert default(given) == PlayFinish("finish_2")
    given = table("wild_1 1", "20", grid=full(), start="start_1", wilds=1)
    assert default(given) == PlayFinish("wild_1")
    grid = full("day_night")
    grid[0] = Laid("island_1", 1, "moon", 0)
    given = table("finish_2 80 79", "20", grid=grid, start="start_1", variant="day_night")
    assert default(given) == DiscardTwo(cards("79 80"))


def test_an_action_lays_a_start_it_must_and_else_throws_away_the_two_worst():
    assert default(table("start_1 2 3", "20")) == PlayStart("start_1")
    assert default(table("9 8 finish_1", "20")) == DiscardTwo(cards("8 9"))


def test_a_last_card_is_laid_for_nothing():
    assert default(table("50 monster_1", "20", monsters=3)) == PlayCard("island_50", (0, 0))
    given = table("wild_1", "20", grid=laid(i0=3, i1=5), wilds=1, start="start_1")
    assert default(given) == PlayCard("wild_1", (3, 0), (), 6)
    given = table("wild_1", "20", wilds=1)
    assert default(given) == PlayCard("wild_1", (0, 0), (), 1)


def test_else_a_monster_strikes_the_last_card():
    given = table("monster_2 monster_1 9", "20", grid=full(), monsters=3)
    assert default(given) == PlayMonster("monster_1", (5, 5))
    given = table("wild_1", "20", grid=full(), monsters=3, wilds=1)
    assert default(given) == PlayMonster("wild_1", (5, 5))
    given = table("monster_2", "20", grid=full(), monsters=3, rocks=True, rocks_row=5)
    assert default(given) == PlayMonster("monster_2", (5, 4))


def test_else_a_lone_wild_is_a_start_and_a_card_flips_another():
    assert default(table("wild_1", "20", grid=full(), wilds=1)) == PlayStart("wild_1")
    grid = full("day_night")
    grid[7] = Laid("island_15", 15, "moon", 0)
    given = table("80", "20", grid=grid, variant="day_night")
    assert default(given) == FlipCard((1, 1), "island_80")
    given = table("80", "20", grid=full("day_night", without=(0,), first=1), variant="day_night")
    assert default(given) == FlipCard((1, 0), "island_80")


@pytest.mark.rule("TRA-26")
def test_pledges_share_what_is_missing():
    given = table(
        "1 2 3 4 5", "11 12 13 14 15", "21 22 23 24 25", phase="start_pledge", start="start_1"
    )
    assert default(given) == Pledge(3)
    given.state.pledges[1] = Offer(5, from_deck=False)
    assert default(given) == Pledge(2)
    given.state.pledges[2] = Offer(5, from_deck=False)
    assert default(given) == Pledge(0)
    given.state.pledges = [
        Offer(5, from_deck=False),
        Offer(3, from_deck=False),
        Offer(1, from_deck=False),
    ]
    assert default(given) == Pledge(4)
    assert default(given, 1) == Pledge(2)
    assert default(given, 2) == Pledge(0)


@pytest.mark.rule("TRA-51")
def test_a_pledge_gives_from_the_pile_when_it_may():
    given = table("1 2", "11 12 13", "", phase="start_pledge", start="start_1", storms=True)
    given.state.shares = (0, 2)
    assert default(given) == Pledge(3, from_deck=True)
    given.state.pledges[:2] = [Offer(4, from_deck=True), Offer(3, from_deck=False)]
    assert default(given, 2) == Pledge(2, from_deck=True)


@pytest.mark.rule("TRA-26")
@pytest.mark.parametrize("seats", [1, 2, 3, 4, 5])
def test_two_passes_of_defaults_reach_eight(seats):
    hands = ["1 2 3 4 5 6 7 8"[: 16 if seats == 1 else 9]] * seats
    given = table(*hands, phase="start_pledge", start="start_1")
    for _ in range(2):
        for seat in range(seats):
            if given.state.phase == "start_pledge":
                given.when(seat, default(given, seat))
    assert given.state.phase == "start_pay"
    assert default(given) == PayStart(
        tuple(waste_order(given.state, 0)[: given.state.pledges[0].count])
    )


def test_rocks_move_to_the_lowest_other_row():
    given = table(
        "1 2", "20", phase="rocks", rocks=True, rocks_row=1, grid=full(without=range(6, 36))
    )
    assert default(given) == MoveRocks(2)
    grid = full("pyramid", without=(1, 2, 3, 12))
    assert default(
        table("1", "2", variant="pyramid", phase="explore_rocks", grid=grid)
    ) == SetRocks(2)


def test_storms_and_compasses():
    given = table("1 2 3 4", "20", storms=True, phase="storm_window", grid=full(without=(0, 1, 8)))
    given.state.pending_storm = PendingStorm("storm_purple_1", 0, "draw")
    given.state.compasses = [["compass_3", "compass_1"], ["compass_2"]]
    assert default(given, 0) == UseCompass("compass_1", "storm_purple_1")
    assert default(given, 1) == LetPass()
    given.state.phase = "storm_row"
    assert default(given) == PlaceStorm(1)
    given.state.phase, given.state.pending_storm = (
        "storm_discard",
        PendingStorm("storm_yellow_1", 0, "draw"),
    )
    assert default(given) == ShedToLimit(cards("1"))


@pytest.mark.rule("TRA-35")
def test_a_rescue_ends_the_orange_storm_first():
    given = table("1", "20", storms=True, phase="rescue")
    given.state.compasses[1] = ["compass_2"]
    given.state.storms = [storm("storm_purple_2", row=1), storm("storm_purple_1", row=2)]
    assert default(given, 1) == UseCompass("compass_2", "storm_purple_2")
    given.state.storms += [storm("storm_orange_1", seat=1), storm("storm_orange_2", seat=0)]
    assert default(given, 1) == UseCompass("compass_2", "storm_orange_2")


def test_exploring_taking_and_confirming():
    given = table(
        "1", "2", variant="pyramid", phase="explore_monster", grid=laid("pyramid", i3=9, i9=20)
    )
    given.state.revealed = "monster_1"
    assert default(given) == FeedMonster((3, 1))
    given = table("1 2", "3", variant="competitive", phase="take", row=list(cards("9 4 7 5")))
    assert default(given) == TakeCards(cards("9 4 7"))
    assert default(table("1 2", "3", phase="confirm", confirm_draw=True)) == EndTurn()


def test_the_first_of_a_fitting_list_is_the_wild_last():
    given = table("wild_1 monster_1", "20", grid=laid(i0=1), wilds=1, monsters=3, start="start_1")
    command = default(given)
    assert command == PlayCard("wild_1", (2, 0), (), 2)


@pytest.mark.parametrize(
    ("phase", "name", "seconds"),
    [
        ("action", "turn:9", 90),
        ("rocks", "turn:9", 90),
        ("start_pledge", "start_pledge:9", 120),
        ("start_pay", "start_pay:9", 120),
        ("storm_window", "storm_window:storm_purple_1", 20),
        ("storm_row", "storm_row:storm_purple_1", 20),
        ("rescue", "rescue:9", 20),
    ],
)
def test_each_decision_has_its_clock(phase, name, seconds):
    given = table("1", "2", phase=phase, storms=True)
    given.state.pending_storm = PendingStorm("storm_purple_1", 0, "draw")
    assert GAME.timing.clock(given.state, 0) == (name, seconds)
    given.state.options = GAME.Options(turn_seconds=0, pledge_seconds=0, reaction_seconds=0)
    assert GAME.timing.clock(given.state, 0) is None


def test_leaving():
    given = table("1 2", "3 4")
    assert GAME.leave(given.state, 1) == []
    given = table("1 2", "3 4", abandon="lose", active=1)
    assert GAME.leave(given.state, 0) == [VoyageLost(0, "abandoned")]
    given = table("1 2", "3 4", variant="competitive", grid=laid(i3=9))
    assert GAME.leave(given.state, 0) == [RaceEnded("abandoned", (3, 0), (1,))]
    for event in GAME.leave(given.state, 0):
        GAME.apply(given.state, event)
    assert GAME.leave(given.state, 1) == []
    assert given.state.result.places(2) == [2, 1]
