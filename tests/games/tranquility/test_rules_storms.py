"""Storms (TRA-48 to TRA-53)."""

import pytest

from games.tranquility.commands import (
    DiscardHand,
    DiscardTwo,
    PlaceStorm,
    PlayCard,
    PlayFinish,
    PlayMonster,
    PlayStart,
    ShedToLimit,
    UseCompass,
)
from games.tranquility.events import (
    CardsDiscarded,
    StormDrawn,
    StormFizzled,
    StormLanded,
)
from games.tranquility.model import PendingStorm
from tests.games.tranquility.table import (
    THROW,
    cards,
    dealt,
    drawing,
    drawn_by,
    full,
    laid,
    phase,
    storm,
    stormy,
    table,
)


@pytest.mark.rule("TRA-48")
def test_six_storms_are_dealt_with_the_other_cards():
    events = dealt(2, storms=True)[1].events
    dealt_cards = [card for pile in events[0].piles for card in pile]
    assert sum(card.startswith("storm") for card in dealt_cards) == 6
    assert dealt(2)[0].state.compass_supply == []
    assert dealt(2, storms=True)[0].state.compass_supply == [f"compass_{n}" for n in range(1, 7)]


@pytest.mark.rule("TRA-48")
def test_a_storm_is_resolved_when_drawn_and_drawing_goes_on():
    given = drawing("storm_orange_1")
    then = given.when(0, THROW)
    assert then.of(StormDrawn) == [StormDrawn(0, "storm_orange_1", "draw")]
    assert drawn_by(then) == [(0, cards("71 72"))]
    assert given.state.storms == [storm("storm_orange_1", seat=0)]


@pytest.mark.rule("TRA-49")
def test_a_yellow_storm_makes_its_drawer_shed_to_three():
    given = stormy("1 2 3 4 5", "20 21", piles=["9 storm_yellow_1 70", ""])
    then = given.when(0, THROW)
    assert phase(then) == ("storm_discard", (0,))
    given.when(1, ShedToLimit(cards("3"))).refused("not-your-turn")
    given.when(0, ShedToLimit(cards("3 4"))).refused("wrong-discard-count")
    then = given.when(0, ShedToLimit(cards("4")))
    assert then.events[:2] == [
        CardsDiscarded(0, cards("4"), 1, "storm"),
        StormLanded("storm_yellow_1", 0, -1),
    ]
    assert drawn_by(then) == []
    assert given.state.hands[0] == list(cards("3 5 9"))
    assert phase(then) == ("action", (1,))


@pytest.mark.rule("TRA-49")
def test_three_cards_or_fewer_are_kept_and_three_is_the_limit():
    given = drawing("storm_yellow_1", hand="1 2 3 4")
    then = given.when(0, THROW)
    assert "storm_landed" in then.names
    assert drawn_by(then) == [(0, cards("71"))]
    assert len(given.state.hands[0]) == 3


@pytest.mark.rule("TRA-49")
def test_two_yellow_storms_still_mean_three():
    given = drawing("storm_yellow_2", hand="1 2 3")
    given.state.storms = [storm("storm_yellow_1", seat=0)]
    given.when(0, THROW)
    assert len(given.state.hands[0]) == 3
    given.state.compasses[1] = ["compass_1"]
    given.when(1, UseCompass("compass_1", "storm_yellow_1"))
    given.state.active = 0
    given.when(0, DiscardTwo(tuple(given.state.hands[0][:2])))
    assert len(given.state.hands[0]) == 3


@pytest.mark.rule("TRA-50")
def test_what_cannot_be_discarded_is_kept_above_three():
    hand = "1 2 3 monster_1 monster_2 monster_3 start_1"
    given = stormy(hand, "20", monsters=3, phase="storm_discard")
    given.state.pending_storm = PendingStorm("storm_yellow_1", 0, "draw")
    assert given.legal(0) == [ShedToLimit(cards("1 2 3"))]
    given.when(0, ShedToLimit(cards("3 2 1")))
    assert len(given.state.hands[0]) == 4
    given = drawing(
        "storm_yellow_1", hand="1 2 monster_1 monster_2 monster_3 monster_4", monsters=4
    )
    given.state.grid = laid(i3=9)
    then = given.when(0, THROW)
    assert "storm_discard" not in str(then.events)
    assert given.state.storms == [storm("storm_yellow_1", seat=0)]


