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
from tests.games.submarine.table import given, placed, reference

SEA = """
    .  0  .  01 .  0
    .  .  .  .  .  .
    .  .  .  0  .  .
    0  .  .  .  .  1
"""


@pytest.mark.rule("SUB-15")
def test_turns_go_clockwise_and_begin_with_the_ship():
    table = given(3, sea=SEA, phase="ship", active=2, ships=[0, 0, 0])
    table.state.subs[2] = ((3, 3), None, None, None, None)
    table.when(2, MoveSub(0, (3, 4))).refused("wrong-phase")
    table.play(2, MoveShip(3), MoveSub(0, (3, 4)))
    table.when(2, EndTurn()).then(TurnEnded(2), TurnStarted(0, "ship"))
    assert table.waiting == {0}


@pytest.mark.rule("SUB-16")
def test_a_ship_only_sails_to_the_right():
    table = given(sea=SEA, phase="ship", ships=[4, 0])
    table.when(0, MoveShip(4)).refused("ship-must-move-right")
    table.when(0, MoveShip(2)).refused("ship-must-move-right")
    assert table.accepts(0, MoveShip(6))
    assert table.when(0, EndTurn()).code == "wrong-phase", "it must move"


@pytest.mark.rule("SUB-17")
def test_a_ship_stops_only_above_an_own_submarine():
    table = given(sea=SEA, phase="ship", ships=[0, 0])
    assert [command.to for command in table.legal(0)] == [1, 2, 4, 6, 7]
    table.when(0, MoveShip(3)).refused("no-own-sub-in-column")
    table.state.active = 1
    assert table.when(1, MoveShip(2)).code == "no-own-sub-in-column", "a rival's is none"


@pytest.mark.rule("SUB-18")
@pytest.mark.parametrize("ship", [0, 1, 4, 6])
def test_a_ship_may_pass_own_submarines_and_leave_from_anywhere(ship):
    table = given(sea=SEA, phase="ship", ships=[ship, 0])
    assert table.accepts(0, MoveShip(7))
    assert ship >= 4 or table.accepts(0, MoveShip(4))


@pytest.mark.rule("SUB-19")
def test_ships_share_a_column():
    table = given(sea=SEA, phase="ship", ships=[0, 4])
    table.play(0, MoveShip(4))
    assert table.state.ships == [4, 4]


@pytest.mark.rule("SUB-20")
def test_no_submarine_acts_once_the_ship_has_left():
    table = given(sea=SEA, phase="ship", ships=[0, 0])
    table.play(0, MoveShip(7))
    for command in (MoveSub(0, (3, 2)), Salvage("lantern_red", "red", ())):
        table.when(0, command).refused("wrong-phase")
    assert {type(command) for command in table.legal(0)} == {SwapCard, EndTurn}
    table.play(0, EndTurn())
    table.state.active, table.state.phase = 0, "break"
    table.when(0, SalvageWithJoker("lantern_red", "shell_red")).refused("wrong-phase")


@pytest.mark.rule("SUB-21")
def test_ships_return_at_the_end_of_the_turn_in_which_the_last_one_left():
    table = given(3, sea=SEA, phase="ship", active=1, ships=[7, 6, 7], voyage=2, progress=True)
    subs, cells, hands = table.state.subs[:], table.state.cells[:], table.state.hand[:]
    table.play(1, MoveShip(7))
    assert table.state.ships == [7, 7, 7], "its own swap comes first"
    events = table.when(1, EndTurn()).events
    assert events == [TurnEnded(1), VoyageEnded(2, 0), TurnStarted(2, "ship")]
    assert table.state.ships == [0, 0, 0]
    assert (table.state.voyage, table.state.progress) == (3, False)
    assert (table.state.subs, table.state.cells, table.state.hand) == (subs, cells, hands)


@pytest.mark.rule("SUB-22")
def test_only_submarines_under_the_ship_act():
    table = given(sea=SEA, ships=[4, 0])
    moving = {command.sub for command in table.legal(0, MoveSub)}
    assert moving == {1, 3}
    table.when(0, MoveSub(0, (3, 2))).refused("sub-not-under-ship")
    table.when(0, Salvage("lantern_red", "red", ())).refused("token-not-under-ship")


@pytest.mark.rule("SUB-23")
def test_a_turn_is_all_moves_or_all_lifts():
    table = given(sea=SEA, ships=[4, 0])
    moved = table.copy()
    moved.play(0, MoveSub(1, (4, 3)))
    moved.when(0, Salvage("idol_red", "red", ())).refused("move-turn")
    moved.when(0, SalvageWithJoker("idol_red", "shell_red")).refused("move-turn")
    assert {type(command) for command in moved.legal(0)} == {MoveSub, EndTurn}
    table.play(0, SalvageWithJoker("idol_red", "shell_red"))
    table.when(0, MoveSub(1, (4, 3))).refused("salvage-turn")
    assert not table.legal(0, MoveSub)


