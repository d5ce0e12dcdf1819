"""Wild cards (TRA-61 to TRA-64)."""

import pytest

from games.tranquility import GAME
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
from tests.games.tranquility.board import (
    cards,
    dealt,
    drawn_by,
    full,
    kinds,
    laid,
    phase,
    play,
    refusal,
    storm,
    table,
)


@pytest.mark.rule("TRA-61")
def test_a_wild_stands_for_any_island_that_does_not_lie():
    state = table("wild_1 30", "40 50", grid=laid(i12=30), wilds=1)
    assert refusal(state, 0, PlayCard("wild_1", (2, 2), (), 30)) == "number-on-board"
    assert refusal(state, 0, PlayCard("wild_1", (2, 2), (), 81)) == "bad-number"
    assert refusal(state, 0, PlayCard("wild_1", (2, 2), (), 0)) == "bad-number"
    assert refusal(state, 0, PlayCard("island_30", (2, 2), (), 31)) == "bad-number"
    events = play(state, 0, PlayCard("wild_1", (2, 2), (), 50))
    assert events[0] == IslandPlaced(0, "wild_1", 50, (2, 2), 0, "", 0)
    assert refusal(state, 1, PlayCard("island_50", (4, 4))) == "number-on-board"


@pytest.mark.rule("TRA-61")
def test_a_wild_stands_for_a_start_a_finish_a_compass_and_a_monster():
    state = table("wild_1 1 2 3 4", "20 21 22 23", wilds=1)
    assert phase(play(state, 0, PlayStart("wild_1")))[0] == "start_pledge"
    state = table("wild_1", "20", grid=full(), start="start_1", wilds=1)
    assert play(state, 0, PlayFinish("wild_1"))[-1] == VoyageWon(0)
    state = table("wild_1 1 2", "20", grid=laid(i3=9), wilds=1, storms=True)
    state.storms = [storm("storm_orange_1", seat=1)]
    events = play(state, 0, UseCompass("wild_1", "storm_orange_1"))
    assert events[:2] == [
        CompassUsed(0, "wild_1", "storm_orange_1"),
        StormCancelled("storm_orange_1"),
    ]
    assert state.out == ["wild_1", "storm_orange_1"]
    state = table("wild_1 1 2", "20", grid=laid(i3=9), wilds=1)
    assert refusal(state, 0, PlayMonster("wild_1", (3, 0))) == "not-a-monster"
    state = table("wild_1 1 2", "20", grid=laid(i3=9), wilds=1, monsters=3)
    assert refusal(state, 0, PlayMonster("wild_1", (3, 0))) is None


@pytest.mark.rule("TRA-61")
def test_wilds_are_dealt_and_may_be_discarded():
    events = dealt(2, wilds=3)[1]
    assert sum(card.startswith("wild") for pile in events[0].piles for card in pile) == 3
    state = table("wild_1 30", "40 50", wilds=1)
    assert refusal(state, 0, DiscardTwo(("wild_1", "island_30"))) is None


@pytest.mark.rule("TRA-62")
def test_a_laid_wild_obeys_order_and_cost_and_may_name_a_lost_number():
    grid = laid(i6=33, i8=36)
    state = table("wild_1 60", "40 50", grid=grid, wilds=1, removed=["island_34"])
    assert refusal(state, 0, PlayCard("wild_1", (1, 1), (), 40)) == "order-broken"
    assert refusal(state, 0, PlayCard("wild_1", (1, 1), (), 34)) == "wrong-discard-count"
    events = play(state, 0, PlayCard("wild_1", (1, 1), cards("60"), 34))
    assert (events[0].cost, state.grid[7].number, state.grid[7].card) == (1, 34, "wild_1")
    assert (
        refusal(table("34 60", "1", grid=state.grid), 0, PlayCard("island_34", (0, 2)))
        == "number-on-board"
    )


