"""Captain Sonar's part of the laws."""

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from games.captain_sonar.commands import (
    AnswerSonar,
    Command,
    CrossSymbol,
    Dive,
    DropMine,
    EndTurn,
    LaunchDrone,
    LaunchTorpedo,
    MarkGauge,
    OrderCourse,
    RunSilent,
    SetOverlay,
    TraceSection,
    TriggerArcherMine,
    TriggerMine,
)
from games.captain_sonar.components import BOX, SECTIONS, SYMBOLS, distance
from games.captain_sonar.model import State
from games.captain_sonar.rules.crews import sea, spaces
from games.captain_sonar.rules.repairs import canonical as clean_trace
from games.captain_sonar.rules.repairs import well_formed
from games.chance import Chance
from games.testing.laws import Laws
from tests.games.captain_sonar.rehistory import rehistory
from tests.games.captain_sonar.twins import twins

ROLES = ("captain", "first_mate", "engineer", "radio_operator")

TABLES = [
    (2, {"max_turns": 60}),
    (2, {"map": "delta", "strict_stations": True, "first_crew": 1, "max_turns": 60}),
    (2, {"map": "echo", "damage_first": True, "radio_assist": "inference", "max_turns": 50}),
    (3, {"map": "bravo", "bonus_surface": "three", "board_side": "dark", "max_turns": 40}),
    (
        3,
        {
            "map": "charlie",
            "role_assignment": [[1, *ROLES], [0, "captain", "engineer"], [0, *ROLES[1::2]]],
            "max_turns": 40,
        },
    ),
    (4, {"map": "charlie", "torpedo_over_islands": True, "max_turns": 40}),
    (4, {"mode": "real_time", "map": "delta", "board_side": "light", "max_turns": 50}),
    (5, {"mode": "real_time", "ready_announcements": "crew", "max_turns": 50}),
    (6, {"mode": "real_time", "map": "echo", "trace_mode": "simple", "max_turns": 50}),
    (6, {"radio_assist": "none", "ready_announcements": "crew", "max_turns": 40}),
    (7, {"mode": "real_time", "map": "bravo", "radio_assist": "inference", "max_turns": 40}),
    (8, {"map": "echo", "max_turns": 40}),
    (8, {"mode": "real_time", "map": "charlie", "max_turns": 40}),
]


def census(state: State) -> object:
    """Count what never changes; check that routes and mines are where they can be."""
    chart = sea(state)
    symbols = Counter(SYMBOLS)
    for boat in state.crews:
        assert set(boat.crossed) <= set(symbols), "no other symbols"
        assert len(set(boat.crossed)) == len(boat.crossed), "no symbol twice"
        assert boat.gauges.keys() == spaces(state).keys(), "no other gauges"
        assert all(0 <= boat.gauges[gauge] <= room for gauge, room in spaces(state).items())
        assert set(boat.route) | set(boat.mines) <= set(chart.cells), "all at sea"
        assert len(set(boat.route)) == len(boat.route), "no cell of the route twice"
        assert len(set(boat.mines)) == len(boat.mines), "one own mine to a cell"
        assert all(
            distance(here, there) == 1 and (here[0] == there[0] or here[1] == there[1])
            for here, there in zip(boat.route, boat.route[1:], strict=False)
        ), "the route is one line"
        assert boat.position == (boat.route[-1] if boat.route else None)
    assert all(0 <= damage <= 4 for damage in state.damage), "four boxes"
    assert set(state.archer_mines) <= set(chart.archer_mines), "no new mines of Archer's"
    return len(symbols), len(chart.cells), spaces(state), state.crew_seats, state.roles


def canonical(state: State, seat: int, command: Command) -> Command:
    """Return the representative of a command in `legal`."""
    match command:
        case SetOverlay(origin=origin) if sea(state).on_map(origin):
            return SetOverlay((0, 0))
        case TraceSection(section=section) if section in SECTIONS and well_formed(state, command):
            return clean_trace(state, section)
        case AnswerSonar(kind_a=first, value_a=a, kind_b=second, value_b=b):
            order = ("column", "row", "sector")
            swapped = {first, second} <= set(order) and order.index(first) > order.index(second)
            return AnswerSonar(second, b, first, a) if swapped else command
        case _:
            return command


def probes(state: State, seat: int, chance: Chance) -> Iterator[Command]:
    """Yield members of the families, and commands that are nearly legal."""
    size = state.size
    cell = (chance.randbelow(size + 2) - 1, chance.randbelow(size + 2) - 1)
    crew = state.crews[0 if seat in state.crew_seats[0] else 1]
    yield SetOverlay(cell)
    yield TraceSection(chance.randbelow(6), (cell,))
    yield TraceSection(1 + chance.randbelow(4), ())
    yield Dive()
    yield EndTurn()
    yield MarkGauge(chance.choice(["scenario", "torpedo", "warp", *crew.gauges]))
    yield CrossSymbol(chance.choice([*SYMBOLS, "x1"]))
    for direction in "nesw":
        yield OrderCourse(direction)
        yield RunSilent(direction, chance.randbelow(7) - 1)
    yield RunSilent("", chance.randbelow(2))
    yield LaunchDrone(chance.randbelow(12) - 1)
    for kind in (LaunchTorpedo, DropMine, TriggerMine, TriggerArcherMine):
        yield kind(cell)
        if crew.position is not None:
            near = chance.randbelow(3) - 1, chance.randbelow(3) - 1
            yield kind((crew.position[0] + near[0], crew.position[1] + near[1]))
    kinds = ["column", "row", "sector", "depth"]
    for _ in range(4):
        yield AnswerSonar(
            chance.choice(kinds),
            chance.randbelow(size + 1),
            chance.choice(kinds),
            chance.randbelow(size + 1),
        )


assert {options.get("map", "alpha") for _, options in TABLES} == set(BOX.maps)

LAWS = Laws(
    tables=TABLES,
    records_max=900,
    perft=Path(__file__).with_name("perft.toml"),
    census=census,
    twins=twins,
    rehistory=rehistory,
    canonical=canonical,
    probes=probes,
)
