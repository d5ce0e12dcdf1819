"""Wild cards (TRA-61 to TRA-64)."""

import pytest

from games.tranquility.commands import (
    DiscardTwo,
    PlaceStorm,
    PlayCard,
    PlayFinish,
    PlayMonster,
    PlayStart,
    ShedToLimit,
    UseCompass,
)
from games.tranquility.events import CompassUsed, IslandPlaced, StormCancelled, VoyageWon
from games.tranquility.model import PendingStorm
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


@pytest.mark.rule("TRA-61")
def test_a_wild_stands_for_any_island_that_does_not_lie():
    given = table("wild_1 30", "40 50", grid=laid(i12=30), wilds=1)
    given.when(0, PlayCard("wild_1", (2, 2), (), 30)).refused("number-on-board")
    given.when(0, PlayCard("wild_1", (2, 2), (), 81)).refused("bad-number")
    given.when(0, PlayCard("wild_1", (2, 2), (), 0)).refused("bad-number")
    given.when(0, PlayCard("island_30", (2, 2), (), 31)).refused("bad-number")
    then = given.when(0, PlayCard("wild_1", (2, 2), (), 50))
    assert then.events[0] == IslandPlaced(0, "wild_1", 50, (2, 2), 0, "", 0)
    given.when(1, PlayCard("island_50", (4, 4))).refused("number-on-board")


@pytest.mark.rule("TRA-61")
def test_a_wild_stands_for_a_start_a_finish_a_compass_and_a_monster():
    given = table("wild_1 1 2 3 4", "20 21 22 23", wilds=1)
    assert phase(given.when(0, PlayStart("wild_1")))[0] == "start_pledge"
    given = table("wild_1", "20", grid=full(), start="start_1", wilds=1)
    assert given.when(0, PlayFinish("wild_1")).events[-1] == VoyageWon(0)
    given = table("wild_1 1 2", "20", grid=laid(i3=9), wilds=1, storms=True)
    given.state.storms = [storm("storm_orange_1", seat=1)]
    then = given.when(0, UseCompass("wild_1", "storm_orange_1"))
    assert then.events[:2] == [
        CompassUsed(0, "wild_1", "storm_orange_1"),
        StormCancelled("storm_orange_1"),
    ]
    assert given.state.out == ["wild_1", "storm_orange_1"]
    given = table("wild_1 1 2", "20", grid=laid(i3=9), wilds=1)
    given.when(0, PlayMonster("wild_1", (3, 0))).refused("not-a-monster")
    given = table("wild_1 1 2", "20", grid=laid(i3=9), wilds=1, monsters=3)
    assert not given.trial(0, PlayMonster("wild_1", (3, 0))).code


@pytest.mark.rule("TRA-61")
def test_wilds_are_dealt_and_may_be_discarded():
    events = dealt(2, wilds=3)[1].events
    assert sum(card.startswith("wild") for pile in events[0].piles for card in pile) == 3
    given = table("wild_1 30", "40 50", wilds=1)
    assert not given.trial(0, DiscardTwo(("wild_1", "island_30"))).code


@pytest.mark.rule("TRA-62")
def test_a_laid_wild_obeys_order_and_cost_and_may_name_a_lost_number():
    grid = laid(i6=33, i8=36)
    given = table("wild_1 60", "40 50", grid=grid, wilds=1, removed=["island_34"])
    given.when(0, PlayCard("wild_1", (1, 1), (), 40)).refused("order-broken")
    given.when(0, PlayCard("wild_1", (1, 1), (), 34)).refused("wrong-discard-count")
    then = given.when(0, PlayCard("wild_1", (1, 1), cards("60"), 34))
    assert (then.events[0].cost, given.state.grid[7].number, given.state.grid[7].card) == (
        1,
        34,
        "wild_1",
    )
    table("34 60", "1", grid=given.state.grid).when(0, PlayCard("island_34", (0, 2))).refused(
        "number-on-board"
    )


