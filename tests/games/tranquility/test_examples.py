"""The worked examples of the specification (section 16)."""

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
from tests.games.tranquility.board import (
    cards,
    dealt,
    drawn,
    drawn_by,
    full,
    kinds,
    laid,
    only,
    phase,
    play,
    refusal,
    storm,
    table,
)


def deal_from(seats, first, **options):
    """Find a deal that starts at a seat."""
    for seed in range(200):
        state, events = dealt(seats, seed, **options)
        if events[0].deal_from == first:
            return state, events
    raise AssertionError(first)


@pytest.mark.rule("TRA-10", "TRA-11")
def test_1_set_up_of_three_seats():
    for seed in range(20):
        state, events = dealt(3, seed)
        assert not any(card.startswith("start") for hand in state.hands for card in hand)
    state, events = deal_from(3, 1)
    assert [len(pile) for pile in events[0].piles] == [28, 29, 28]
    assert state.active == 2
    assert [len(pile) for pile in state.piles] == [24, 25, 24]


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
    state, events = deal_from(seats, first, **options)
    assert [len(pile) for pile in events[0].piles] == sizes
    assert state.active == active
    assert [len(pile) for pile in state.piles] == piles


@pytest.mark.rule("TRA-10")
def test_2_set_up_with_modules():
    _, events = dealt(4, monsters=4, storms=True, wilds=2)
    assert sorted(len(pile) for pile in events[0].piles) == [24, 24, 24, 25]


@pytest.mark.rule("TRA-1", "TRA-3", "TRA-5")
def test_3_free_laying_and_wrap():
    state = table("1", "2", "40 50 60 70 80", piles=["", "", "9 8"], active=2)
    events = play(state, 2, PlayCard("island_40", (5, 2)))
    assert events[0].cost == 0
    assert drawn_by(events) == [(2, cards("9"))]
    state = table("14 60 61", "2", grid=laid(i5=12))
    assert refusal(state, 0, PlayCard("island_14", (0, 1), cards("60 61"))) is None
    assert refusal(state, 0, PlayCard("island_14", (5, 1))) is None


@pytest.mark.rule("TRA-5", "TRA-14")
def test_4_between_two():
    grid = laid(i6=20, i8=27)
    state = table("24 22 61 62 63", "2", grid=grid, piles=["1 2 3 4", ""])
    assert refusal(state, 0, PlayCard("island_24", (1, 1), cards("61 62 63"))) is None
    assert (
        refusal(state, 0, PlayCard("island_22", (1, 1), cards("61 62 63"))) == "wrong-discard-count"
    )
    events = play(state, 0, PlayCard("island_22", (1, 1), cards("61 62")))
    assert drawn_by(events) == [(0, cards("1 2 3"))]


@pytest.mark.rule("TRA-2", "TRA-6")
def test_5_refusals_when_laying():
    state = table("35 60 61 62 63 33 31 finish_1", "2", grid=laid(i12=30))
    assert refusal(state, 0, PlayCard("island_35", (1, 2))) == "cost-too-high"
    assert refusal(state, 0, PlayCard("island_33", (3, 0))) == "order-broken"
    assert refusal(state, 0, PlayCard("island_31", (0, 2))) == "cell-occupied"
    assert refusal(state, 0, PlayCard("finish_1", (3, 3))) == "not-an-island"
    state = table("35 60", "2", grid=laid(i12=30, i14=37))
    assert refusal(state, 0, PlayCard("island_35", (1, 2), cards("60"))) == "not-enough-cards"


