"""Worked examples, number by number."""

import pytest

from games.tranquility import GAME
from games.tranquility.commands import (
    DiscardTwo,
    FeedMonster,
    FlipCard,
    KeepRocks,
    LetPass,
    MoveRocks,
    PayStart,
    PlayCard,
    PlayFinish,
    PlayMonster,
    PlayStart,
    Pledge,
    ShedToLimit,
    TakeCards,
    UseCompass,
)
from games.tranquility.events import (
    CardsDiscarded,
    CardsDrawn,
    CompassGained,
    FinishBlocked,
    RaceEnded,
    RocksRemoved,
    VoyageLost,
    VoyageWon,
)
from games.tranquility.model import Laid
from tests.games.tranquility.table import (
    cards,
    dealt,
    drawn,
    drawn_by,
    full,
    laid,
    phase,
    storm,
    table,
)


def deal_from(seats, first, **options):
    """Find a deal that starts at a seat."""
    for seed in range(200):
        given, then = dealt(seats, seed, **options)
        if then.events[0].deal_from == first:
            return given, then
    raise AssertionError(first)


@pytest.mark.rule("TRA-10", "TRA-11")
def test_1_set_up_of_three_seats():
    for seed in range(20):
        given, then = dealt(3, seed)
        assert not any(card.startswith("start") for hand in given.state.hands for card in hand)
    given, then = deal_from(3, 1)
    assert [len(pile) for pile in then.events[0].piles] == [28, 29, 28]
    assert given.state.active == 2
    assert [len(pile) for pile in given.state.piles] == [24, 25, 24]


@pytest.mark.rule("TRA-7", "TRA-10")
@pytest.mark.parametrize(
    ("seats", "first", "options", "sizes", "active", "piles"),
    [
        (1, 0, {}, [85], 0, [81]),
        (2, 0, {}, [43, 42], 1, [39, 38]),
        (4, 2, {}, [21, 21, 22, 21], 3, [17, 17, 18, 17]),
        (5, 3, {"difficulty": "poseidon"}, [15, 14, 14, 15, 15], 1, [11, 10, 10, 11, 11]),
    ],
)
def test_2_set_up_of_other_tables(seats, first, options, sizes, active, piles):
    given, then = deal_from(seats, first, **options)
    assert [len(pile) for pile in then.events[0].piles] == sizes
    assert given.state.active == active
    assert [len(pile) for pile in given.state.piles] == piles


@pytest.mark.rule("TRA-10")
def test_2_set_up_with_modules():
    _, then = dealt(4, monsters=4, storms=True, wilds=2)
    assert sorted(len(pile) for pile in then.events[0].piles) == [24, 24, 24, 25]


@pytest.mark.rule("TRA-1", "TRA-3", "TRA-5")
def test_3_free_laying_and_wrap():
    given = table("1", "2", "40 50 60 70 80", piles=["", "", "9 8"], active=2)
    then = given.when(2, PlayCard("island_40", (5, 2)))
    assert then.events[0].cost == 0
    assert drawn_by(then) == [(2, cards("9"))]
    given = table("14 60 61", "2", grid=laid(i5=12))
    assert not given.trial(0, PlayCard("island_14", (0, 1), cards("60 61"))).code
    assert not given.trial(0, PlayCard("island_14", (5, 1))).code


@pytest.mark.rule("TRA-5", "TRA-14")
def test_4_between_two():
    grid = laid(i6=20, i8=27)
    given = table("24 22 61 62 63", "2", grid=grid, piles=["1 2 3 4", ""])
    assert not given.trial(0, PlayCard("island_24", (1, 1), cards("61 62 63"))).code
    given.when(0, PlayCard("island_22", (1, 1), cards("61 62 63"))).refused("wrong-discard-count")
    then = given.when(0, PlayCard("island_22", (1, 1), cards("61 62")))
    assert drawn_by(then) == [(0, cards("1 2 3"))]


