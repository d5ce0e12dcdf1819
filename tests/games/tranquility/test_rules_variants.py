"""High Arch, Pyramid and Day & Night (TRA-67 to TRA-78)."""

import pytest

from games.tranquility.commands import (
    DiscardHand,
    DiscardTwo,
    FeedMonster,
    FlipCard,
    MoveRocks,
    PlaceStorm,
    PlayCard,
    PlayFinish,
    PlayMonster,
    SetRocks,
    ShedToLimit,
)
from games.tranquility.components import LAYOUTS
from games.tranquility.events import (
    CardFlipped,
    CardsDiscarded,
    CompassGained,
    Explored,
    HandsTurned,
    IslandPlaced,
    MonsterPlayed,
    RocksMoved,
    RocksRemoved,
    StormDrawn,
    VoyageLost,
    VoyageWon,
)
from games.tranquility.model import Laid
from tests.games.tranquility.table import (
    cards,
    dealt,
    drawn_by,
    full,
    laid,
    phase,
    storm,
    table,
)


@pytest.mark.rule("TRA-67")
def test_the_arch_has_two_pillars_and_a_lintel():
    layout = LAYOUTS["high_arch"]
    assert layout.cells[:5] == ((0, 0), (1, 0), (4, 0), (5, 0), (0, 1))
    assert layout.cells[24:] == tuple((column, 6) for column in range(6))
    given = table("14 60 61", "20", variant="high_arch", grid=laid("high_arch", i1=12))
    assert not given.trial(0, PlayCard("island_14", (4, 0), cards("60 61"))).code
    given.when(0, PlayCard("island_14", (2, 0))).refused("no-such-cell")


@pytest.mark.rule("TRA-67")
def test_the_lintel_waits_for_the_pillars_and_is_locked_again_by_a_monster():
    grid = full("high_arch", without=(5, *range(24, 30)))
    hands, piles = ("11 12 70 71", "20 21 monster_1"), ["72 73 74", ""]
    given = table(*hands, variant="high_arch", grid=grid, monsters=3, piles=piles)
    lintel = PlayCard("island_70", (2, 6))
    given.when(0, lintel).refused("lintel-locked")
    assert lintel not in given.legal(0)
    given.when(0, PlayCard("island_11", (1, 1), cards("12 71")))
    given.state.active = 0
    assert not given.trial(0, lintel).code
    given.state.active = 1
    given.when(1, PlayMonster("monster_1", (1, 1)))
    given.when(0, lintel).refused("lintel-locked")


@pytest.mark.rule("TRA-68")
def test_everything_else_in_the_arch_is_the_standard_game():
    given, then = dealt(3, variant="high_arch")
    assert sum(map(len, then.events[0].piles)) == 85
    grid = laid("high_arch", i6=20, i8=27)
    given = table("24 60 61 62", "20 21", variant="high_arch", grid=grid)
    assert not given.trial(0, PlayCard("island_24", (5, 1), cards("60 61 62"))).code
    given = table("finish_1", "20", variant="high_arch", grid=full("high_arch"), start="start_1")
    assert given.when(0, PlayFinish("finish_1")).events[-1] == VoyageWon(0)
    assert (given.state.result.filled, given.state.result.cells) == (30, 30)


def pyramid(*hands, explore="", **more):
    more.setdefault("explore", list(cards(explore)))
    return table(*hands, variant="pyramid", **more)


LAY = PlayCard("island_33", (3, 2))


@pytest.mark.rule("TRA-69")
def test_the_pyramid_has_rows_of_six_down_to_one():
    layout = LAYOUTS["pyramid"]
    assert [len(row) for row in layout.rows] == [6, 5, 4, 3, 2, 1]
    assert layout.cells == tuple((c, r) for r in range(6) for c in range(6 - r))
    given = pyramid("33 60 61", "20", grid=laid("pyramid", i5=31))
    assert not given.trial(0, PlayCard("island_33", (0, 1), cards("60 61"))).code
    given.when(0, PlayCard("island_33", (5, 1))).refused("no-such-cell")


@pytest.mark.rule("TRA-70")
def test_the_exploration_deck_holds_what_the_piles_do_not():
    _, then = dealt(2, variant="pyramid", wilds=2)
    deal = then.events[0]
    assert len(deal.explore) == 27
    groups = [card.rsplit("_", 1)[0] for card in deal.explore]
    counts = {group: groups.count(group) for group in set(groups)}
    assert counts == {
        "finish": 5,
        "border": 4,
        "rocks": 1,
        "monster": 5,
        "compass": 6,
        "storm_yellow": 2,
        "storm_purple": 2,
        "storm_orange": 2,
    }
    dealt_cards = [card for pile in deal.piles for card in pile]
    assert {card.split("_")[0] for card in dealt_cards} == {"island", "wild"}
    assert len(dealt_cards) == 82