@pytest.mark.rule("TRA-12", "TRA-13", "TRA-18", "TRA-20")
def test_6_turn_and_b():
    state = table("1 2", "3 4", "finish_3 9 50 51 52", piles=["", "", "70 71"], active=2)
    assert refusal(state, 1, DiscardTwo(cards("3 4"))) == "not-your-turn"
    assert refusal(state, 2, DiscardTwo(cards("9"))) == "wrong-discard-count"
    events = play(state, 2, DiscardTwo(("finish_3", "island_9")))
    assert events[0].count == 2
    assert events[0].why == "pass"
    for viewer in (0, 1, 2, None):
        assert GAME.redact(events[0], viewer, state).cards == ("?", "?")
    assert drawn_by(events) == [(2, cards("70 71"))]
    assert phase(events) == ("action", (0,))


@pytest.mark.rule("TRA-22", "TRA-25", "TRA-26", "TRA-27", "TRA-30")
def test_7_start_with_three_seats():
    pile = "71 72 73 74 75"
    state = table("start_1 1 2 3 4", "10 20 30 40 50", "11 21 31 41 51", piles=[pile] * 3)
    assert refusal(state, 0, DiscardTwo(cards("1 2"))) == "start-must-be-played"
    events = play(state, 0, PlayStart("start_1"))
    assert [len(hand) for hand in state.hands] == [4, 5, 5]
    assert phase(events)[0] == "start_pledge"
    for seat in range(3):
        events = play(state, seat, Pledge(3))
    assert phase(events)[0] == "start_pledge"
    assert phase(play(state, 2, Pledge(2)))[0] == "start_pay"
    assert refusal(state, 1, PayStart(cards("10 20"))) == "wrong-discard-count"
    play(state, 1, PayStart(cards("10 20 30")))
    play(state, 0, PayStart(cards("1 2 3")))
    assert [len(hand) for hand in state.hands] == [1, 2, 5]
    events = play(state, 2, PayStart(cards("11 21")))
    assert [(event.seat, event.count) for event in only(events, CardsDrawn)] == [
        (0, 4),
        (1, 3),
        (2, 2),
    ]
    assert phase(events) == ("action", (1,))


@pytest.mark.rule("TRA-24", "TRA-27", "TRA-66")
def test_8_start_with_two_seats_and_solo():
    pile = "71 72 73 74 75 76 77 78 79"
    state = table("start_1 1 2 3 4", "10 20 30 40 50", piles=[pile, pile])
    play(state, 0, PlayStart("start_1"))
    assert [len(hand) for hand in state.hands] == [6, 7]
    play(state, 0, Pledge(5))
    play(state, 1, Pledge(3))
    play(state, 0, PayStart(tuple(state.hands[0][:5])))
    events = play(state, 1, PayStart(tuple(state.hands[1][:3])))
    assert [(event.seat, event.count) for event in only(events, CardsDrawn)] == [(0, 4), (1, 1)]
    state = table("start_1 1 2 3 4", piles=[pile])
    play(state, 0, PlayStart("start_1"))
    assert len(state.hands[0]) == 12
    play(state, 0, Pledge(8))
    events = play(state, 0, PayStart(tuple(state.hands[0][:8])))
    assert [event.count for event in only(events, CardsDrawn)] == [1]


@pytest.mark.rule("TRA-29", "TRA-33", "TRA-34")
def test_9_losing():
    grid = full(first=7, without=(20,))
    grid[19], grid[21] = Laid("island_47", 47, "", 0), Laid("island_55", 55, "", 0)
    for index in range(22, 36):
        grid[index] = Laid(f"island_{index + 40}", index + 40, "", 0)
    for index in range(19):
        grid[index] = Laid(f"island_{index + 1}", index + 1, "", 0)
    state = table("30 31", "50", grid=grid)
    assert play(state, 0, DiscardTwo(cards("30 31")))[-1] == VoyageLost(1, "no-action")
    grid[19] = grid[21] = None
    state = table("30 31", "50", grid=grid)
    assert phase(play(state, 0, DiscardTwo(cards("30 31")))) == ("action", (1,))
    state = table("start_1 1 2", "10 20", "30 40 50")
    assert play(state, 0, PlayStart("start_1"))[-1] == VoyageLost(0, "start-unpaid")