@pytest.mark.rule("TRA-2", "TRA-6")
def test_5_refusals_when_laying():
    given = table("35 60 61 62 63 33 31 finish_1", "2", grid=laid(i12=30))
    given.when(0, PlayCard("island_35", (1, 2))).refused("cost-too-high")
    given.when(0, PlayCard("island_33", (3, 0))).refused("order-broken")
    given.when(0, PlayCard("island_31", (0, 2))).refused("cell-occupied")
    given.when(0, PlayCard("finish_1", (3, 3))).refused("not-an-island")
    given = table("35 60", "2", grid=laid(i12=30, i14=37))
    given.when(0, PlayCard("island_35", (1, 2), cards("60"))).refused("not-enough-cards")


@pytest.mark.rule("TRA-12", "TRA-13", "TRA-18", "TRA-20")
def test_6_turn_and_b():
    given = table("1 2", "3 4", "finish_3 9 50 51 52", piles=["", "", "70 71"], active=2)
    given.when(1, DiscardTwo(cards("3 4"))).refused("not-your-turn")
    given.when(2, DiscardTwo(cards("9"))).refused("wrong-discard-count")
    then = given.when(2, DiscardTwo(("finish_3", "island_9")))
    assert then.events[0].count == 2
    assert then.events[0].why == "pass"
    for viewer in (0, 1, 2, None):
        assert GAME.redact(then.events[0], viewer, given.state).cards == ("?", "?")
    assert drawn_by(then) == [(2, cards("70 71"))]
    assert phase(then) == ("action", (0,))


@pytest.mark.rule("TRA-22", "TRA-25", "TRA-26", "TRA-27", "TRA-30")
def test_7_start_with_three_seats():
    pile = "71 72 73 74 75"
    given = table("start_1 1 2 3 4", "10 20 30 40 50", "11 21 31 41 51", piles=[pile] * 3)
    given.when(0, DiscardTwo(cards("1 2"))).refused("start-must-be-played")
    then = given.when(0, PlayStart("start_1"))
    assert [len(hand) for hand in given.state.hands] == [4, 5, 5]
    assert phase(then)[0] == "start_pledge"
    for seat in range(3):
        then = given.when(seat, Pledge(3))
    assert phase(then)[0] == "start_pledge"
    assert phase(given.when(2, Pledge(2)))[0] == "start_pay"
    given.when(1, PayStart(cards("10 20"))).refused("wrong-discard-count")
    given.when(1, PayStart(cards("10 20 30")))
    given.when(0, PayStart(cards("1 2 3")))
    assert [len(hand) for hand in given.state.hands] == [1, 2, 5]
    then = given.when(2, PayStart(cards("11 21")))
    assert [(event.seat, event.count) for event in then.of(CardsDrawn)] == [
        (0, 4),
        (1, 3),
        (2, 2),
    ]
    assert phase(then) == ("action", (1,))


@pytest.mark.rule("TRA-24", "TRA-27", "TRA-66")
def test_8_start_with_two_seats_and_solo():
    pile = "71 72 73 74 75 76 77 78 79"
    given = table("start_1 1 2 3 4", "10 20 30 40 50", piles=[pile, pile])
    given.when(0, PlayStart("start_1"))
    assert [len(hand) for hand in given.state.hands] == [6, 7]
    given.when(0, Pledge(5))
    given.when(1, Pledge(3))
    given.when(0, PayStart(tuple(given.state.hands[0][:5])))
    then = given.when(1, PayStart(tuple(given.state.hands[1][:3])))
    assert [(event.seat, event.count) for event in then.of(CardsDrawn)] == [(0, 4), (1, 1)]
    given = table("start_1 1 2 3 4", piles=[pile])
    given.when(0, PlayStart("start_1"))
    assert len(given.state.hands[0]) == 12
    given.when(0, Pledge(8))
    then = given.when(0, PayStart(tuple(given.state.hands[0][:8])))
    assert [event.count for event in then.of(CardsDrawn)] == [1]


@pytest.mark.rule("TRA-29", "TRA-33", "TRA-34")
def test_9_losing():
    grid = full(first=7, without=(20,))
    grid[19], grid[21] = Laid("island_47", 47, "", 0), Laid("island_55", 55, "", 0)
    for index in range(22, 36):
        grid[index] = Laid(f"island_{index + 40}", index + 40, "", 0)
    for index in range(19):
        grid[index] = Laid(f"island_{index + 1}", index + 1, "", 0)
    given = table("30 31", "50", grid=grid)
    assert given.when(0, DiscardTwo(cards("30 31"))).events[-1] == VoyageLost(1, "no-action")
    grid[19] = grid[21] = None
    given = table("30 31", "50", grid=grid)
    assert phase(given.when(0, DiscardTwo(cards("30 31")))) == ("action", (1,))
    given = table("start_1 1 2", "10 20", "30 40 50")
    assert given.when(0, PlayStart("start_1")).events[-1] == VoyageLost(0, "start-unpaid")