@pytest.mark.rule("TRA-52")
def test_a_purple_storm_is_laid_on_a_row_with_a_free_cell_and_blocks_it():
    given = drawing("storm_purple_1", grid=full(without=tuple(range(6, 36))))
    then = given.when(0, THROW)
    assert phase(then) == ("storm_row", (0,))
    assert given.legal(0) == [PlaceStorm(row) for row in range(1, 6)]
    given.when(0, PlaceStorm(0)).refused("row-full")
    given.when(0, PlaceStorm(6)).refused("no-such-row")
    given.when(1, PlaceStorm(3)).refused("not-your-turn")
    then = given.when(0, PlaceStorm(3))
    assert then.events[0] == StormLanded("storm_purple_1", -1, 3)
    assert drawn_by(then) == [(0, cards("71 72"))]
    given.when(1, PlayCard("island_20", (2, 3))).refused("row-blocked")
    given.state.compasses[0] = ["compass_1"]
    given.when(0, UseCompass("compass_1", "storm_purple_1"))
    assert not given.trial(1, PlayCard("island_20", (2, 3))).code


@pytest.mark.rule("TRA-52")
def test_a_blocked_row_may_take_another_purple_storm_or_rocks():
    given = drawing("storm_purple_2", rocks=True)
    given.state.storms = [storm("storm_purple_1", row=3)]
    given.when(0, THROW)
    given.state.rocks_row = 2
    play_on = given.copy()
    assert not play_on.trial(0, PlaceStorm(2)).code
    given.when(0, PlaceStorm(3))
    given.state.compasses[0] = ["compass_1"]
    given.when(0, UseCompass("compass_1", "storm_purple_1"))
    given.when(1, PlayCard("island_20", (2, 3))).refused("row-blocked")


@pytest.mark.rule("TRA-52")
@pytest.mark.parametrize("row", range(6))
def test_any_row_may_be_blocked(row):
    given = stormy("40 41", "20 21")
    given.state.storms = [storm("storm_purple_1", row=row)]
    for other in range(6):
        code = given.trial(0, PlayCard("island_40", (3, other))).code
        assert code == ("row-blocked" if other == row else "")


@pytest.mark.rule("TRA-52")
def test_a_purple_storm_fizzles_over_a_full_sea():
    given = drawing("storm_purple_1", grid=full())
    then = given.when(0, THROW)
    assert then.of(StormFizzled) == [StormFizzled("storm_purple_1")]
    assert given.state.out == ["storm_purple_1"]
    assert drawn_by(then) == [(0, cards("71 72"))]


@pytest.mark.rule("TRA-53")
def test_under_an_orange_storm_islands_go_beside_laid_ones_only():
    given = stormy("60 61 30", "20 21", grid=laid(i12=28))
    given.state.storms = [storm("storm_orange_1", seat=0)]
    given.when(0, PlayCard("island_60", (3, 4))).refused("must-be-adjacent")
    assert not given.trial(0, PlayCard("island_30", (1, 2), cards("60 61"))).code
    listed = given.legal(0, PlayCard)
    assert {command.cell for command in listed} == {(1, 2)}
    assert not given.trial(0, DiscardTwo(cards("60 61"))).code
    given.state.storms = [storm("storm_orange_1", seat=1)]
    assert not given.trial(0, PlayCard("island_60", (3, 4))).code


@pytest.mark.rule("TRA-53")
def test_an_orange_storm_restricts_nothing_else():
    given = stormy("monster_1 finish_1 30 31", "20", monsters=3, grid=full(), start="start_1")
    given.state.storms = [storm("storm_orange_1", seat=0)]
    assert not given.trial(0, PlayMonster("monster_1", (0, 0))).code
    given.state.hands[0].remove("monster_1")
    assert not given.trial(0, DiscardHand()).code
    assert not given.trial(0, PlayFinish("finish_1")).code
    given = stormy("start_1 1 2 3 4", "20 21 22 23")
    given.state.storms = [storm("storm_orange_1", seat=0)]
    assert not given.trial(0, PlayStart("start_1")).code


@pytest.mark.rule("TRA-51")
def test_legal_pledges_count_the_deck_share_on_top_of_the_hand():
    given = table("1 2 3", "20 21", phase="start_pledge", start="start_1", storms=True, shares=(0,))
    pledges = [(offer.count, offer.from_deck) for offer in given.legal(0)]
    assert pledges == [(n, False) for n in range(4)] + [(n, True) for n in range(2, 6)]
