"""Turns: which seats are awaited, defaults, clocks, teams, standing orders, and leaving."""

from collections.abc import Callable, Mapping

from games.ke_dnu import commands, events
from games.ke_dnu.commands import Command, Pass
from games.ke_dnu.components import by_value
from games.ke_dnu.fold import Draft
from games.ke_dnu.model import (
    ActionFrame,
    ChoiceFrame,
    DiscardFrame,
    PlayFrame,
    ReactionFrame,
    State,
    StoryFrame,
)
from games.ke_dnu.rules.discards import Offers
from games.ke_dnu.rules.settling import settle
from games.ke_dnu.rules.ships import free_cards, tycoon_targets
from games.ke_dnu.rules.windows import asked, choosable_cards, touches


def waiting(state: State) -> frozenset[int]:
    """Return the seats on the clock."""
    if state.phase == "over":
        return frozenset()
    if state.stack:
        return frozenset(asked(state, state.stack[-1]))
    return frozenset((state.active,))


def teams(state: State) -> list[frozenset[int]]:
    """Return each seat as a team of its own."""
    return [frozenset((seat,)) for seat in range(len(state.status))]


def clock(state: State, seat: int) -> tuple[str, int] | None:
    """Return one clock for a turn, and one for each frame that asks a seat."""
    if state.stack:
        return f"window_{state.numbers[-1]}", state.options.window_seconds
    return f"turn_{state.phase}_{state.turn_index}", state.options.turn_seconds


def default(state: State, seat: int) -> Command:
    """Return the command that the clock plays."""
    if state.stack:
        return _default_answer(state, seat)
    if state.step == "draw":
        targets = tycoon_targets(state)
        return commands.Tycoon(min(targets)) if targets else commands.Draw()
    if state.step == "main":
        return commands.EndTurn()
    return commands.DiscardDown(min(free_cards(state, seat), key=by_value))


def _default_answer(state: State, seat: int) -> Command:
    """Return the default answer to the top frame."""
    match state.stack[-1]:
        case StoryFrame():
            return commands.PlaceStory("deck")
        case ChoiceFrame() as frame:
            return commands.ChooseCard(min(choosable_cards(state, frame, seat), key=by_value))
        case _:
            return Pass()


def leave_on(draft: Draft, seat: int) -> None:
    """Abandon a ship (KED-115), which may end the Voyage's last round (KED-30).

    Without dice one more round of the Voyage is played.
    """
    if draft.state.phase == "over" or draft.state.status[seat] != "afloat":
        return
    draft.add(events.ShipAbandoned(seat))
    settle(draft, Offers(draft))


def _plays(state: State, seat: int) -> Pass | None:
    """Pass the windows of cards being laid (Bartender)."""
    return Pass() if isinstance(state.stack[-1], PlayFrame) else None


def _untouched(state: State, seat: int) -> Pass | None:
    """Pass the windows of reactions, and of actions that do not touch the seat (Ship Guard)."""
    match state.stack[-1]:
        case ReactionFrame():
            return Pass()
        case ActionFrame() as frame:
            return None if touches(state, frame, seat) else Pass()
        case _:
            return None


def _actions(state: State, seat: int) -> Pass | None:
    """Pass the windows of all actions and reactions (Ship Guard, Lifebuoy, Steward)."""
    return Pass() if isinstance(state.stack[-1], ActionFrame | ReactionFrame) else None


def _discards(state: State, seat: int) -> Pass | None:
    """Pass the windows of discarded cards (Teacher), except that of the seat's own Flapper."""
    match state.stack[-1]:
        case DiscardFrame(flappers=()):
            return Pass()
        case _:
            return None


def _in_window(order: Callable[[State, int], Pass | None]) -> Callable[[State, int], Pass | None]:
    return lambda state, seat: order(state, seat) if state.stack else None


ORDERS: Mapping[str, Callable[[State, int], Pass | None]] = {
    "plays": _in_window(_plays),
    "untouched": _in_window(_untouched),
    "actions": _in_window(_actions),
    "discards": _in_window(_discards),
}
"""Standing orders. Whether one applies follows from public facts (KED-88)."""