@pytest.mark.rule("TRA-36", "TRA-37", "TRA-38", "TRA-39")
def test_10_rocks():
    grid = full(without=(*range(6), *range(12, 36)))
    grid[12] = Laid("island_30", 30, "", 0)
    given = table(
        "40 32 60 61 62", "1 2", rocks=True, rocks_row=3, grid=grid, piles=["70 71 72 73 74", ""]
    )
    given.when(0, PlayCard("island_40", (2, 3))).refused("row-blocked")
    assert phase(given.when(0, PlayCard("island_32", (1, 2), cards("61 62"))))[0] == "rocks"
    given.when(0, MoveRocks(3)).refused("same-row")
    given.when(0, MoveRocks(1)).refused("row-full")
    then = given.when(0, KeepRocks(cards("40 60")))
    assert drawn_by(then) == [(0, cards("70 71 72 73 74"))]
    given = table(
        "46 48 1", "1 2", rocks=True, rocks_row=5, grid=full(without=(23, *range(24, 36)))
    )
    then = given.when(0, PlayCard("island_46", (5, 3), cards("48")))
    assert then.names[2:4] == ["rocks_removed", "draws_queued"]
    assert then.of(RocksRemoved)


@pytest.mark.rule("TRA-31", "TRA-42", "TRA-43", "TRA-44", "TRA-45")
def test_11_monsters_and_winning():
    grid = full()
    for index, number in ((33, 75), (34, 77), (35, 80)):
        grid[index] = Laid(f"island_{number}", number, "", 0)
    for index in range(33):
        grid[index] = Laid(f"island_{index + 1}", index + 1, "", 0)
    hands = ["78 60 61 62 63", "finish_2 50 51 52 53", "monster_1 55 56 57 58"]
    piles = ["1 2 3 40 41 42", "64 65 66 67 68", "70 71 72"]
    given = table(*hands, piles=piles, grid=grid, start="start_1", active=1, monsters=3)
    assert given.when(1, PlayFinish("finish_2")).events[0] == FinishBlocked(1, (2,))
    given.when(1, PlayFinish("finish_2")).refused("finish-blocked")
    given.when(1, DiscardTwo(cards("50 51")))
    given.when(2, PlayMonster("monster_1", (4, 5)))
    assert given.state.out == ["monster_1", "island_77"]
    assert not given.trial(0, PlayCard("island_78", (4, 5), cards("60 61"))).code
    given.when(0, PlayCard("island_78", (4, 5), cards("60 61")))
    given.state.piles = [list(cards(pile)) for pile in ("1 2 3", "64 65", "70 71")]
    assert given.when(1, PlayFinish("finish_2")).events[-1] == VoyageWon(1)
    assert [len(hand) for hand in given.state.hands] == [5, 4, 5]
    assert given.state.result.scores == [67, 67, 67]


@pytest.mark.rule("TRA-48", "TRA-49", "TRA-54")
def test_12_yellow_storm_and_compass():
    def drawer():
        piles = ["9 storm_yellow_1 70 71", "", ""]
        given = table("1 2 3 4 5", "20 21", "30 31", piles=piles, storms=True)
        given.state.compasses[2] = ["compass_3"]
        then = given.when(0, DiscardTwo(cards("1 2")))
        assert then.names[2:] == ["cards_drawn", "storm_drawn", "phase_entered"]
        assert phase(then) == ("storm_window", (2,))
        given.when(1, UseCompass("compass_3", "storm_yellow_1")).refused("compass-not-held")
        return given

    given = drawer()
    assert phase(given.when(2, LetPass())) == ("storm_discard", (0,))
    then = given.when(0, ShedToLimit(cards("9")))
    assert then.names[:3] == ["cards_discarded", "storm_landed", "draws_done"]
    assert len(given.state.hands[0]) == 3
    given = drawer()
    then = given.when(2, UseCompass("compass_3", "storm_yellow_1"))
    assert given.state.out == ["compass_3", "storm_yellow_1"]
    assert drawn_by(then) == [(0, cards("70"))]
    assert len(given.state.hands[0]) == 5


