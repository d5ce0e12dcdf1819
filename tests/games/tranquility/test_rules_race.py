"""The race of two (TRA-79 to TRA-84)."""

import msgspec
import pytest

from games.tranquility import GAME
from games.tranquility.commands import (
    DiscardTwo,
    PlayCard,
    TakeCards,
)
from games.tranquility.events import (
    RaceEnded,
    RowRefilled,
    RowTaken,
)
from games.tranquility.model import Laid
from tests.games.tranquility.table import (
    cards,
    dealt,
    full,
    laid,
    phase,
    table,
)


def race(*hands, row="", deck="", **more):
    given = table(*hands, variant="competitive", **more)
    given.state.row, given.state.deck = list(cards(row)), list(cards(deck))
    return given


@pytest.mark.rule("TRA-79")
def test_two_rivals_take_cards_from_a_face_up_row():
    given, then = dealt(2, variant="competitive", difficulty="galatea")
    assert then.names == ["dealt", "turn_begun", "phase_entered"]
    assert [len(hand) for hand in given.state.hands] == [5, 5]
    assert (len(given.state.row), len(given.state.deck), len(given.state.removed)) == (6, 60, 4)
    assert given.state.piles == [[], []]
    assert GAME.teams(given.state) == [frozenset({0}), frozenset({1})]
    assert {dealt(2, seed, variant="competitive")[0].state.active for seed in range(20)} == {0, 1}


@pytest.mark.rule("TRA-80")
def test_each_lays_its_own_way_up_for_three_and_pays_one_per_discard():
    given = race("40 41 60", "20 21", row="1 2")
    then = given.when(0, PlayCard("island_40", (3, 3)))
    assert (then.events[0].side, then.events[0].owner) == ("sun", 0)
    given = race("40 41", "20 21 22 23", row="", active=1, grid=laid(i3=18))
    given.state.discards[1] = list(cards("70"))
    then = given.when(1, PlayCard("island_20", (4, 0), cards("21 22")))
    assert (then.events[0].side, then.events[0].owner) == ("moon", 1)
    given.when(0, DiscardTwo(cards("40 41")))
    assert phase(then) == ("action", (0,))
    assert given.state.result is None
    then = given.when(1, PlayCard("island_23", (0, 3)))
    assert then.events[-1] == RaceEnded("no-action", (1, 3), (1,))


@pytest.mark.rule("TRA-81")
def test_cards_are_taken_up_to_five_and_the_row_is_refilled_on_the_right():
    given = race("40 41 42 43 44", "20 21", row="1 2 3 4 5 6", deck="70 71 72 73 74")
    then = given.when(0, DiscardTwo(cards("40 41")))
    assert phase(then) == ("take", (0,))
    given.when(0, TakeCards(cards("1"))).refused("wrong-take-count")
    given.when(0, TakeCards(cards("1 70"))).refused("not-in-row")
    assert len(given.legal(0)) == 15
    then = given.when(0, TakeCards(cards("5 2")))
    assert then.events[:2] == [RowTaken(0, cards("5 2")), RowRefilled(cards("70 71"))]
    assert given.state.row == list(cards("1 3 4 6 70 71"))
    assert given.state.deck == list(cards("72 73 74"))
    assert phase(then) == ("action", (1,))


@pytest.mark.rule("TRA-81")
def test_a_short_row_is_taken_whole_and_an_empty_one_ends_the_turn():
    given = race("40 41 42", "20 21", row="1")
    given.when(0, DiscardTwo(cards("40 41")))
    then = given.when(0, TakeCards(cards("1")))
    assert then.names == ["row_taken", "turn_begun", "phase_entered"]
    then = given.when(1, DiscardTwo(cards("20 21")))
    assert phase(then) == ("action", (0,))


