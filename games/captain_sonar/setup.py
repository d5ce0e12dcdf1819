"""The set-up: crews, roles and all chance of the game (SON-1 to SON-8)."""

from typing import Literal

from games.captain_sonar.components import BOX, gauge_spaces, sea_of
from games.captain_sonar.events import Event, Role, SetupDone
from games.captain_sonar.model import Assignment, Crew, Options, State, Story
from games.captain_sonar.rules.crews import ROLES
from games.chance import Chance
from games.game import Illegal

Crews = tuple[tuple[int, ...], tuple[int, ...]]

PADS = 64
"""Number of random numbers behind the default commands of a crew."""
PAD_SPAN = 65536
REAL_TIME_SEATS_MIN = 4

TABLE: dict[int, tuple[tuple[Role, ...], ...]] = {
    1: (ROLES,),
    2: (("captain", "first_mate", "engineer"), ("radio_operator",)),
    3: (("captain", "first_mate"), ("engineer",), ("radio_operator",)),
    4: (("captain",), ("first_mate",), ("engineer",), ("radio_operator",)),
}
"""Roles by crew size, in ascending seat order (SON-3)."""


def initial(seats: int, options: Options) -> State:
    """Return the state before any event."""
    side = side_of(options)
    gauges = dict.fromkeys(gauge_spaces(options.map), 0)
    return State(
        options=options,
        mode=options.mode,
        map=options.map,
        side=side,
        size=BOX.sides[side],
        crews=(Crew(gauges), Crew(gauges.copy())),
        archer_mines=list(sea_of(options.map, side).archer_mines),
        story=Story(options.map, side, options.torpedo_over_islands)
        if options.radio_assist == "inference"
        else None,
    )


def setup(seats: int, options: Options, chance: Chance) -> list[Event]:
    """Return the opening event with all chance of the game."""
    if options.mode == "real_time" and seats < REAL_TIME_SEATS_MIN:
        raise Illegal("mode-needs-four-players")
    if options.role_assignment:
        crew_seats, roles = _assigned(seats, options.role_assignment)
    else:
        crew_seats, roles = _by_table(seats)
    if options.boat_names[0] == options.boat_names[1]:
        raise Illegal("boat-names-equal")
    side = side_of(options)
    cells = sea_of(options.map, side).cells
    opening = options.first_crew if options.first_crew >= 0 else chance.randbelow(2)
    zero, one = (tuple(chance.randbelow(PAD_SPAN) for _ in range(PADS)) for _ in range(2))
    starts = (chance.choice(cells), chance.choice(cells))
    done = SetupDone(
        options.mode,
        options.map,
        side,
        BOX.sides[side],
        crew_seats,
        roles,
        opening,
        (zero, one),
        starts,
    )
    return [done]


def side_of(options: Options) -> Literal["light", "dark"]:
    """Return the side of the sheets (SON-4)."""
    if options.board_side != "auto":
        return options.board_side
    return "light" if options.mode == "turns" else "dark"


def _by_table(seats: int) -> tuple[Crews, tuple[tuple[Role, ...], ...]]:
    """Assign seats to the crews alternately, and roles by the size of the crew (SON-1, SON-3)."""
    crews = (tuple(range(0, seats, 2)), tuple(range(1, seats, 2)))
    roles = tuple(TABLE[len(crews[seat % 2])][seat // 2] for seat in range(seats))
    return crews, roles


def _assigned(seats: int, assignment: Assignment) -> tuple[Crews, tuple[tuple[Role, ...], ...]]:
    """Read crews and roles from the option; refuse it unless it makes two complete crews."""
    bad = Illegal("bad-role-assignment")
    if len(assignment) != seats:
        raise bad
    crews: tuple[list[int], list[int]] = ([], [])
    roles: list[tuple[Role, ...]] = []
    for seat, (crew, *named) in enumerate(entry or ("",) for entry in assignment):
        if crew not in (0, 1) or not named:
            raise bad
        crews[int(crew)].append(seat)
        roles.append(tuple(role for role in ROLES if role in named))
        if len(roles[seat]) != len(named):
            raise bad
    for crew in crews:
        if sorted(role for seat in crew for role in roles[seat]) != sorted(ROLES):
            raise bad
    if abs(len(crews[0]) - len(crews[1])) > 1:
        raise bad
    return (tuple(crews[0]), tuple(crews[1])), tuple(roles)