@pytest.mark.rule("TRA-71")
def test_laying_reveals_the_top_exploration_card_after_the_payment():
    given = pyramid("33 60 61", "20 21", grid=laid("pyramid", i5=31), explore="border_22 finish_1")
    then = given.when(0, PlayCard("island_33", (0, 1), cards("60 61")))
    assert then.names[:3] == ["island_placed", "cards_discarded", "explored"]
    assert then.events[2] == Explored(0, "border_22")
    assert given.state.explore == ["finish_1"]
    assert given.state.out == ["border_22"]


@pytest.mark.rule("TRA-71")
def test_an_empty_exploration_deck_reveals_nothing():
    then = pyramid("33 60", "20 21").when(0, LAY)
    assert not then.of(Explored)
    assert phase(then) == ("action", (1,))


@pytest.mark.rule("TRA-71")
def test_a_reopened_cell_is_explored_again():
    given = pyramid("33 60", "20 21", "33 70", explore="monster_1 border_25")
    given.when(0, LAY)
    given.when(0, FeedMonster((3, 2)))
    assert given.state.grid == [None] * 21
    given.state.active = 2
    assert given.when(2, LAY).of(Explored) == [Explored(2, "border_25")]


@pytest.mark.rule("TRA-72")
def test_an_explored_finish_comes_to_the_hand_and_a_compass_to_its_holder():
    given = pyramid("33 60 61", "20 21", explore="finish_3", piles=["1 2 3", ""])
    then = given.when(0, LAY)
    assert given.state.hands[0] == list(cards("1 2 60 61 finish_3"))
    assert phase(then) == ("action", (1,))
    given = pyramid("33 60 61", "20 21", explore="compass_4")
    then = given.when(0, LAY)
    assert then.of(CompassGained) == [CompassGained(0, "compass_4", "explored")]
    assert given.state.compasses[0] == ["compass_4"]
    assert given.state.revealed is None


@pytest.mark.rule("TRA-72")
def test_an_explored_storm_is_resolved_as_if_drawn():
    given = pyramid("33 1 2 3 4 5", "20 21", explore="storm_yellow_1", piles=["71 72", ""])
    then = given.when(0, LAY)
    assert then.of(StormDrawn) == [StormDrawn(0, "storm_yellow_1", "explore")]
    assert phase(then) == ("storm_discard", (0,))
    then = given.when(0, ShedToLimit(cards("1 2")))
    assert drawn_by(then) == []
    assert phase(then) == ("action", (1,))
    given = pyramid("33 1 2 3", "20 21", explore="storm_purple_1", rocks_row=0)
    given.when(0, LAY)
    assert phase(given.when(0, PlaceStorm(4))) == ("rocks", (0,))


@pytest.mark.rule("TRA-72")
def test_an_explored_monster_destroys_an_island_at_once_also_a_blocked_or_the_new_one():
    given = pyramid("33 60", "20 21", explore="monster_4", grid=laid("pyramid", i5=31))
    given.state.storms = [storm("storm_purple_1", row=0)]
    then = given.when(0, LAY)
    assert phase(then) == ("explore_monster", (0,))
    assert given.state.revealed == "monster_4"
    assert set(given.legal(0)) == {FeedMonster((5, 0)), FeedMonster((3, 2))}
    given.when(0, FeedMonster((0, 0))).refused("cell-empty")
    given.when(0, FeedMonster((5, 1))).refused("no-such-cell")
    then = given.when(0, FeedMonster((5, 0)))
    assert then.events[0] == MonsterPlayed(0, "monster_4", (5, 0), "island_31")
    assert given.state.out == ["monster_4", "island_31"]
    assert given.state.revealed is None


@pytest.mark.rule("TRA-72")
def test_explored_rocks_are_set_on_a_row_and_move_from_the_next_turn_on():
    given = pyramid("33 60 61", "20 21 22", explore="rocks", piles=["1 2", "3 4"])
    assert phase(given.when(0, LAY)) == ("explore_rocks", (0,))
    given.when(0, SetRocks(6)).refused("no-such-row")
    then = given.when(0, SetRocks(2))
    assert then.events[0] == RocksMoved(0, 2)
    assert (given.state.rocks_row, given.state.revealed) == (2, None)
    assert phase(then) == ("action", (1,))
    assert phase(given.when(1, DiscardTwo(cards("20 21")))) == ("rocks", (1,))
    given.when(1, MoveRocks(2)).refused("same-row")


@pytest.mark.rule("TRA-72")
def test_explored_rocks_leave_at_once_over_four_full_rows():
    grid = full("pyramid", without=(16, 18, 19))
    given = pyramid("33 60 61", "20 21", explore="rocks", grid=grid)
    then = given.when(0, PlayCard("island_33", (1, 3), cards("60 61")))
    assert then.of(RocksRemoved)
    assert given.state.rocks_done
    assert given.state.revealed is None
    assert phase(then) == ("action", (1,))


