"""Standing orders: windows that a seat lets pass unasked. Whether one applies follows from public facts (KED-88)."""

from collections.abc import Callable, Mapping

from games.ke_dnu.commands import Pass
from games.ke_dnu.model import ActionFrame, DiscardFrame, PlayFrame, ReactionFrame, State
from games.ke_dnu.windows import touches


def plays(state: State, seat: int) -> Pass | None:
    """Pass the windows of cards being laid (Bartender)."""
    return Pass() if isinstance(state.stack[-1], PlayFrame) else None


def untouched(state: State, seat: int) -> Pass | None:
    """Pass the windows of reactions, and of actions that would do nothing to the seat (Ship Guard)."""
    match state.stack[-1]:
        case ReactionFrame():
            return Pass()
        case ActionFrame() as frame:
            return None if touches(state, frame, seat) else Pass()
        case _:
            return None


def actions(state: State, seat: int) -> Pass | None:
    """Pass the windows of all actions and reactions (Ship Guard, Lifebuoy, Steward)."""
    return Pass() if isinstance(state.stack[-1], ActionFrame | ReactionFrame) else None


def discards(state: State, seat: int) -> Pass | None:
    """Pass the windows of discarded cards (Teacher); a Flapper's own is no reaction."""
    match state.stack[-1]:
        case DiscardFrame(flappers=()):
            return Pass()
        case _:
            return None


def _in_window(order: Callable[[State, int], Pass | None]) -> Callable[[State, int], Pass | None]:
    return lambda state, seat: order(state, seat) if state.stack else None


ORDERS: Mapping[str, Callable[[State, int], Pass | None]] = {
    order.__name__: _in_window(order) for order in (plays, untouched, actions, discards)
}
