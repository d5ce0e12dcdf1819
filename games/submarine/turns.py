"""Whose turn it is, clocks, and seats that leave."""

from games.game import Illegal
from games.submarine.commands import Command, EndTurn, MoveShip, MoveSub, PlaceSub
from games.submarine.components import COLUMNS, OFF_BOARD
from games.submarine.ending import end, reason_after_leaving
from games.submarine.events import SeatWithdrawn
from games.submarine.fold import Draft
from games.submarine.model import State
from games.submarine.rules.passing import must_act, pass_turn
from games.submarine.rules.placing import pass_placing


def waiting(state: State) -> frozenset[int]:
    """Return the seat on turn (SUB-15)."""
    return frozenset() if state.active < 0 else frozenset((state.active,))


def teams(state: State) -> list[frozenset[int]]:
    """Return a team of its own for every seat."""
    return [frozenset((seat,)) for seat in range(state.players)]


def clock(state: State, seat: int) -> tuple[str, int] | None:
    """Return the clock of the turn."""
    if seat != state.active:
        return None
    return f"turn_{state.turn}", state.options.turn_seconds


def default(state: State, seat: int) -> Command:
    """Return the command that the clock plays. It never lifts, pays, swaps or lays jokers."""
    if state.phase == "placing":
        columns = [cell[0] for cell in state.subs[seat] if cell is not None]
        return PlaceSub(min(COLUMNS, key=columns.count))
    if state.phase == "ship":
        return MoveShip(OFF_BOARD)
    if must_act(state):
        return _drift(state, seat)
    return EndTurn()


def _drift(state: State, seat: int) -> MoveSub:
    """Move the first submarine under the ship one column right, or left from the last column."""
    for sub, cell in enumerate(state.subs[seat]):
        if cell is not None and cell[0] == state.ships[seat]:
            column, row = cell
            return MoveSub(sub, (column + 1 if column + 1 in COLUMNS else column - 1, row))
    raise AssertionError("a ship stops only above an own submarine")


def leave_on(draft: Draft, seat: int) -> None:
    """Withdraw a seat for good (SUB-61, SUB-62)."""
    state = draft.state
    if state.phase == "over":
        raise Illegal("game-over")
    if seat not in range(state.players):
        raise Illegal("no-such-seat", seat=seat)
    if seat in state.withdrawn:
        raise Illegal("already-withdrawn", seat=seat)
    draft.add(SeatWithdrawn(seat, len(state.hand[seat]), len(state.pile[seat])))
    reason = reason_after_leaving(state)
    if reason is not None:
        end(draft, reason)
    elif seat == state.active and state.phase == "placing":
        pass_placing(draft, seat)
    elif seat == state.active:
        pass_turn(draft, seat)
