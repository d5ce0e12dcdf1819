"""Sea monsters (TRA-41 to TRA-47)."""

import pytest

from games.tranquility import GAME
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
from tests.games.tranquility.board import (
    cards,
    dealt,
    drawn,
    full,
    kinds,
    laid,
    phase,
    play,
    refusal,
    table,
)

SHED = "monster-cannot-be-discarded"


@pytest.mark.rule("TRA-41")
@pytest.mark.parametrize("count", [0, 3, 4, 5])
def test_the_chosen_number_is_dealt_with_the_other_cards(count):
    events = dealt(2, monsters=count)[1]
    dealt_cards = [card for pile in events[0].piles for card in pile]
    assert sorted(card for card in dealt_cards if card.startswith("monster")) == [
        f"monster_{number + 1}" for number in range(count)
    ]


@pytest.mark.rule("TRA-41")
def test_a_monster_fills_a_place_in_the_hand():
    state = table("1 2 3 4 5", "40 50", piles=["monster_1 6 7", ""], monsters=3)
    play(state, 0, DiscardTwo(cards("1 2")))
    assert state.hands[0] == list(cards("3 4 5 6 monster_1"))


@pytest.mark.rule("TRA-42")
def test_a_monster_destroys_a_laid_island_and_goes_with_it():
    state = table("monster_2 1", "40 50", grid=laid(i5=12), piles=["9", ""], monsters=3)
    events = play(state, 0, PlayMonster("monster_2", (5, 0)))
    assert events[0] == MonsterPlayed(0, "monster_2", (5, 0), "island_12")
    assert state.grid[5] is None
    assert state.out == ["monster_2", "island_12"]
    assert state.hands[0] == list(cards("1 9"))
    assert phase(events) == ("action", (1,))


@pytest.mark.rule("TRA-43")
def test_a_monster_is_never_discarded():
    hand = "1 2 3 monster_1"
    more = {"monsters": 3, "storms": True, "rocks": True}
    state = table(hand, "40 50", grid=laid(i5=12), **more)
    assert refusal(state, 0, DiscardTwo(("island_1", "monster_1"))) == SHED
    assert refusal(state, 0, DiscardHand()) == SHED
    state = table("14 1 monster_1 3", "40 50", grid=laid(i5=12), **more)
    assert refusal(state, 0, PlayCard("island_14", (0, 1), ("island_1", "monster_1"))) == SHED
    state = table(hand, "40 50", phase="rocks", **more)
    assert refusal(state, 0, KeepRocks(("island_1", "monster_1"))) == SHED
    state = table(hand, "40 50", phase="start_pay", start="start_1", **more)
    state.pledges = [Offer(2, from_deck=False)] * 2
    assert refusal(state, 0, PayStart(("island_1", "monster_1"))) == SHED
    state = table(hand, "40 50", phase="storm_discard", **more)
    state.pending_storm = PendingStorm("storm_yellow_1", 0, "draw")
    assert refusal(state, 0, ShedToLimit(("monster_1",))) == SHED
    grid = laid("day_night", i5=12)
    state = table(hand, "40 50", variant="day_night", monsters=3, grid=grid)
    assert refusal(state, 0, FlipCard((5, 0), "monster_1")) == SHED


@pytest.mark.rule("TRA-44")
def test_who_holds_a_monster_cannot_finish():
    state = table("finish_1 monster_1", "20", grid=full(), start="start_1", monsters=3)
    assert refusal(state, 0, PlayFinish("finish_1")) == "monster-in-own-hand"
    assert not any(isinstance(command, PlayFinish) for command in GAME.legal(state, 0))


@pytest.mark.rule("TRA-44")
def test_a_wild_is_no_held_monster():
    state = table("finish_1 wild_1", "wild_2", grid=full(), start="start_1", monsters=3, wilds=2)
    assert play(state, 0, PlayFinish("finish_1"))[-1] == VoyageWon(0)


@pytest.mark.rule("TRA-45")
def test_a_monster_elsewhere_blocks_the_finish_which_returns_to_the_hand():
    hands = ["finish_1 10 20", "monster_1 30", "40 50", "monster_2 60 61"]
    state = table(*hands, grid=full(), start="start_1", monsters=3)
    assert PlayFinish("finish_1") in GAME.legal(state, 0)
    events = play(state, 0, PlayFinish("finish_1"))
    assert events[0] == FinishBlocked(0, (1, 3))
    assert phase(events) == ("action", (0,))
    assert state.hands[0] == list(cards("10 20 finish_1"))
    assert state.monster_holders == (1, 3)
    assert refusal(state, 0, PlayFinish("finish_1")) == "finish-blocked"
    assert not any(isinstance(command, PlayFinish) for command in GAME.legal(state, 0))
    play(state, 0, DiscardTwo(cards("10 20")))
    assert not state.finish_tried


@pytest.mark.rule("TRA-45")
def test_the_offer_to_finish_tells_nothing_about_monsters():
    with_monster = table("finish_1 10", "monster_1 20", grid=full(), start="start_1", monsters=3)
    without = table("finish_1 10", "21 20", grid=full(), start="start_1", monsters=3)
    assert GAME.legal(with_monster, 0) == GAME.legal(without, 0)


@pytest.mark.rule("TRA-45")
def test_an_announced_holder_is_forgotten_when_it_plays_a_monster():
    state = table("monster_1 30", "40", grid=full(), monsters=3, wilds=1, monster_holders=[0])
    play(state.copy(), 0, PlayMonster("monster_1", (0, 0)))
    after = state.copy()
    play(after, 0, PlayMonster("monster_1", (0, 0)))
    assert after.monster_holders == ()
    state.hands[0].append("wild_1")
    play(state, 0, PlayMonster("wild_1", (0, 0)))
    assert state.monster_holders == (0,)


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
    state = table("monster_1 30", "40", grid=grid, monsters=3, wilds=1, start="start_1")
    play(state, 0, PlayMonster("monster_1", (2, 3)))
    assert state.out == ["monster_1", "wild_1"]
    assert state.start_placed == "start_1"


@pytest.mark.rule("TRA-47")
def test_without_an_island_there_is_nothing_to_destroy():
    state = table("monster_1 30 31", "40 50", monsters=3)
    assert refusal(state, 0, PlayMonster("monster_1", (2, 3))) == "cell-empty"
    assert not any(isinstance(command, PlayMonster) for command in GAME.legal(state, 0))
    events = play(table("1 2", "monster_1", monsters=3), 0, DiscardTwo(cards("1 2")))
    assert kinds(events)[-1] == "voyage_lost"
