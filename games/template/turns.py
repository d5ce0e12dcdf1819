"""Whose turn it is, and what the clock plays."""

from games.template.commands import Command, TakeStones
from games.template.model import State


def waiting(state: State) -> frozenset[int]:
    """Return the seats on the clock."""
    return frozenset() if state.turn < 0 else frozenset((state.turn,))


def teams(state: State) -> list[frozenset[int]]:
    """Return the teams: every seat plays for itself."""
    return [frozenset((seat,)) for seat in range(state.seats)]


def clock(state: State, seat: int) -> tuple[str, int]:
    """Return the name and seconds of a waiting seat's clock: one clock a turn."""
    return f"turn_{sum(state.taken)}", state.options.turn_seconds


def default(state: State, seat: int) -> Command:
    """Return what the clock plays: one stone."""
    return TakeStones(1)