@pytest.mark.rule("TRA-53", "TRA-56", "TRA-58", "TRA-61", "TRA-62")
def test_13_row_of_six_orange_and_wild():
    grid = drawn("""
        . . . . . .
        . . . . . .
        . . . . . .
        33 . 36 . . .
        12 13 14 . 16 17
        . . . . . .
    """)
    given = table(
        "60 61",
        "15 70",
        "wild_1 71",
        grid=grid,
        storms=True,
        wilds=1,
        active=1,
        piles=["", "72", ""],
    )
    then = given.when(1, PlayCard("island_15", (3, 1), cards("70")))
    assert then.of(CompassGained) == [CompassGained(1, "compass_1", "row")]
    given.state.active = 0
    given.state.storms = [storm("storm_orange_1", seat=0)]
    given.when(0, PlayCard("island_60", (0, 5))).refused("must-be-adjacent")
    given.state.active = 2
    given.when(2, PlayCard("wild_1", (1, 2), cards("71"), 15)).refused("number-on-board")
    then = given.when(2, PlayCard("wild_1", (1, 2), cards("71"), 34))
    assert (then.events[0].cost, given.state.grid[13].number) == (1, 34)


@pytest.mark.rule("TRA-67", "TRA-71", "TRA-72", "TRA-75", "TRA-76", "TRA-77")
def test_14_cooperative_variants():
    grid = full("high_arch", without=(7, *range(24, 30)))
    given = table("70 71", "1", variant="high_arch", grid=grid)
    given.when(0, PlayCard("island_70", (2, 6))).refused("lintel-locked")
    given.state.grid = full("high_arch", without=tuple(range(24, 30)))
    assert not given.trial(0, PlayCard("island_70", (2, 6))).code
    given = table("33 60 61 62", "1 2", variant="pyramid", grid=laid("pyramid", i5=31))
    given.state.explore = ["monster_4", "border_25"]
    then = given.when(0, PlayCard("island_33", (0, 1), cards("60 61")))
    assert then.events[1] == CardsDiscarded(0, cards("60 61"), 2, "cost")
    given.when(0, FeedMonster((5, 0)))
    assert given.state.grid[5] is None
    given = table("50 51 52", "60 61", variant="day_night")
    given.when(0, PlayCard("island_50", (1, 3)))
    assert given.state.grid[19].side == "sun"
    given.when(1, FlipCard((1, 3), "island_60"))
    assert given.state.grid[19].side == "moon"
    grid = full("day_night")
    grid[20] = Laid("island_41", 41, "sun", 0)
    given = table("finish_1", "1", variant="day_night", grid=grid, start="start_1")
    assert given.when(0, PlayFinish("finish_1")).events[-1] == VoyageLost(0, "wrong-side-up")


@pytest.mark.rule("TRA-80", "TRA-81", "TRA-83")
def test_15_competitive_tie_break():
    grid = [
        Laid(card.card, card.number, "", 0 if index < 18 else 1)
        for index, card in enumerate(full())
    ]
    grid[35] = None
    given = table("70 60", "1 2", variant="competitive", grid=grid)
    given.state.discards = [[f"island_{n}" for n in range(13)], [f"island_{n}" for n in range(8)]]
    assert given.when(0, PlayCard("island_70", (5, 5), cards("60"))).events[-1] == RaceEnded(
        "grid-full", (43, 43), (1,)
    )
    given = table("24 60 61 62 63", "1 2", variant="competitive", grid=laid(i6=20, i8=27))
    given.state.row, given.state.deck = list(cards("1 2 3 4 5 6")), list(cards("70 71 72 73 74"))
    given.when(0, PlayCard("island_24", (1, 1), cards("60 61 62")))
    given.when(0, TakeCards(cards("1 2 3"))).refused("wrong-take-count")
    given.when(0, TakeCards(cards("1 2 3 4")))
    assert given.state.row == list(cards("5 6 70 71 72 73"))