@pytest.mark.rule("TRA-62")
def test_legal_offers_every_number_of_every_gap():
    given = table("wild_1", "40 50", grid=laid(i6=33, i8=36, i10=40), wilds=1)
    listed = given.legal(0, PlayCard)
    offered = {(command.cell, command.as_) for command in listed}
    free = {(cell, number) for cell, number in offered if cell == (0, 0)}
    assert free == {((0, 0), number) for number in range(1, 33)}
    assert not any(cell in {(1, 1), (3, 1)} for cell, _ in offered)


@pytest.mark.rule("TRA-63")
def test_a_wild_never_has_to_be_laid_as_a_start():
    given = table("wild_1 1 2", "40 50", wilds=1)
    assert not given.trial(0, DiscardTwo(cards("1 2"))).code
    assert PlayStart("wild_1") in given.legal(0)


@pytest.mark.rule("TRA-63")
def test_a_wild_as_a_start_costs_the_crew_the_same():
    given = table("wild_1 1 2 3 4", "20 21 22 23", piles=["5 6", "7 8"], wilds=1)
    then = given.when(0, PlayStart("wild_1"))
    assert drawn_by(then) == [(0, cards("5 6")), (1, cards("7 8"))]
    assert phase(then) == ("start_pledge", (0, 1))
    assert given.state.start_placed == "wild_1"
    assert given.state.hands[0] == list(cards("1 2 3 4 5 6"))


@pytest.mark.rule("TRA-64")
def test_a_wild_compass_is_for_the_active_seat_in_its_action():
    given = table("wild_1 1 2", "wild_2 20", wilds=2, storms=True)
    given.state.storms = [storm("storm_purple_1", row=2)]
    given.when(1, UseCompass("wild_2", "storm_purple_1")).refused("wild-not-now")
    assert given.legal(1) == []
    then = given.when(0, UseCompass("wild_1", "storm_purple_1"))
    assert phase(then) == ("action", (0,))
    assert len(given.state.hands[0]) == 2
    given.state.phase = "rocks"
    given.state.hands[0].append("wild_3")
    given.when(0, UseCompass("wild_3", "storm_purple_1")).refused("wild-not-now")


@pytest.mark.rule("TRA-64")
def test_the_drawer_may_spend_a_wild_on_the_storm_being_resolved():
    for card, phase_name in (("storm_purple_1", "storm_row"), ("storm_yellow_1", "storm_discard")):
        given = table("wild_1 1 2 3", "wild_2 20", wilds=2, storms=True, phase=phase_name)
        given.state.pending_storm = PendingStorm(card, 0, "draw")
        given.state.storms = [storm("storm_orange_1", seat=0)]
        given.when(0, UseCompass("wild_1", "storm_orange_1")).refused("wild-not-now")
        given.when(1, UseCompass("wild_2", card)).refused("wild-not-now")
        then = given.when(0, UseCompass("wild_1", card))
        assert then.names[:2] == ["compass_used", "storm_cancelled"]
        assert given.state.pending_storm is None


@pytest.mark.rule("TRA-64")
def test_no_window_opens_for_a_wild_so_an_orange_storm_lands():
    given = table("1 2 3 wild_1", "20 21", piles=["storm_orange_1 9", ""], wilds=1, storms=True)
    then = given.when(0, DiscardTwo(cards("1 2")))
    assert "storm_landed" in then.names
    assert phase(then) == ("action", (1,))


@pytest.mark.rule("TRA-64")
def test_a_wild_does_not_help_to_shed_or_place():
    given = table("wild_1 1 2 3", "20", wilds=1, storms=True, phase="storm_discard")
    given.state.pending_storm = PendingStorm("storm_yellow_1", 0, "draw")
    given.when(0, PlaceStorm(1)).refused("wrong-phase")
    assert not given.trial(0, ShedToLimit(("wild_1",))).code
