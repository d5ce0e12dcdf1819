"""Whose turn it is: waiting seats, clocks and the commands that the clock plays."""

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
    """Give the seats whose command the game waits for (section 5)."""
    if state.phase == "mission":
        return frozenset(seat for seat, paid in enumerate(state.mission_paid) if paid == UNPAID)
    return frozenset() if state.active < 0 else frozenset((state.active,))


def default(state: State, seat: int) -> Command:
    """Give what the clock plays for a waiting seat (section 10)."""
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


def clock(state: State, seat: int) -> tuple[str, int]:
    """Give a waiting seat's clock: one per command, one for the missions (section 15)."""
    if state.phase == "mission":
        return "mission", state.options.mission_seconds
    return f"turn {state.happened}", state.options.turn_seconds


def teams(state: State) -> list[frozenset[int]]:
    """Every seat plays for itself."""
    return [frozenset((seat,)) for seat in range(state.seats)]