@pytest.mark.rule("TRA-82")
def test_the_rules_of_laying_and_discarding_apply_to_the_race():
    given = race("24 30 60 61", "20 21", row="1", grid=laid(i6=20, i8=27))
    given.when(0, PlayCard("island_24", (1, 1), cards("60 61"))).refused("wrong-discard-count")
    given.when(0, PlayCard("island_30", (1, 1), cards("60"))).refused("order-broken")
    given.when(0, DiscardTwo(cards("24"))).refused("wrong-discard-count")
    cards_dealt = dealt(2, variant="competitive")[1].events[0]
    everything = [*cards_dealt.deck, *cards_dealt.row, *sum(cards_dealt.hands, ())]
    assert sorted(everything) == sorted(f"island_{number}" for number in range(1, 81))


@pytest.mark.rule("TRA-83")
def test_the_race_ends_when_the_sea_is_full():
    given = race("40 41 42", "20 21", row="1 2", grid=full(without=(35,)))
    given.state.hands[0] = list(cards("70 41"))
    then = given.when(0, PlayCard("island_70", (5, 5), cards("41")))
    assert then.events[-1] == RaceEnded("grid-full", (36 * 3 - 1, 0), (0,))
    assert given.state.result.outcome == "race"
    assert given.state.result.places(2) == [1, 2]


@pytest.mark.rule("TRA-83")
def test_the_race_ends_when_the_seat_to_move_has_no_action():
    given = race("40 41", "2", grid=full(without=(20,)))
    then = given.when(0, DiscardTwo(cards("40 41")))
    assert then.events[-1] == RaceEnded("no-action", (35 * 3 - 2, 0), (0,))


@pytest.mark.rule("TRA-83")
def test_ties_go_to_fewer_discards_and_then_are_shared():
    grid = [Laid(card.card, card.number, "", index % 2) for index, card in enumerate(full())]
    grid[20] = None
    grid[19] = Laid("island_39", 39, "", 0)
    given = race("40 41", "", grid=grid)
    given.state.discards = [list(cards("60 61 62 63")), list(cards("70 71 72"))]
    end = given.when(0, DiscardTwo(cards("40 41"))).events[-1]
    assert end.scores == (18 * 3 - 6, 17 * 3 - 3)
    assert end.winners == (1,)
    grid[19] = Laid("island_39", 39, "", 1)
    grid[17] = None
    given = race("40 41", "", grid=grid)
    given.state.discards = [list(cards("60")), list(cards("70 71 72"))]
    end = given.when(0, DiscardTwo(cards("40 41"))).events[-1]
    assert end.winners == (0, 1)


@pytest.mark.rule("TRA-84")
@pytest.mark.parametrize(("turn", "scores"), [(9, (107, 1)), (8, (108, 0))])
def test_the_balanced_set_gives_the_second_seat_a_point(turn, scores):
    """Seat 0 is to move: in turn 9 it began the race, in turn 8 it was second."""
    sea = full(without=(35,))
    given = race("70 41", "20 21", row="1 2", grid=sea, house="balanced", turn=turn)
    then = given.when(0, PlayCard("island_70", (5, 5), cards("41")))
    assert then.events[-1] == RaceEnded("grid-full", scores, (0,))


@pytest.mark.rule("TRA-84")
@pytest.mark.parametrize(
    ("house", "scores", "winner"), [("balanced", (49, 49), 1), ("classic", (49, 48), 0)]
)
def test_in_the_balanced_set_the_second_seat_wins_a_tie(house, scores, winner):
    """Even if it has discarded more."""
    grid = [Laid(card.card, card.number, "", index % 2) for index, card in enumerate(full())]
    grid[20] = None
    given = race("40 41", "", grid=grid, house=house)
    given.state.discards[1] = list(cards("60 61 62 63 64 65"))
    end = given.when(0, DiscardTwo(cards("40 41"))).events[-1]
    assert (end.scores, end.winners) == (scores, (winner,))


@pytest.mark.rule("TRA-84")
@pytest.mark.parametrize("variant", ["standard", "competitive"])
def test_the_set_changes_nothing_before_the_end(variant):
    given, then = dealt(2, variant=variant)
    balanced, balanced_then = dealt(2, variant=variant, house="balanced")
    assert balanced_then.events == then.events
    assert GAME.legal(balanced.state, 0) == GAME.legal(given.state, 0)
    assert b"house" not in msgspec.json.encode(GAME.view(given.state, 0))
