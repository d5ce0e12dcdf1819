"""Courses, silent runs and surfacing (SON-10 to SON-19, SON-73 to SON-85, SON-93)."""

from games.captain_sonar.board import DIRECTIONS, SILENCE_RANGE, STEPS, Cell, Direction
from games.captain_sonar.commands import ConfirmSilence, OrderCourse, RunSilent, Surface
from games.captain_sonar.crews import sea
from games.captain_sonar.events import (
    BreakdownsCleared,
    CourseOrdered,
    Event,
    LimitReached,
    SilenceOver,
    SilenceRun,
    Surfaced,
)
from games.captain_sonar.model import Crew, State
from games.captain_sonar.turns import check_activation, damaged, resolved, stop_called, turn_over
from games.game import Illegal


def is_free(boat: Crew, cell: Cell) -> bool:
    """Tell whether neither route nor own mine bars a sea cell (SON-14 to SON-16)."""
    return cell not in boat.route and cell not in boat.mines


def courses(state: State, boat: Crew) -> list[Direction]:
    """List the legal courses (SON-12 to SON-16)."""
    assert boat.position is not None, "under way"
    around = sea(state).next[boat.position]
    return [way for way in DIRECTIONS if way in around and is_free(boat, around[way])]


def silent_cells(state: State, boat: Crew, direction: Direction) -> list[Cell]:
    """List the cells that a silent run can enter in a direction, nearest first (SON-74)."""
    assert boat.position is not None, "under way"
    following = sea(state).next
    cells: list[Cell] = []
    cell = following[boat.position].get(direction)
    while cell is not None and len(cells) < SILENCE_RANGE and is_free(boat, cell):
        cells.append(cell)
        cell = following[cell].get(direction)
    return cells


def order_course(state: State, crew: int, command: OrderCourse) -> list[Event]:
    """SON-10 to SON-16, SON-107."""
    boat, chart = state.crews[crew], sea(state)
    assert boat.position is not None, "under way"
    right, down = STEPS[command.direction]
    cell = (boat.position[0] + right, boat.position[1] + down)
    if not chart.on_map(cell):
        raise Illegal("course-off-map")
    if cell in chart.islands:
        raise Illegal("course-island")
    if cell in boat.route:
        raise Illegal("course-own-route")
    if cell in boat.mines:
        raise Illegal("course-own-mine")
    events: list[Event] = [CourseOrdered(crew, command.direction, cell)]
    if state.mode == "real_time" and state.courses_total + 1 == state.options.max_turns:
        events.append(LimitReached())
    return events


def run_silent(state: State, seat: int, crew: int, command: RunSilent) -> list[Event]:
    """SON-73 to SON-78."""
    boat, distance = state.crews[crew], command.distance
    check_activation(state, boat, "silence")
    if not 0 <= distance <= SILENCE_RANGE:
        raise Illegal("silence-distance")
    if (command.direction == "") != (distance == 0):
        raise Illegal("silence-direction")
    cells = silent_cells(state, boat, command.direction) if command.direction else []
    if len(cells) < distance:
        raise Illegal("silence-blocked")
    run = SilenceRun(crew, command.direction, distance, tuple(cells[:distance]))
    return [*stop_called(state, seat, crew, "silence"), run]


def confirm_silence(state: State, crew: int, command: ConfirmSilence) -> list[Event]:
    """SON-79."""
    boat = state.crews[crew]
    if boat.station != "silent":
        raise Illegal("not-silent")
    if boat.need_mark or boat.need_symbol:
        raise Illegal("tasks-pending")
    return [SilenceOver(crew), *resolved(state, crew)]


def surface(state: State, crew: int, command: Surface) -> list[Event]:
    """SON-80 to SON-85, SON-93."""
    boat, chart = state.crews[crew], sea(state)
    assert boat.position is not None, "under way"
    events: list[Event] = []
    if chart.ice_holes and boat.position not in chart.ice_holes:
        events, sunk = damaged(state, crew, [int(crew == 0), int(crew == 1)], "ice")
        if sunk:
            return events
    forced = not courses(state, boat)
    events.append(Surfaced(crew, chart.sector(boat.position), forced))
    if state.mode == "turns":
        events += [BreakdownsCleared(crew), *turn_over(state, surfaced=True)]
    return events
