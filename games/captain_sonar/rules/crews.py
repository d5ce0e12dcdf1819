"""Questions about crews, seats and the sea."""

from games.captain_sonar.components import Sea, gauge_spaces, sea_of
from games.captain_sonar.events import Role, Sheet
from games.captain_sonar.model import State, View

ROLES: tuple[Role, ...] = ("captain", "first_mate", "engineer", "radio_operator")


def crew_of(match: State | View, seat: int) -> int:
    """Return the crew of a seat."""
    return 0 if seat in match.crew_seats[0] else 1


def seat_of(state: State, crew: int, role: Role) -> int:
    """Return the seat that holds a role in a crew."""
    roles = state.roles
    for seat in state.crew_seats[crew]:
        if role in roles[seat]:
            return seat
    raise AssertionError(f"no seat holds the role {role} in crew {crew}")


def sees(state: State, viewer: int | None, crew: int, sheet: Sheet) -> bool:
    """Return whether a viewer sees a sheet of a crew."""
    if state.phase == "over":
        return True
    if viewer is None or viewer not in state.crew_seats[crew]:
        return False
    return sheet == "crew" or not state.options.strict_stations or sheet in state.roles[viewer]


def sea(state: State) -> Sea:
    """Return the sea of a match."""
    return sea_of(state.map, state.side)


def spaces(state: State) -> dict[str, int]:
    """Return the number of spaces of each gauge in use (SON-23)."""
    return gauge_spaces(state.map)
