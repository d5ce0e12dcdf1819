"""What a seat may send now."""

from games.template.commands import Command, TakeStones
from games.template.model import State


def legal(state: State, seat: int) -> list[Command]:
    """List every legal command of a seat."""
    if seat != state.turn:
        return []
    return [TakeStones(count) for count in range(1, most(state) + 1)]


def most(state: State) -> int:
    """Return the most stones that may be taken now (R-3)."""
    return min(state.options.most, state.stones)