@pytest.mark.rule("TRA-62")
def test_legal_offers_every_number_of_every_gap():
    state = table("wild_1", "40 50", grid=laid(i6=33, i8=36, i10=40), wilds=1)
    listed = [command for command in GAME.legal(state, 0) if isinstance(command, PlayCard)]
    offered = {(command.cell, command.as_) for command in listed}
    free = {(cell, number) for cell, number in offered if cell == (0, 0)}
    assert free == {((0, 0), number) for number in range(1, 33)}
    assert not any(cell in {(1, 1), (3, 1)} for cell, _ in offered)


@pytest.mark.rule("TRA-63")
def test_a_wild_never_has_to_be_laid_as_a_start():
    state = table("wild_1 1 2", "40 50", wilds=1)
    assert refusal(state, 0, DiscardTwo(cards("1 2"))) is None
    assert PlayStart("wild_1") in GAME.legal(state, 0)


@pytest.mark.rule("TRA-63")
def test_a_wild_as_a_start_costs_the_crew_the_same():
    state = table("wild_1 1 2 3 4", "20 21 22 23", piles=["5 6", "7 8"], wilds=1)
    events = play(state, 0, PlayStart("wild_1"))
    assert drawn_by(events) == [(0, cards("5 6")), (1, cards("7 8"))]
    assert phase(events) == ("start_pledge", (0, 1))
    assert state.start_placed == "wild_1"
    assert state.hands[0] == list(cards("1 2 3 4 5 6"))


@pytest.mark.rule("TRA-64")
def test_a_wild_compass_is_for_the_active_seat_in_its_action():
    state = table("wild_1 1 2", "wild_2 20", wilds=2, storms=True)
    state.storms = [storm("storm_purple_1", row=2)]
    assert refusal(state, 1, UseCompass("wild_2", "storm_purple_1")) == "wild-not-now"
    assert GAME.legal(state, 1) == []
    events = play(state, 0, UseCompass("wild_1", "storm_purple_1"))
    assert phase(events) == ("action", (0,))
    assert len(state.hands[0]) == 2
    state.phase = "rocks"
    state.hands[0].append("wild_3")
    assert refusal(state, 0, UseCompass("wild_3", "storm_purple_1")) == "wild-not-now"


@pytest.mark.rule("TRA-64")
def test_the_drawer_may_spend_a_wild_on_the_storm_being_resolved():
    for card, phase_name in (("storm_purple_1", "storm_row"), ("storm_yellow_1", "storm_discard")):
        state = table("wild_1 1 2 3", "wild_2 20", wilds=2, storms=True, phase=phase_name)
        state.pending_storm = PendingStorm(card, 0, "draw")
        state.storms = [storm("storm_orange_1", seat=0)]
        assert refusal(state, 0, UseCompass("wild_1", "storm_orange_1")) == "wild-not-now"
        assert refusal(state, 1, UseCompass("wild_2", card)) == "wild-not-now"
        events = play(state, 0, UseCompass("wild_1", card))
        assert kinds(events)[:2] == ["compass_used", "storm_cancelled"]
        assert state.pending_storm is None


@pytest.mark.rule("TRA-64")
def test_no_window_opens_for_a_wild_so_an_orange_storm_lands():
    state = table("1 2 3 wild_1", "20 21", piles=["storm_orange_1 9", ""], wilds=1, storms=True)
    events = play(state, 0, DiscardTwo(cards("1 2")))
    assert "storm_landed" in kinds(events)
    assert phase(events) == ("action", (1,))


@pytest.mark.rule("TRA-64")
def test_a_wild_does_not_help_to_shed_or_place():
    state = table("wild_1 1 2 3", "20", wilds=1, storms=True, phase="storm_discard")
    state.pending_storm = PendingStorm("storm_yellow_1", 0, "draw")
    assert refusal(state, 0, PlaceStorm(1)) == "wrong-phase"
    assert refusal(state, 0, ShedToLimit(("wild_1",))) is None
