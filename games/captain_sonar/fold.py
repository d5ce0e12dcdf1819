"""Fold events into a state."""

from typing import TypeAlias, assert_never

from games import draft
from games.captain_sonar.components import CIRCUITS, Cell, gauge_spaces
from games.captain_sonar.events import (
    ArcherMineTriggered,
    Blast,
    BoatEvent,
    BreakdownsCleared,
    CircuitRepaired,
    CourseOrdered,
    DamageTaken,
    Dived,
    DroneLaunched,
    Event,
    GaugeMarked,
    GaugeReady,
    LimitReached,
    MineDropped,
    MineTriggered,
    OverlaySet,
    OverlayWiped,
    PlayEvent,
    ReadyToDive,
    RepairsInspected,
    Resumed,
    SectionTraced,
    SetupDone,
    SheetEvent,
    SilenceOver,
    SilenceRun,
    SonarAnswered,
    SonarPinged,
    StartChosen,
    StopCalled,
    SubmarineDestroyed,
    Surfaced,
    SymbolCrossed,
    SystemEvent,
    TorpedoLaunched,
    TurnEnded,
    TurnStarted,
)
from games.captain_sonar.model import Crew, State, Stop

Draft: TypeAlias = draft.Draft[State, Event]
"""A draft of events of this game."""


def apply(state: State, event: Event) -> None:
    """Fold one event into `state`."""
    state.version += 1
    if state.story is not None:
        state.story = state.story.after(event)
    match event:
        case (
            GaugeMarked()
            | GaugeReady()
            | SymbolCrossed()
            | CircuitRepaired()
            | DamageTaken()
            | BreakdownsCleared()
            | OverlaySet()
            | OverlayWiped()
        ):
            apply_to_sheets(state, event)
        case (
            CourseOrdered()
            | SilenceRun()
            | SilenceOver()
            | Surfaced()
            | SectionTraced()
            | RepairsInspected()
            | ReadyToDive()
            | StartChosen()
            | Dived()
        ):
            apply_to_boat(state, event)
        case (
            TorpedoLaunched()
            | MineDropped()
            | MineTriggered()
            | ArcherMineTriggered()
            | Blast()
            | DroneLaunched()
            | SonarPinged()
            | SonarAnswered()
        ):
            apply_to_systems(state, event)
        case _:
            apply_to_play(state, event)


def apply_to_sheets(state: State, event: SheetEvent) -> None:
    """Fold what the first mate, the engineer or the radio operator wrote down."""
    boat = state.crews[event.crew]
    match event:
        case GaugeMarked(gauge=gauge, marks=marks):
            boat.gauges[gauge] = marks
            boat.need_mark = False
            boat.mark_excluded = ""
            finish_task(state, boat)
        case SymbolCrossed(symbol=symbol):
            boat.crossed.append(symbol)
            boat.need_symbol = ""
            finish_task(state, boat)
        case CircuitRepaired(circuit=circuit):
            boat.crossed = [symbol for symbol in boat.crossed if symbol not in CIRCUITS[circuit]]
        case BreakdownsCleared():
            boat.crossed.clear()
        case DamageTaken(total=total):
            state.damage[event.crew] = total
            hear(state, event.crew, f"damage:{total}")
        case OverlaySet(origin=origin):
            boat.overlay = origin
        case OverlayWiped():
            boat.overlay = None
            boat.heard.clear()
        case GaugeReady():
            pass
        case _:
            assert_never(event)


def apply_to_boat(state: State, event: BoatEvent) -> None:
    """Fold the movement or the station of a boat."""
    boat = state.crews[event.crew]
    match event:
        case CourseOrdered():
            sail(state, boat, event)
        case SilenceRun():
            run_silent(state, boat, event)
        case SilenceOver():
            boat.station = "ready"
        case Surfaced(sector=sector):
            del boat.route[:-1]
            if state.mode == "real_time":
                boat.station = "surfaced"
                boat.traces.clear()
            hear(state, event.crew, f"surface:{sector}")
        case SectionTraced(seat=seat, section=section, clean=clean):
            boat.traces.append((section, seat, clean))
        case RepairsInspected():
            boat.traces.clear()
        case ReadyToDive():
            boat.station = "dive_ready"
        case StartChosen(cell=cell):
            enter(boat, cell)
        case Dived():
            boat.station = "ready"
            boat.may_activate = False
            if state.mode == "real_time":
                state.phase = "live"
        case _:
            assert_never(event)


