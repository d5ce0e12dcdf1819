"""Fold events into the state."""

from typing import assert_never

from games.template.events import Event, GameEnded, PileLaid, StonesTaken
from games.template.model import Result, State


def apply(state: State, event: Event) -> None:
    """Fold one event in place."""
    match event:
        case PileLaid(stones=stones, first=first):
            state.stones = stones
            state.taken = [0] * state.seats
            state.turn = first
        case StonesTaken(seat=seat, count=count):
            state.stones -= count
            state.taken[seat] += count
            state.turn = (seat + 1) % state.seats
        case GameEnded(winner=winner):
            state.turn = -1
            state.result = Result((winner,))
        case _:
            assert_never(event)
