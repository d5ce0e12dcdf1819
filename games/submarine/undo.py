"""Classes of commands that are taken back."""

from collections.abc import Sequence

from games.game import Undo
from games.submarine.commands import Command, Salvage
from games.submarine.events import CardsDrawn, CardSwapped, Event, GameEnded
from games.submarine.model import State


def undo(before: State, seat: int, command: Command, events: Sequence[Event]) -> Undo | None:
    """Return the undo class: free, unless the command ended the game or showed a card.

    A lift with a card showed the colour of that card. A draw or a swap showed a hidden card.
    """
    match events[-1]:
        case GameEnded():
            return None
        case _ if any(isinstance(event, CardsDrawn | CardSwapped) for event in events):
            return "all"
        case _:
            return "consent" if isinstance(command, Salvage) else "free"