@pytest.mark.rule("SUB-24")
def test_a_stop_asks_for_an_action():
    table = given(sea=SEA, ships=[4, 0])
    table.when(0, EndTurn()).refused("action-required")
    assert EndTurn() not in table.legal(0)
    table.play(0, MoveSub(1, (4, 3)))
    assert table.accepts(0, EndTurn())
    lenient = given(sea=SEA, ships=[4, 0], options={"must_act": False})
    assert lenient.accepts(0, EndTurn())
    assert EndTurn() in lenient.legal(0)


@pytest.mark.rule("SUB-25", "SUB-26")
@pytest.mark.parametrize(
    ("row", "rows"), [(2, {2, 3}), (3, {2, 3, 4}), (4, {3, 4, 5}), (5, {4, 5})]
)
def test_a_submarine_reaches_all_columns_of_its_row_and_the_next_ones(row, rows):
    table = given(ships=[3, 0])
    table.state.subs[0] = ((3, row), None, None, None, None)
    targets = {command.to for command in table.legal(0, MoveSub)}
    assert targets == {(c, r) for c in range(1, 7) for r in rows} - {(3, row)}
    for far in {2, 3, 4, 5} - rows:
        table.when(0, MoveSub(0, (1, far))).refused("row-too-far")


@pytest.mark.rule("SUB-26")
def test_a_submarine_stays_below_the_surface_and_on_the_board():
    table = given(sea=SEA, ships=[4, 0])
    table.when(0, MoveSub(1, (4, 1))).refused("surface-is-for-ships")
    for cell in ((4, 6), (0, 2), (7, 2), (4, 0), (4, -1)):
        table.when(0, MoveSub(1, cell)).refused("no-such-cell")


@pytest.mark.rule("SUB-27")
def test_a_submarine_changes_its_cell():
    table = given(sea=SEA, ships=[4, 0])
    table.when(0, MoveSub(1, (4, 2))).refused("same-cell")
    table.when(0, MoveSub(1, (4, 3))).then(SubMoved(0, 1, (4, 2), (4, 3)))


@pytest.mark.rule("SUB-28")
def test_each_submarine_moves_once_a_turn_and_all_may():
    table = given(sea=SEA, ships=[4, 0])
    table.play(0, MoveSub(1, (4, 3)))
    table.when(0, MoveSub(1, (4, 4))).refused("sub-already-moved")
    table.play(0, MoveSub(3, (4, 5)))
    assert table.state.moved == (1, 3)
    assert table.legal(0) == [EndTurn()]


@pytest.mark.rule("SUB-29")
def test_moving_costs_nothing_and_nothing_blocks_it():
    table = given(sea=SEA, ships=[4, 0])
    table.state.subs[1] = tuple((column, 2) for column in (1, 2, 3, 5, 6))
    cards = (table.state.hand[:], table.state.pile[:])
    table.play(0, MoveSub(1, (1, 2)))
    assert table.state.subs[0][1] == (1, 2)
    assert (table.state.hand, table.state.pile) == cards


def test_the_clock_names_the_turn_and_runs_for_the_active_seat_only():
    table = given(sea=SEA, ships=[4, 0], options={"turn_seconds": 45})
    assert GAME.timing.clock(table.state, 0) == ("turn_11", 45)
    assert GAME.timing.clock(table.state, 1) is None
    table.play(0, MoveSub(1, (4, 3)))
    assert GAME.timing.clock(table.state, 0) == ("turn_11", 45), "one clock for the whole turn"
    table.play(0, EndTurn())
    assert GAME.timing.clock(table.state, 1) == ("turn_12", 45)


def test_the_default_places_where_the_own_fleet_is_thinnest():
    table = reference(2)
    table.play(0, PlaceSub(1))
    table.play(1, PlaceSub(3))
    assert GAME.default(table.state, 0) == PlaceSub(2)


@pytest.mark.parametrize(("column", "to"), [(4, 5), (6, 5)])
def test_the_default_leaves_drifts_and_never_spends(column, to):
    table = given(sea=SEA, phase="ship", ships=[0, 0])
    assert GAME.default(table.state, 0) == MoveShip(7)
    table.play(0, MoveShip(column))
    drift = GAME.default(table.state, 0)
    assert drift.to == (to, 2)
    assert drift.sub == {4: 1, 6: 2}[column], "the lowest-numbered one under the ship"
    table.play(0, drift)
    assert GAME.default(table.state, 0) == EndTurn()


def test_the_default_ends_a_break_and_an_idle_stop_without_duty():
    table = placed()
    table.play(0, MoveShip(7))
    assert GAME.default(table.state, 0) == EndTurn()
    lenient = given(sea=SEA, ships=[4, 0], options={"must_act": False})
    assert GAME.default(lenient.state, 0) == EndTurn()


def test_nobody_is_in_a_team():
    assert GAME.teams(reference(3).state) == [{0}, {1}, {2}]


def test_there_is_no_real_time():
    assert GAME.timing.pace is None
