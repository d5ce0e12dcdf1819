"""Turns, ships and moving: SUB-15 to SUB-29, and the clock."""

import pytest

from games.submarine import GAME
from games.submarine.commands import (
    EndTurn,
    MoveShip,
    MoveSub,
    PlaceSub,
    Salvage,
    SalvageWithJoker,
    SwapCard,
)
from games.submarine.events import SubMoved, TurnEnded, TurnStarted, VoyageEnded
from tests.games.submarine.table import given, placed, play, reference, refusal

SEA = """
    .  0  .  01 .  0
    .  .  .  .  .  .
    .  .  .  0  .  .
    0  .  .  .  .  1
"""


@pytest.mark.rule("SUB-15")
def test_turns_go_clockwise_and_begin_with_the_ship():
    state = given(3, sea=SEA, phase="ship", active=2, ships=[0, 0, 0])
    state.subs[2] = ((3, 3), None, None, None, None)
    assert refusal(state, 2, MoveSub(0, (3, 4))) == "wrong-phase"
    play(state, 2, MoveShip(3))
    play(state, 2, MoveSub(0, (3, 4)))
    assert play(state, 2, EndTurn()) == [TurnEnded(2), TurnStarted(0, "ship")]
    assert GAME.waiting(state) == {0}


@pytest.mark.rule("SUB-16")
def test_a_ship_only_sails_to_the_right():
    state = given(sea=SEA, phase="ship", ships=[4, 0])
    assert refusal(state, 0, MoveShip(4)) == "ship-must-move-right"
    assert refusal(state, 0, MoveShip(2)) == "ship-must-move-right"
    assert refusal(state, 0, MoveShip(6)) is None
    assert refusal(state, 0, EndTurn()) == "wrong-phase", "it must move"


@pytest.mark.rule("SUB-17")
def test_a_ship_stops_only_above_an_own_submarine():
    state = given(sea=SEA, phase="ship", ships=[0, 0])
    assert [command.to for command in GAME.legal(state, 0)] == [1, 2, 4, 6, 7]
    assert refusal(state, 0, MoveShip(3)) == "no-own-sub-in-column"
    state.active = 1
    assert refusal(state, 1, MoveShip(2)) == "no-own-sub-in-column", "a rival's is none"


@pytest.mark.rule("SUB-18")
@pytest.mark.parametrize("ship", [0, 1, 4, 6])
def test_a_ship_may_pass_own_submarines_and_leave_from_anywhere(ship):
    state = given(sea=SEA, phase="ship", ships=[ship, 0])
    assert refusal(state, 0, MoveShip(7)) is None
    assert ship >= 4 or refusal(state, 0, MoveShip(4)) is None


@pytest.mark.rule("SUB-19")
def test_ships_share_a_column():
    state = given(sea=SEA, phase="ship", ships=[0, 4])
    play(state, 0, MoveShip(4))
    assert state.ships == [4, 4]


@pytest.mark.rule("SUB-20")
def test_no_submarine_acts_once_the_ship_has_left():
    state = given(sea=SEA, phase="ship", ships=[0, 0])
    play(state, 0, MoveShip(7))
    for command in (MoveSub(0, (3, 2)), Salvage("lantern_red", "red", ())):
        assert refusal(state, 0, command) == "wrong-phase"
    assert {type(command) for command in GAME.legal(state, 0)} == {SwapCard, EndTurn}
    play(state, 0, EndTurn())
    state.active, state.phase = 0, "break"
    assert refusal(state, 0, SalvageWithJoker("lantern_red", "shell_red")) == "wrong-phase"


@pytest.mark.rule("SUB-21")
def test_ships_return_at_the_end_of_the_turn_in_which_the_last_one_left():
    state = given(3, sea=SEA, phase="ship", active=1, ships=[7, 6, 7], voyage=2, progress=True)
    subs, cells, hands = state.subs[:], state.cells[:], state.hand[:]
    play(state, 1, MoveShip(7))
    assert state.ships == [7, 7, 7], "its own swap comes first"
    events = play(state, 1, EndTurn())
    assert events == [TurnEnded(1), VoyageEnded(2, 0), TurnStarted(2, "ship")]
    assert state.ships == [0, 0, 0]
    assert (state.voyage, state.progress) == (3, False)
    assert (state.subs, state.cells, state.hand) == (subs, cells, hands)


@pytest.mark.rule("SUB-22")
def test_only_submarines_under_the_ship_act():
    state = given(sea=SEA, ships=[4, 0])
    moving = {command.sub for command in GAME.legal(state, 0) if isinstance(command, MoveSub)}
    assert moving == {1, 3}
    assert refusal(state, 0, MoveSub(0, (3, 2))) == "sub-not-under-ship"
    assert refusal(state, 0, Salvage("lantern_red", "red", ())) == "token-not-under-ship"


@pytest.mark.rule("SUB-23")
def test_a_turn_is_all_moves_or_all_lifts():
    state = given(sea=SEA, ships=[4, 0])
    moved = state.copy()
    play(moved, 0, MoveSub(1, (4, 3)))
    assert refusal(moved, 0, Salvage("idol_red", "red", ())) == "move-turn"
    assert refusal(moved, 0, SalvageWithJoker("idol_red", "shell_red")) == "move-turn"
    assert {type(command) for command in GAME.legal(moved, 0)} == {MoveSub, EndTurn}
    play(state, 0, SalvageWithJoker("idol_red", "shell_red"))
    assert refusal(state, 0, MoveSub(1, (4, 3))) == "salvage-turn"
    assert not any(isinstance(command, MoveSub) for command in GAME.legal(state, 0))