@pytest.mark.rule("TRA-73")
def test_monsters_stay_out_of_hands_and_no_compass_is_gained_otherwise():
    given, _ = dealt(3, variant="pyramid")
    assert given.state.compass_supply == []
    given = pyramid("1 2 3", "20 21")
    given.when(0, DiscardHand()).refused("no-compass-rule")
    given = pyramid("wild_1 2 3", "20 21", wilds=1, grid=laid("pyramid", i5=31))
    given.when(0, PlayMonster("wild_1", (5, 0))).refused("not-a-monster")


def day(*hands, **more):
    return table(*hands, variant="day_night", **more)


@pytest.mark.rule("TRA-74")
def test_an_island_lies_as_the_hands_face():
    given = day("50 51", "20 21")
    assert given.state.hands_side == "sun"
    then = given.when(0, PlayCard("island_50", (1, 3)))
    assert then.of(IslandPlaced)[0].side == "sun"
    given.state.hands_side = "moon"
    given.when(1, PlayCard("island_20", (1, 1)))
    assert [card.side for card in given.state.grid if card is not None] == ["moon", "sun"]


@pytest.mark.rule("TRA-75")
def test_the_lower_half_must_be_sun_and_the_upper_moon():
    given = day("finish_1", "20", grid=full("day_night"), start="start_1")
    assert given.when(0, PlayFinish("finish_1")).events[-1] == VoyageWon(0)
    for index in (0, 17, 18, 35):
        grid = full("day_night")
        right = grid[index]
        wrong = "moon" if right.side == "sun" else "sun"
        grid[index] = Laid(right.card, right.number, wrong, 0)
        given = day("finish_1", "20", grid=grid, start="start_1")
        assert given.when(0, PlayFinish("finish_1")).events[-1] == VoyageLost(0, "wrong-side-up")


@pytest.mark.rule("TRA-76")
def test_laying_a_losing_finish_is_legal():
    grid = full("day_night")
    grid[0] = Laid("island_1", 1, "moon", 0)
    given = day("finish_1", "20", grid=grid, start="start_1")
    assert PlayFinish("finish_1") in given.legal(0)
    then = given.when(0, PlayFinish("finish_1"))
    assert then.names == ["finish_placed", "voyage_lost"]
    assert given.state.result.scores == [36, 36]


@pytest.mark.rule("TRA-77")
def test_a_card_is_flipped_for_a_discard_also_in_a_blocked_row():
    given = day("50 51", "20 21", grid=laid("day_night", i20=40), rocks=True, rocks_row=3)
    command = FlipCard((2, 3), "island_51")
    assert command in given.legal(0)
    then = given.when(0, command)
    assert then.events[:2] == [
        CardFlipped(0, (2, 3), "moon"),
        CardsDiscarded(0, ("island_51",), 1, "flip"),
    ]
    assert phase(then) == ("rocks", (0,))
    table("50 51", "20").when(0, FlipCard((2, 3), "island_51")).refused("no-sides-here")


@pytest.mark.rule("TRA-78")
def test_discarding_two_may_turn_all_hands_and_nothing_else_does():
    given = day("50 51", "20 21", "30 31")
    then = given.when(0, DiscardTwo(cards("50 51"), turn_hands=True))
    assert then.events[1] == HandsTurned("moon")
    assert given.state.hands_side == "moon"
    given.when(1, DiscardTwo(cards("20 21")))
    assert given.state.hands_side == "moon"
    table("50 51", "20").when(0, DiscardTwo(cards("50 51"), turn_hands=True)).refused(
        "no-sides-here"
    )
    listed = {
        command.turn_hands
        for command in day("1 2", "3").legal(0)
        if isinstance(command, DiscardTwo)
    }
    assert listed == {False, True}


@pytest.mark.rule("TRA-78")
def test_a_flip_counts_as_an_action():
    grid = full("day_night", without=(20,))
    given = day("50 51", "2", grid=grid)
    assert phase(given.when(0, DiscardTwo(cards("50 51")))) == ("action", (1,))
    assert all(isinstance(command, FlipCard) for command in given.legal(1))


@pytest.mark.rule("TRA-37", "TRA-72")
@pytest.mark.parametrize("card", ["compass_1", "border_25", "finish_1", "monster_1"])
def test_rocks_on_the_table_are_asked_for_after_the_explored_card(card):
    given = table("40 41", "1 2", variant="pyramid", rocks_row=5, explore=[card])
    then = given.when(0, PlayCard("island_40", (2, 2)))
    if card == "monster_1":
        then = given.when(0, FeedMonster((2, 2)))
    assert phase(then) == ("rocks", (0,))
