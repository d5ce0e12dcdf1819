"""The undo class of a command."""

from collections.abc import Sequence

from games.captain_sonar.commands import (
    ChooseStart,
    Command,
    ConfirmSilence,
    CrossSymbol,
    EndTurn,
    MarkGauge,
    SetOverlay,
    WipeOverlay,
)
from games.captain_sonar.events import DamageTaken, Event, GaugeReady
from games.captain_sonar.model import State
from games.game import Undo


def undo(before: State, seat: int, command: Command, events: Sequence[Event]) -> Undo | None:
    """Return the undo class of a command; None if it cannot be undone."""
    if isinstance(command, SetOverlay | WipeOverlay):
        return "free"
    if before.mode == "real_time":
        return None
    match command:
        case ChooseStart():
            return "free" if len(events) == 1 else "all"
        case MarkGauge():
            hidden = before.options.ready_announcements == "crew"
            announced = any(isinstance(event, GaugeReady) for event in events)
            return "all" if announced and not hidden else "free"
        case CrossSymbol():
            return "all" if any(isinstance(event, DamageTaken) for event in events) else "free"
        case ConfirmSilence() | EndTurn():
            return "consent"
        case _:
            return "all"
