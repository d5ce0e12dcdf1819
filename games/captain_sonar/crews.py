"""Who is who, and where."""

from games.captain_sonar.board import Sea, gauge_spaces, sea_of
from games.captain_sonar.events import Role
from games.captain_sonar.model import State

ROLES: tuple[Role, ...] = ("captain", "first_mate", "engineer", "radio_operator")


def crew_of(state: State, seat: int) -> int:
    """Give the crew of a seat."""
    return 0 if seat in state.crew_seats[0] else 1


def seat_of(state: State, crew: int, role: Role) -> int:
    """Give the seat that holds a role in a crew."""
    return next(seat for seat in state.crew_seats[crew] if role in state.roles[seat])


def sea(state: State) -> Sea:
    """Give the sea of a match."""
    return sea_of(state.map, state.side)


def spaces(state: State) -> dict[str, int]:
    """Give the spaces of the gauges in use (SON-23)."""
    return gauge_spaces(state.map)
