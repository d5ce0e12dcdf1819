"""The undo class of each command, and what an undo cannot take back."""

from collections.abc import Sequence

from games.game import Undo
from games.nautilus.commands import Command, PeekFinds, UseSonar
from games.nautilus.events import TURNS_UP, Event, GameScored, MissionsRevealed
from games.nautilus.fold import remember
from games.nautilus.model import State


def undo(before: State, seat: int, command: Command, events: Sequence[Event]) -> Undo | None:
    """Return the undo class of a command.

    `all` if the command showed a find or the missions, None if it scored the match, else `free`.
    """
    if any(isinstance(event, MissionsRevealed) for event in events):
        return "all"
    if isinstance(events[-1], GameScored):
        return None
    shown = (UseSonar, PeekFinds)
    if isinstance(command, shown) or any(type(event) in TURNS_UP for event in events):
        return "all"
    return "free"


def recall(state: State, before: State) -> None:
    """Restore what seats have looked at (NAU-53)."""
    for seat, places in enumerate(before.known):
        remember(state, seat, places)
