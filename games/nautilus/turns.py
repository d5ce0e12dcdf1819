"""Whose turn it is: waiting seats, clocks, and the commands that the clock plays."""

from games.nautilus.commands import (
    Command,
    EndBuild,
    EndDive,
    EndLaunch,
    EndResearch,
    SkipBonus,
    SkipBuy,
)
from games.nautilus.model import UNPAID, State
from games.nautilus.rules.building import cheapest
from games.nautilus.rules.mission import default_payment


def waiting(state: State) -> frozenset[int]:
    """Return the active seat, or in the mission phase all seats that have not paid."""
    if state.phase == "mission":
        return frozenset(seat for seat, paid in enumerate(state.mission_paid) if paid == UNPAID)
    return frozenset() if state.active < 0 else frozenset((state.active,))


def teams(state: State) -> list[frozenset[int]]:
    """Return each seat as a team of its own."""
    return [frozenset((seat,)) for seat in range(state.seats)]


def clock(state: State, seat: int) -> tuple[str, int]:
    """Return a waiting seat's clock: a new one for each command, or that of the mission phase."""
    if state.phase == "mission":
        return "mission", state.options.mission_seconds
    return f"turn {state.happened}", state.options.turn_seconds


def default(state: State, seat: int) -> Command:
    """Return the command that the clock plays for a waiting seat."""
    match state.step:
        case "buy":
            return SkipBuy()
        case "place":
            if state.turn.must_build and not state.turn.built:
                return cheapest(state, seat)
            return EndBuild()
        case "move":
            return EndResearch()
        case "launch":
            return EndLaunch()
        case "sail":
            return EndDive() if state.pending is None else SkipBonus()
        case _:
            return default_payment(state, seat)