@pytest.mark.rule("SUB-24")
def test_a_stop_asks_for_an_action():
    state = given(sea=SEA, ships=[4, 0])
    assert refusal(state, 0, EndTurn()) == "action-required"
    assert EndTurn() not in GAME.legal(state, 0)
    play(state, 0, MoveSub(1, (4, 3)))
    assert refusal(state, 0, EndTurn()) is None
    lenient = given(sea=SEA, ships=[4, 0], options={"must_act": False})
    assert refusal(lenient, 0, EndTurn()) is None
    assert EndTurn() in GAME.legal(lenient, 0)


@pytest.mark.rule("SUB-25", "SUB-26")
@pytest.mark.parametrize(
    ("row", "rows"), [(2, {2, 3}), (3, {2, 3, 4}), (4, {3, 4, 5}), (5, {4, 5})]
)
def test_a_submarine_reaches_all_columns_of_its_row_and_the_next_ones(row, rows):
    state = given(ships=[3, 0])
    state.subs[0] = ((3, row), None, None, None, None)
    targets = {command.to for command in GAME.legal(state, 0) if isinstance(command, MoveSub)}
    assert targets == {(c, r) for c in range(1, 7) for r in rows} - {(3, row)}
    for far in {2, 3, 4, 5} - rows:
        assert refusal(state, 0, MoveSub(0, (1, far))) == "row-too-far"


@pytest.mark.rule("SUB-26")
def test_a_submarine_stays_below_the_surface_and_on_the_board():
    state = given(sea=SEA, ships=[4, 0])
    assert refusal(state, 0, MoveSub(1, (4, 1))) == "surface-is-for-ships"
    for cell in ((4, 6), (0, 2), (7, 2), (4, 0), (4, -1)):
        assert refusal(state, 0, MoveSub(1, cell)) == "no-such-cell"


@pytest.mark.rule("SUB-27")
def test_a_submarine_changes_its_cell():
    state = given(sea=SEA, ships=[4, 0])
    assert refusal(state, 0, MoveSub(1, (4, 2))) == "same-cell"
    assert play(state, 0, MoveSub(1, (4, 3))) == [SubMoved(0, 1, (4, 2), (4, 3))]


@pytest.mark.rule("SUB-28")
def test_each_submarine_moves_once_a_turn_and_all_may():
    state = given(sea=SEA, ships=[4, 0])
    play(state, 0, MoveSub(1, (4, 3)))
    assert refusal(state, 0, MoveSub(1, (4, 4))) == "sub-already-moved"
    play(state, 0, MoveSub(3, (4, 5)))
    assert state.moved == (1, 3)
    assert GAME.legal(state, 0) == [EndTurn()]


@pytest.mark.rule("SUB-29")
def test_moving_costs_nothing_and_nothing_blocks_it():
    state = given(sea=SEA, ships=[4, 0])
    state.subs[1] = tuple((column, 2) for column in (1, 2, 3, 5, 6))
    cards = (state.hand[:], state.pile[:])
    play(state, 0, MoveSub(1, (1, 2)))
    assert state.subs[0][1] == (1, 2)
    assert (state.hand, state.pile) == cards


def test_the_clock_names_the_turn_and_runs_for_the_active_seat_only():
    state = given(sea=SEA, ships=[4, 0], options={"turn_seconds": 45})
    assert GAME.timing.clock(state, 0) == ("turn_11", 45)
    assert GAME.timing.clock(state, 1) is None
    play(state, 0, MoveSub(1, (4, 3)))
    assert GAME.timing.clock(state, 0) == ("turn_11", 45), "one clock for the whole turn"
    play(state, 0, EndTurn())
    assert GAME.timing.clock(state, 1) == ("turn_12", 45)


def test_the_default_places_where_the_own_fleet_is_thinnest():
    state = reference(2)
    play(state, 0, PlaceSub(1))
    play(state, 1, PlaceSub(3))
    assert GAME.default(state, 0) == PlaceSub(2)


@pytest.mark.parametrize(("column", "to"), [(4, 5), (6, 5)])
def test_the_default_leaves_drifts_and_never_spends(column, to):
    state = given(sea=SEA, phase="ship", ships=[0, 0])
    assert GAME.default(state, 0) == MoveShip(7)
    play(state, 0, MoveShip(column))
    drift = GAME.default(state, 0)
    assert drift.to == (to, 2)
    assert drift.sub == {4: 1, 6: 2}[column], "the lowest-numbered one under the ship"
    play(state, 0, drift)
    assert GAME.default(state, 0) == EndTurn()


def test_the_default_ends_a_break_and_an_idle_stop_without_duty():
    state = placed()
    play(state, 0, MoveShip(7))
    assert GAME.default(state, 0) == EndTurn()
    lenient = given(sea=SEA, ships=[4, 0], options={"must_act": False})
    assert GAME.default(lenient, 0) == EndTurn()


def test_nobody_is_in_a_team():
    assert GAME.teams(reference(3)) == [{0}, {1}, {2}]


def test_there_is_no_real_time():
    state = reference(2)
    assert GAME.timing.pace(state, 0, PlaceSub(1)) is None
