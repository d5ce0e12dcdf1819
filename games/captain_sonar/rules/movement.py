"""Moves, silent runs and surfacing (SON-10 to SON-19, SON-73 to SON-85, SON-93)."""

from games.captain_sonar.commands import OrderCourse, RunSilent
from games.captain_sonar.components import DIRECTIONS, SILENCE_RANGE, STEPS, Cell, Direction
from games.captain_sonar.events import (
    BreakdownsCleared,
    CourseOrdered,
    LimitReached,
    SilenceOver,
    SilenceRun,
    Surfaced,
)
from games.captain_sonar.fold import Draft
from games.captain_sonar.model import Crew, State
from games.captain_sonar.rules.activation import call_stop, check_activation, end_turn, resolve
from games.captain_sonar.rules.crews import sea
from games.captain_sonar.rules.damage import deal
from games.game import Illegal


def _is_free(boat: Crew, cell: Cell) -> bool:
    """Return whether a sea cell is off the boat's route and mines (SON-14 to SON-16)."""
    return cell not in boat.route and cell not in boat.mines


def headings(state: State, boat: Crew) -> list[Direction]:
    """List the directions in which a boat can move (SON-12 to SON-16)."""
    assert boat.position is not None, "under way"
    around = sea(state).next[boat.position]
    return [way for way in DIRECTIONS if way in around and _is_free(boat, around[way])]


def silent_cells(state: State, boat: Crew, heading: Direction) -> list[Cell]:
    """List the cells that a silent run can enter in a direction, nearest first (SON-74)."""
    assert boat.position is not None, "under way"
    following = sea(state).next
    cells: list[Cell] = []
    cell = following[boat.position].get(heading)
    while cell is not None and len(cells) < SILENCE_RANGE and _is_free(boat, cell):
        cells.append(cell)
        cell = following[cell].get(heading)
    return cells


def order_course(draft: Draft, crew: int, command: OrderCourse) -> None:
    """Move one cell in an announced direction (SON-10 to SON-16, SON-107)."""
    state = draft.state
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
    draft.add(CourseOrdered(crew, command.direction, cell))
    if state.mode == "real_time" and state.courses_total == state.options.max_turns:
        draft.add(LimitReached())


def run_silent(draft: Draft, seat: int, crew: int, command: RunSilent) -> None:
    """Move straight and unheard (SON-73 to SON-78)."""
    state, distance = draft.state, command.distance
    boat = state.crews[crew]
    check_activation(state, boat, "silence")
    if not 0 <= distance <= SILENCE_RANGE:
        raise Illegal("silence-distance")
    if (command.direction == "") != (distance == 0):
        raise Illegal("silence-direction")
    cells = silent_cells(state, boat, command.direction) if command.direction else []
    if len(cells) < distance:
        raise Illegal("silence-blocked")
    call_stop(draft, seat, crew, "silence")
    draft.add(SilenceRun(crew, command.direction, distance, tuple(cells[:distance])))


def confirm_silence(draft: Draft, crew: int) -> None:
    """End a silent run (SON-79)."""
    boat = draft.state.crews[crew]
    if boat.station != "silent":
        raise Illegal("not-silent")
    if boat.need_mark or boat.need_symbol:
        raise Illegal("tasks-pending")
    draft.add(SilenceOver(crew))
    resolve(draft, crew)


def surface(draft: Draft, crew: int) -> None:
    """Come up, with damage if there is ice above (SON-80 to SON-85, SON-93)."""
    state = draft.state
    boat, chart = state.crews[crew], sea(state)
    assert boat.position is not None, "under way"
    iced = bool(chart.ice_holes) and boat.position not in chart.ice_holes
    if iced and deal(draft, crew, [int(crew == 0), int(crew == 1)], "ice"):
        return
    forced = not headings(state, boat)
    draft.add(Surfaced(crew, chart.sector(boat.position), forced))
    if state.mode == "turns":
        draft.add(BreakdownsCleared(crew))
        end_turn(draft, surfaced=True)