@pytest.mark.rule("TRA-36", "TRA-37", "TRA-38", "TRA-39")
def test_10_rocks():
    grid = full(without=(*range(6), *range(12, 36)))
    grid[12] = Laid("island_30", 30, "", 0)
    state = table(
        "40 32 60 61 62", "1 2", rocks=True, rocks_row=3, grid=grid, piles=["70 71 72 73 74", ""]
    )
    assert refusal(state, 0, PlayCard("island_40", (2, 3))) == "row-blocked"
    assert phase(play(state, 0, PlayCard("island_32", (1, 2), cards("61 62"))))[0] == "rocks"
    assert refusal(state, 0, MoveRocks(3)) == "same-row"
    assert refusal(state, 0, MoveRocks(1)) == "row-full"
    events = play(state, 0, KeepRocks(cards("40 60")))
    assert drawn_by(events) == [(0, cards("70 71 72 73 74"))]
    state = table(
        "46 48 1", "1 2", rocks=True, rocks_row=5, grid=full(without=(23, *range(24, 36)))
    )
    events = play(state, 0, PlayCard("island_46", (5, 3), cards("48")))
    assert kinds(events)[2:4] == ["rocks_removed", "draws_queued"]
    assert only(events, RocksRemoved)


@pytest.mark.rule("TRA-31", "TRA-42", "TRA-43", "TRA-44", "TRA-45")
def test_11_monsters_and_winning():
    grid = full()
    for index, number in ((33, 75), (34, 77), (35, 80)):
        grid[index] = Laid(f"island_{number}", number, "", 0)
    for index in range(33):
        grid[index] = Laid(f"island_{index + 1}", index + 1, "", 0)
    hands = ["78 60 61 62 63", "finish_2 50 51 52 53", "monster_1 55 56 57 58"]
    piles = ["1 2 3 40 41 42", "64 65 66 67 68", "70 71 72"]
    state = table(*hands, piles=piles, grid=grid, start="start_1", active=1, monsters=3)
    assert play(state, 1, PlayFinish("finish_2"))[0] == FinishBlocked(1, (2,))
    assert refusal(state, 1, PlayFinish("finish_2")) == "finish-blocked"
    play(state, 1, DiscardTwo(cards("50 51")))
    play(state, 2, PlayMonster("monster_1", (4, 5)))
    assert state.out == ["monster_1", "island_77"]
    assert refusal(state, 0, PlayCard("island_78", (4, 5), cards("60 61"))) is None
    play(state, 0, PlayCard("island_78", (4, 5), cards("60 61")))
    state.piles = [list(cards(pile)) for pile in ("1 2 3", "64 65", "70 71")]
    assert play(state, 1, PlayFinish("finish_2"))[-1] == VoyageWon(1)
    assert [len(hand) for hand in state.hands] == [5, 4, 5]
    assert state.result.scores == [67, 67, 67]