def apply_to_systems(state: State, event: SystemEvent) -> None:
    """Fold an activation or its outcome."""
    if isinstance(event, Blast):
        return
    crew = event.crew
    boat = state.crews[crew]
    match event:
        case TorpedoLaunched(target=target):
            launch_torpedo(state, boat, target)
            hear(state, crew, f"torpedo:{named(target)}")
        case MineDropped(cell=cell):
            activate(boat, "mine")
            if cell is not None:
                boat.mines.append(cell)
            hear(state, crew, "mine")
        case MineTriggered(cell=cell):
            boat.may_activate = False
            boat.mines.remove(cell)
            hear(state, crew, f"trigger:{named(cell)}")
        case ArcherMineTriggered(cell=cell):
            activate(boat, "scenario")
            state.archer_mines.remove(cell)
            hear(state, crew, f"archer:{named(cell)}")
        case DroneLaunched(sector=sector, answer=answer):
            activate(boat, "drone")
            boat.heard.append(f"drone:{sector}:{'yes' if answer else 'no'}")
        case SonarPinged():
            activate(boat, "sonar")
            state.sonar_asker = crew
            if state.mode == "turns":
                state.phase = "sonar"
        case SonarAnswered(kinds=kinds, values=values):
            state.sonar_asker = None
            facts = zip(kinds, values, strict=True)
            hear(state, crew, "sonar:" + ",".join(f"{kind}={value}" for kind, value in facts))
        case _:
            assert_never(event)


def apply_to_play(state: State, event: PlayEvent) -> None:
    """Fold the set-up, a turn, a stop or the end."""
    match event:
        case SetupDone():
            set_up(state, event)
        case TurnStarted(crew=crew, turns_left=turns_left, bonus=bonus):
            state.active_crew = crew
            state.turns_left = turns_left
            state.bonus = bonus
            state.turn_no += 1
            state.phase = "course"
        case TurnEnded():
            pass
        case StopCalled(crew=crew, system=system):
            state.stop = Stop(crew, system)
        case Resumed():
            state.stop = None
        case SubmarineDestroyed(crew=crew, both=both):
            end(state, None if both else 1 - crew)
        case LimitReached():
            zero, one = state.damage
            end(state, None if zero == one else int(one < zero))
        case _:
            assert_never(event)


def set_up(state: State, event: SetupDone) -> None:
    """Fold the seats, the roles and the chance of the set-up."""
    assert event.pads is not None, "folded unredacted"
    assert event.default_starts is not None, "folded unredacted"
    state.crew_seats = event.crew_seats
    state.roles = event.roles
    state.first_crew = event.first_crew
    state.pads = event.pads
    state.default_starts = event.default_starts


def enter(boat: Crew, cell: Cell | None) -> None:
    """Move a boat to a cell and add the cell to its route (SON-9, SON-78)."""
    assert cell is not None, "folded unredacted"
    boat.position = cell
    boat.route.append(cell)


def sail(state: State, boat: Crew, event: CourseOrdered) -> None:
    """Move a boat one cell. Both tasks are owed now (SON-20, SON-22, SON-26)."""
    enter(boat, event.cell)
    boat.may_activate = True
    boat.need_symbol = event.direction
    boat.need_mark = boat.gauges != gauge_spaces(state.map)
    boat.mark_excluded = ""
    boat.station = "tasks"
    if state.mode == "turns":
        state.phase = "tasks"
    state.courses_total += 1
    hear(state, event.crew, event.direction)


def run_silent(state: State, boat: Crew, event: SilenceRun) -> None:
    """Move a boat in silence. Tasks are owed if it moved at all (SON-75 to SON-78)."""
    assert event.cells is not None, "folded unredacted"
    assert event.direction is not None, "folded unredacted"
    activate(boat, "silence")
    for cell in event.cells:
        enter(boat, cell)
    if event.cells:
        boat.need_symbol = event.direction
        boat.need_mark = any(
            boat.gauges[gauge] < count
            for gauge, count in gauge_spaces(state.map).items()
            if gauge != "silence"
        )
        boat.mark_excluded = "silence" if boat.need_mark else ""
    boat.station = "silent"
    if state.mode == "turns":
        state.phase = "silence"
    hear(state, event.crew, "silence")


def launch_torpedo(state: State, boat: Crew, target: Cell) -> None:
    """Empty the gauge of the torpedo and remove all mines at the target (SON-52)."""
    activate(boat, "torpedo")
    for crew in state.crews:
        if target in crew.mines:
            crew.mines.remove(target)
    if target in state.archer_mines:
        state.archer_mines.remove(target)


def activate(boat: Crew, gauge: str) -> None:
    """Empty the gauge of a system (SON-37, SON-40)."""
    boat.gauges[gauge] = 0
    boat.may_activate = False


def finish_task(state: State, boat: Crew) -> None:
    """End the tasks of a move if nothing more is owed."""
    if boat.station == "tasks" and not boat.need_mark and not boat.need_symbol:
        boat.station = "ready"
        if state.mode == "turns":
            state.phase = "system"


def hear(state: State, crew: int, token: str) -> None:
    """Add to what the enemy of a crew has heard."""
    state.crews[1 - crew].heard.append(token)


def named(cell: Cell) -> str:
    """Return a cell as it is written among what was heard."""
    return f"{cell[0]},{cell[1]}"


def end(state: State, winner: int | None) -> None:
    """End the match. Nothing is owed any more (SON-105)."""
    state.phase = "over"
    state.winner = winner
    state.draw = winner is None
    state.stop = None
    state.sonar_asker = None
    for boat in state.crews:
        boat.need_mark = False
        boat.mark_excluded = ""
        boat.need_symbol = ""
