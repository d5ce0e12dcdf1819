"""What may be taken back."""

from collections.abc import Sequence

from games.game import Undo
from games.template.commands import Command
from games.template.events import Event
from games.template.model import State


def undo(before: State, seat: int, command: Command, events: Sequence[Event]) -> Undo | None:
    """Return a command's undo class: free, since nothing hidden is ever revealed."""
    return "free"
