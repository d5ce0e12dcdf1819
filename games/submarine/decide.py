"""The rules' front: what a command leads to, and which of them may be taken back."""

from typing import assert_never

from games.chance import Chance
from games.game import Illegal
from games.submarine.commands import (
    Command,
    EndTurn,
    MoveShip,
    MoveSub,
    PlaceSub,
    Salvage,
    SalvageWithJoker,
    SwapCard,
)
from games.submarine.components import CELLS, COLUMNS, OFF_BOARD, REACH, SURFACE, TOP, Cell
from games.submarine.events import (
    CardSwapped,
    Event,
    Phase,
    ShipMoved,
    SubMoved,
    SubPlaced,
)
from games.submarine.fold import folded
from games.submarine.model import State
from games.submarine.rules.salvage import salvage, salvage_with_joker
from games.submarine.turns import can_swap, end_turn, must_act, place_next


def decide(state: State, seat: int, command: Command, chance: Chance) -> list[Event]:
    """Turn a command into events or raise `Illegal`; all chance was in the deal."""
    if state.phase == "over":
        raise Illegal("game-over")
    if seat != state.active:
        raise Illegal("not-your-turn")
    match command:
        case MoveSub():
            _expect(state, "act")
            return _move_sub(state, seat, command)
        case MoveShip():
            _expect(state, "ship")
            return _move_ship(state, seat, command)
        case EndTurn():
            _expect(state, "act", "break")
            return _end_turn(state, seat)
        case SalvageWithJoker():
            _expect(state, "act")
            return salvage_with_joker(state, seat, command)
        case Salvage():
            _expect(state, "act")
            return salvage(state, seat, command)
        case SwapCard():
            _expect(state, "break")
            return _swap_card(state, seat, command)
        case PlaceSub():
            _expect(state, "placing")
            return _place_sub(state, seat, command)
        case _:
            assert_never(command)


def _expect(state: State, *phases: Phase) -> None:
    if state.phase not in phases:
        raise Illegal("wrong-phase", phase=state.phase)


def _place_sub(state: State, seat: int, command: PlaceSub) -> list[Event]:
    """SUB-13: the lowest-numbered unplaced submarine into row 2."""
    if command.column not in COLUMNS:
        raise Illegal("no-such-column", column=command.column)
    placed = SubPlaced(seat, state.subs[seat].index(None), (command.column, TOP))
    return [placed, place_next(folded(state, (placed,)), seat)]


def _move_ship(state: State, seat: int, command: MoveShip) -> list[Event]:
    """SUB-16 to SUB-18; off the board the turn ends at once if no swap is possible."""
    ship, to = state.ships[seat], command.to
    if to not in COLUMNS and to != OFF_BOARD:
        raise Illegal("no-such-column", column=to)
    if to <= ship:
        raise Illegal("ship-must-move-right", ship=ship)
    if to != OFF_BOARD and not _has_sub_below(state, seat, to):
        raise Illegal("no-own-sub-in-column", column=to)
    sailed = ShipMoved(seat, ship, to)
    if to != OFF_BOARD or can_swap(state, seat):
        return [sailed]
    return [sailed, *end_turn(folded(state, (sailed,)), seat)]


def _has_sub_below(state: State, seat: int, column: int) -> bool:
    return any(cell is not None and cell[0] == column for cell in state.subs[seat])


def _move_sub(state: State, seat: int, command: MoveSub) -> list[Event]:
    """SUB-22 to SUB-29."""
    sub, to = command.sub, command.to
    if sub not in range(len(state.subs[seat])):
        raise Illegal("no-such-sub", sub=sub)
    if state.mode == "salvage":
        raise Illegal("salvage-turn")
    if sub in state.moved:
        raise Illegal("sub-already-moved", sub=sub)
    cell = state.subs[seat][sub]
    if cell is None or cell[0] != state.ships[seat]:
        raise Illegal("sub-not-under-ship", sub=sub)
    _refuse_course(cell, to)
    return [SubMoved(seat, sub, cell, to)]


def _refuse_course(cell: Cell, to: Cell) -> None:
    """SUB-25 to SUB-27."""
    if to[1] == SURFACE:
        raise Illegal("surface-is-for-ships", cell=to)
    if to not in CELLS:
        raise Illegal("no-such-cell", cell=to)
    if to == cell:
        raise Illegal("same-cell", cell=to)
    if to not in REACH[cell]:
        raise Illegal("row-too-far", cell=to)


def _swap_card(state: State, seat: int, command: SwapCard) -> list[Event]:
    """SUB-51, SUB-52."""
    if not state.pile[seat]:
        raise Illegal("pile-empty")
    if command.card not in state.hand[seat]:
        raise Illegal("card-not-in-hand", card=command.card)
    swapped = CardSwapped(seat, command.card, state.pile[seat][0])
    return [swapped, *end_turn(folded(state, (swapped,)), seat)]


def _end_turn(state: State, seat: int) -> list[Event]:
    """SUB-24, SUB-51."""
    if must_act(state):
        raise Illegal("action-required")
    return end_turn(state, seat)
