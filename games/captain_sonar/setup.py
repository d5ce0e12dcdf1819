"""Set-up: crews, roles and all chance of the game; then the secret starts (SON-1 to SON-9)."""

from typing import Literal

from games.captain_sonar.belief import Story
from games.captain_sonar.board import COMPONENTS, gauge_spaces, sea_of
from games.captain_sonar.commands import ChooseStart
from games.captain_sonar.crews import ROLES, sea
from games.captain_sonar.events import Dived, Event, Role, SetupDone, StartChosen, TurnStarted
from games.captain_sonar.model import Crew, State
from games.captain_sonar.options import Options
from games.chance import Chance
from games.game import Illegal

Crews = tuple[tuple[int, ...], tuple[int, ...]]

PADS = 64
PAD_SPAN = 65536
REAL_TIME_SEATS_MIN = 4

TABLE: dict[int, tuple[tuple[Role, ...], ...]] = {
    1: (ROLES,),
    2: (("captain", "first_mate", "engineer"), ("radio_operator",)),
    3: (("captain", "first_mate"), ("engineer",), ("radio_operator",)),
    4: (("captain",), ("first_mate",), ("engineer",), ("radio_operator",)),
}
"""Roles by crew size, in ascending seat order (SON-3)."""


def setup(seats: int, options: Options, chance: Chance) -> list[Event]:
    """Draw all chance of the game (specification section 4)."""
    if options.mode == "real_time" and seats < REAL_TIME_SEATS_MIN:
        raise Illegal("mode-needs-four-players")
    if options.role_assignment:
        crew_seats, roles = assigned(seats, options.role_assignment)
    else:
        crew_seats, roles = by_table(seats)
    if options.boat_names[0] == options.boat_names[1]:
        raise Illegal("boat-names-equal")
    side = side_of(options)
    cells = sea_of(options.map, side).cells
    opening = options.first_crew if options.first_crew >= 0 else chance.randbelow(2)
    zero, one = (tuple(chance.randbelow(PAD_SPAN) for _ in range(PADS)) for _ in range(2))
    starts = (chance.choice(cells), chance.choice(cells))
    return [
        SetupDone(
            options.mode,
            options.map,
            side,
            COMPONENTS.sides[side],
            crew_seats,
            roles,
            opening,
            (zero, one),
            starts,
        )
    ]


def side_of(options: Options) -> Literal["light", "dark"]:
    """Give the side of the sheets (SON-4)."""
    if options.board_side != "auto":
        return options.board_side
    return "light" if options.mode == "turns" else "dark"


def by_table(seats: int) -> tuple[Crews, tuple[tuple[Role, ...], ...]]:
    """Deal seats to crews in turn, and roles by the crew's size (SON-1, SON-3)."""
    crews = (tuple(range(0, seats, 2)), tuple(range(1, seats, 2)))
    roles = tuple(TABLE[len(crews[seat % 2])][seat // 2] for seat in range(seats))
    return crews, roles


def assigned(
    seats: int, assignment: tuple[tuple[int | str, ...], ...]
) -> tuple[Crews, tuple[tuple[Role, ...], ...]]:
    """Take crews and roles from the option; refuse what doesn't make two whole crews."""
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


def initial(seats: int, options: Options) -> State:
    """Give the state before any event."""
    side = side_of(options)
    gauges = dict.fromkeys(gauge_spaces(options.map), 0)
    return State(
        options=options,
        mode=options.mode,
        map=options.map,
        side=side,
        size=COMPONENTS.sides[side],
        crews=(Crew(gauges), Crew(gauges.copy())),
        archer_mines=list(sea_of(options.map, side).archer_mines),
        story=Story(options.map, side, options.torpedo_over_islands)
        if options.radio_assist == "inference"
        else None,
    )


def choose_start(state: State, crew: int, command: ChooseStart) -> list[Event]:
    """SON-6 to SON-9."""
    if state.crews[crew].position is not None:
        raise Illegal("start-already-chosen")
    if not sea(state).on_map(command.cell):
        raise Illegal("cell-off-map")
    if command.cell in sea(state).islands:
        raise Illegal("cell-is-island")
    events: list[Event] = [StartChosen(crew, command.cell)]
    if state.crews[1 - crew].position is not None:
        events += [Dived(0), Dived(1)]
        if state.mode == "turns":
            events.append(TurnStarted(state.first_crew, 1, False))
    return events