@pytest.mark.rule("TRA-48", "TRA-49", "TRA-54")
def test_12_yellow_storm_and_compass():
    def drawer():
        piles = ["9 storm_yellow_1 70 71", "", ""]
        state = table("1 2 3 4 5", "20 21", "30 31", piles=piles, storms=True)
        state.compasses[2] = ["compass_3"]
        events = play(state, 0, DiscardTwo(cards("1 2")))
        assert kinds(events)[2:] == ["cards_drawn", "storm_drawn", "phase_entered"]
        assert phase(events) == ("storm_window", (2,))
        assert refusal(state, 1, UseCompass("compass_3", "storm_yellow_1")) == "compass-not-held"
        return state

    state = drawer()
    assert phase(play(state, 2, LetPass())) == ("storm_discard", (0,))
    events = play(state, 0, ShedToLimit(cards("9")))
    assert kinds(events)[:3] == ["cards_discarded", "storm_landed", "draws_done"]
    assert len(state.hands[0]) == 3
    state = drawer()
    events = play(state, 2, UseCompass("compass_3", "storm_yellow_1"))
    assert state.out == ["compass_3", "storm_yellow_1"]
    assert drawn_by(events) == [(0, cards("70"))]
    assert len(state.hands[0]) == 5


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
    state = table(
        "60 61",
        "15 70",
        "wild_1 71",
        grid=grid,
        storms=True,
        wilds=1,
        active=1,
        piles=["", "72", ""],
    )
    events = play(state, 1, PlayCard("island_15", (3, 1), cards("70")))
    assert only(events, CompassGained) == [CompassGained(1, "compass_1", "row")]
    state.active = 0
    state.storms = [storm("storm_orange_1", seat=0)]
    assert refusal(state, 0, PlayCard("island_60", (0, 5))) == "must-be-adjacent"
    state.active = 2
    assert refusal(state, 2, PlayCard("wild_1", (1, 2), cards("71"), 15)) == "number-on-board"
    events = play(state, 2, PlayCard("wild_1", (1, 2), cards("71"), 34))
    assert (events[0].cost, state.grid[13].number) == (1, 34)


@pytest.mark.rule("TRA-67", "TRA-71", "TRA-72", "TRA-75", "TRA-76", "TRA-77")
def test_14_cooperative_variants():
    grid = full("high_arch", without=(7, *range(24, 30)))
    state = table("70 71", "1", variant="high_arch", grid=grid)
    assert refusal(state, 0, PlayCard("island_70", (2, 6))) == "lintel-locked"
    state.grid = full("high_arch", without=tuple(range(24, 30)))
    assert refusal(state, 0, PlayCard("island_70", (2, 6))) is None
    state = table("33 60 61 62", "1 2", variant="pyramid", grid=laid("pyramid", i5=31))
    state.explore = ["monster_4", "border_25"]
    events = play(state, 0, PlayCard("island_33", (0, 1), cards("60 61")))
    assert events[1] == CardsDiscarded(0, cards("60 61"), 2, "cost")
    play(state, 0, FeedMonster((5, 0)))
    assert state.grid[5] is None
    state = table("50 51 52", "60 61", variant="day_night")
    play(state, 0, PlayCard("island_50", (1, 3)))
    assert state.grid[19].side == "sun"
    play(state, 1, FlipCard((1, 3), "island_60"))
    assert state.grid[19].side == "moon"
    grid = full("day_night")
    grid[20] = Laid("island_41", 41, "sun", 0)
    state = table("finish_1", "1", variant="day_night", grid=grid, start="start_1")
    assert play(state, 0, PlayFinish("finish_1"))[-1] == VoyageLost(0, "wrong-side-up")


@pytest.mark.rule("TRA-80", "TRA-81", "TRA-83")
def test_15_competitive_tie_break():
    grid = [
        Laid(card.card, card.number, "", 0 if index < 18 else 1)
        for index, card in enumerate(full())
    ]
    grid[35] = None
    state = table("70 60", "1 2", variant="competitive", grid=grid)
    state.discards = [[f"island_{n}" for n in range(13)], [f"island_{n}" for n in range(8)]]
    assert play(state, 0, PlayCard("island_70", (5, 5), cards("60")))[-1] == RaceEnded(
        "grid-full", (43, 43), (1,)
    )
    state = table("24 60 61 62 63", "1 2", variant="competitive", grid=laid(i6=20, i8=27))
    state.row, state.deck = list(cards("1 2 3 4 5 6")), list(cards("70 71 72 73 74"))
    play(state, 0, PlayCard("island_24", (1, 1), cards("60 61 62")))
    assert refusal(state, 0, TakeCards(cards("1 2 3"))) == "wrong-take-count"
    play(state, 0, TakeCards(cards("1 2 3 4")))
    assert state.row == list(cards("5 6 70 71 72 73"))
