"""Moves of ships and submarines."""

from games.game import Illegal
from games.submarine.commands import MoveShip, MoveSub
from games.submarine.components import CELLS, COLUMNS, OFF_BOARD, REACH, SURFACE, Cell
from games.submarine.events import ShipMoved, SubMoved
from games.submarine.fold import Draft
from games.submarine.model import State
from games.submarine.rules.passing import can_swap, finish_turn


def move_ship(draft: Draft, seat: int, command: MoveShip) -> None:
    """SUB-16 to SUB-18. Off the board the turn ends at once if no swap is possible (SUB-53)."""
    state, to = draft.state, command.to
    ship = state.ships[seat]
    if to not in COLUMNS and to != OFF_BOARD:
        raise Illegal("no-such-column", column=to)
    if to <= ship:
        raise Illegal("ship-must-move-right", ship=ship)
    if to != OFF_BOARD and not _has_sub_below(state, seat, to):
        raise Illegal("no-own-sub-in-column", column=to)
    draft.add(ShipMoved(seat, ship, to))
    if to == OFF_BOARD and not can_swap(state, seat):
        finish_turn(draft, seat)


def _has_sub_below(state: State, seat: int, column: int) -> bool:
    return any(cell is not None and cell[0] == column for cell in state.subs[seat])


def move_sub(draft: Draft, seat: int, command: MoveSub) -> None:
    """SUB-22 to SUB-29."""
    state, sub, to = draft.state, command.sub, command.to
    if sub not in range(len(state.subs[seat])):
        raise Illegal("no-such-sub", sub=sub)
    if state.mode == "salvage":
        raise Illegal("salvage-turn")
    if sub in state.moved:
        raise Illegal("sub-already-moved", sub=sub)
    cell = state.subs[seat][sub]
    if cell is None or cell[0] != state.ships[seat]:
        raise Illegal("sub-not-under-ship", sub=sub)
    _check_target(cell, to)
    draft.add(SubMoved(seat, sub, cell, to))


def _check_target(cell: Cell, to: Cell) -> None:
    """Refuse a cell that is out of reach (SUB-25 to SUB-27)."""
    if to[1] == SURFACE:
        raise Illegal("surface-is-for-ships", cell=to)
    if to not in CELLS:
        raise Illegal("no-such-cell", cell=to)
    if to == cell:
        raise Illegal("same-cell", cell=to)
    if to not in REACH[cell]:
        raise Illegal("row-too-far", cell=to)
