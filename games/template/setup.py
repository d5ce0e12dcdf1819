"""The start of a match."""

from games.chance import Chance
from games.template.events import Event, PileLaid
from games.template.model import Options, State


def initial(seats: int, options: Options) -> State:
    """Return the state before any event."""
    return State(seats, options)


def setup(seats: int, options: Options, chance: Chance) -> list[Event]:
    """Lay the pile and draw the first seat (R-1, R-2)."""
    return [PileLaid(options.stones, chance.randbelow(seats))]
