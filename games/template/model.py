"""Options, state, view and result."""

from typing import Annotated, Literal

import msgspec

from games.structs import Copyable, Public


class Options(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How a match is played."""

    stones: Annotated[int, msgspec.Meta(ge=5, le=100)] = 21
    """Stones in the pile (R-1)."""
    most: Annotated[int, msgspec.Meta(ge=2, le=9)] = 3
    """Most stones that a seat may take at once (R-3)."""
    turn_seconds: Annotated[int, msgspec.Meta(ge=5, le=86400)] = 60
    """Seconds for a turn if the match has the clock `phases`."""


class Result(msgspec.Struct, frozen=True):
    """How the match ended (R-4)."""

    winners: tuple[int, ...]
    reason: Literal["last_stone"] = "last_stone"

    def places(self, seats: int) -> list[int]:
        """Return the place of each seat: 1 for the winner, 2 for all others."""
        return [1 if seat in self.winners else 2 for seat in range(seats)]


class State(Copyable):
    """The whole match."""

    seats: Public[int]
    options: Options
    stones: Public[int] = 0
    """Stones left in the pile."""
    taken: Public[list[int]] = []
    """Stones by seat."""
    turn: Public[int] = -1
    """The seat on turn; -1 before the start and after the end."""
    result: Public[Result | None] = None


class View(msgspec.Struct, frozen=True):
    """What a viewer may know: everything, except the options, which the match shows."""

    seats: int
    stones: int
    taken: tuple[int, ...]
    turn: int
    result: Result | None
