"""Sea monsters (TRA-41 to TRA-47)."""

import pytest

from games.tranquility.commands import (
    DiscardHand,
    DiscardTwo,
    FlipCard,
    KeepRocks,
    PayStart,
    PlayCard,
    PlayFinish,
    PlayMonster,
    ShedToLimit,
)
from games.tranquility.events import FinishBlocked, MonsterPlayed, VoyageWon
from games.tranquility.model import Offer, PendingStorm
from tests.games.tranquility.table import (
    cards,
    dealt,
    drawn,
    full,
    laid,
    phase,
    table,
)

SHED = "monster-cannot-be-discarded"


@pytest.mark.rule("TRA-41")
@pytest.mark.parametrize("count", [0, 3, 4, 5])
def test_the_chosen_number_is_dealt_with_the_other_cards(count):
    events = dealt(2, monsters=count)[1].events
    dealt_cards = [card for pile in events[0].piles for card in pile]
    assert sorted(card for card in dealt_cards if card.startswith("monster")) == [
        f"monster_{number + 1}" for number in range(count)
    ]


@pytest.mark.rule("TRA-41")
def test_a_monster_fills_a_place_in_the_hand():
    given = table("1 2 3 4 5", "40 50", piles=["monster_1 6 7", ""], monsters=3)
    given.when(0, DiscardTwo(cards("1 2")))
    assert given.state.hands[0] == list(cards("3 4 5 6 monster_1"))


@pytest.mark.rule("TRA-42")
def test_a_monster_destroys_a_laid_island_and_goes_with_it():
    given = table("monster_2 1", "40 50", grid=laid(i5=12), piles=["9", ""], monsters=3)
    then = given.when(0, PlayMonster("monster_2", (5, 0)))
    assert then.events[0] == MonsterPlayed(0, "monster_2", (5, 0), "island_12")
    assert given.state.grid[5] is None
    assert given.state.out == ["monster_2", "island_12"]
    assert given.state.hands[0] == list(cards("1 9"))
    assert phase(then) == ("action", (1,))


@pytest.mark.rule("TRA-43")
def test_a_monster_is_never_discarded():
    hand = "1 2 3 monster_1"
    more = {"monsters": 3, "storms": True, "rocks": True}
    given = table(hand, "40 50", grid=laid(i5=12), **more)
    given.when(0, DiscardTwo(("island_1", "monster_1"))).refused(SHED)
    given.when(0, DiscardHand()).refused(SHED)
    given = table("14 1 monster_1 3", "40 50", grid=laid(i5=12), **more)
    given.when(0, PlayCard("island_14", (0, 1), ("island_1", "monster_1"))).refused(SHED)
    given = table(hand, "40 50", phase="rocks", **more)
    given.when(0, KeepRocks(("island_1", "monster_1"))).refused(SHED)
    given = table(hand, "40 50", phase="start_pay", start="start_1", **more)
    given.state.pledges = [Offer(2, from_deck=False)] * 2
    given.when(0, PayStart(("island_1", "monster_1"))).refused(SHED)
    given = table(hand, "40 50", phase="storm_discard", **more)
    given.state.pending_storm = PendingStorm("storm_yellow_1", 0, "draw")
    given.when(0, ShedToLimit(("monster_1",))).refused(SHED)
    grid = laid("day_night", i5=12)
    given = table(hand, "40 50", variant="day_night", monsters=3, grid=grid)
    given.when(0, FlipCard((5, 0), "monster_1")).refused(SHED)


@pytest.mark.rule("TRA-44")
def test_who_holds_a_monster_cannot_finish():
    given = table("finish_1 monster_1", "20", grid=full(), start="start_1", monsters=3)
    given.when(0, PlayFinish("finish_1")).refused("monster-in-own-hand")
    assert not given.legal(0, PlayFinish)


@pytest.mark.rule("TRA-44")
def test_a_wild_is_no_held_monster():
    given = table("finish_1 wild_1", "wild_2", grid=full(), start="start_1", monsters=3, wilds=2)
    assert given.when(0, PlayFinish("finish_1")).events[-1] == VoyageWon(0)


@pytest.mark.rule("TRA-45")
def test_a_monster_elsewhere_blocks_the_finish_which_returns_to_the_hand():
    hands = ["finish_1 10 20", "monster_1 30", "40 50", "monster_2 60 61"]
    given = table(*hands, grid=full(), start="start_1", monsters=3)
    assert PlayFinish("finish_1") in given.legal(0)
    then = given.when(0, PlayFinish("finish_1"))
    assert then.events[0] == FinishBlocked(0, (1, 3))
    assert phase(then) == ("action", (0,))
    assert given.state.hands[0] == list(cards("10 20 finish_1"))
    assert given.state.monster_holders == (1, 3)
    given.when(0, PlayFinish("finish_1")).refused("finish-blocked")
    assert not given.legal(0, PlayFinish)
    given.when(0, DiscardTwo(cards("10 20")))
    assert not given.state.finish_tried


@pytest.mark.rule("TRA-45")
def test_the_offer_to_finish_tells_nothing_about_monsters():
    with_monster = table("finish_1 10", "monster_1 20", grid=full(), start="start_1", monsters=3)
    without = table("finish_1 10", "21 20", grid=full(), start="start_1", monsters=3)
    assert with_monster.legal(0) == without.legal(0)


@pytest.mark.rule("TRA-45")
def test_an_announced_holder_is_forgotten_when_it_plays_a_monster():
    given = table("monster_1 30", "40", grid=full(), monsters=3, wilds=1, monster_holders=(0,))
    given.copy().when(0, PlayMonster("monster_1", (0, 0)))
    after = given.copy()
    after.when(0, PlayMonster("monster_1", (0, 0)))
    assert after.state.monster_holders == ()
    given.state.hands[0].append("wild_1")
    given.when(0, PlayMonster("wild_1", (0, 0)))
    assert given.state.monster_holders == (0,)


@pytest.mark.rule("TRA-46")
def test_a_wild_on_the_sea_can_be_destroyed():
    grid = drawn("""
        . . . . . .
        . . . . . .
        . . w34 . . .
        . . . . . .
        . . . . . .
        . . . . . .
    """)
    given = table("monster_1 30", "40", grid=grid, monsters=3, wilds=1, start="start_1")
    given.when(0, PlayMonster("monster_1", (2, 3)))
    assert given.state.out == ["monster_1", "wild_1"]
    assert given.state.start_placed == "start_1"


@pytest.mark.rule("TRA-47")
def test_without_an_island_there_is_nothing_to_destroy():
    given = table("monster_1 30 31", "40 50", monsters=3)
    given.when(0, PlayMonster("monster_1", (2, 3))).refused("cell-empty")
    assert not given.legal(0, PlayMonster)
    then = table("1 2", "monster_1", monsters=3).when(0, DiscardTwo(cards("1 2")))
    assert then.names[-1] == "voyage_lost"
