"""Fold events into a state."""

from typing import TypeAlias

from games import draft
from games.captain_sonar.components import CIRCUITS, Cell, gauge_spaces
from games.captain_sonar.events import (
    ArcherMineTriggered,
    Blast,
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
    ReadyToDive,
    RepairsInspected,
    Resumed,
    SectionTraced,
    SetupDone,
    SilenceOver,
    SilenceRun,
    SonarAnswered,
    SonarPinged,
    StartChosen,
    StopCalled,
    SubmarineDestroyed,
    Surfaced,
    SymbolCrossed,
    TorpedoLaunched,
    TurnEnded,
    TurnStarted,
)
from games.captain_sonar.model import Crew, State, Stop
from games.dispatch import by_type

Draft: TypeAlias = draft.Draft[State, Event]
"""A draft of events of this game."""


def apply(state: State, event: Event) -> None:
    """Fold one event into `state`."""
    state.version += 1
    if state.story is not None:
        state.story = state.story.after(event)
    FOLDS[type(event)](state, event)


def _gauge_marked(state: State, event: GaugeMarked) -> None:
    """Fold what the first mate marked."""
    boat = state.crews[event.crew]
    boat.gauges[event.gauge] = event.marks
    boat.need_mark = False
    boat.mark_excluded = ""
    _finish_task(state, boat)


def _symbol_crossed(state: State, event: SymbolCrossed) -> None:
    """Fold what the engineer crossed off."""
    boat = state.crews[event.crew]
    boat.crossed.append(event.symbol)
    boat.need_symbol = ""
    _finish_task(state, boat)


def _circuit_repaired(state: State, event: CircuitRepaired) -> None:
    """Clear the symbols of a circuit."""
    boat, circuit = state.crews[event.crew], CIRCUITS[event.circuit]
    boat.crossed = [symbol for symbol in boat.crossed if symbol not in circuit]


def _breakdowns_cleared(state: State, event: BreakdownsCleared) -> None:
    """Clear all symbols."""
    state.crews[event.crew].crossed.clear()


def _damage_taken(state: State, event: DamageTaken) -> None:
    """Count damage, which both crews know."""
    state.damage[event.crew] = event.total
    _hear(state, event.crew, f"damage:{event.total}")


def _overlay_set(state: State, event: OverlaySet) -> None:
    """Lay the radio operator's sheet on the map."""
    state.crews[event.crew].overlay = event.origin


def _overlay_wiped(state: State, event: OverlayWiped) -> None:
    """Wipe what the radio operator wrote down."""
    boat = state.crews[event.crew]
    boat.overlay = None
    boat.heard.clear()


def _course_ordered(state: State, event: CourseOrdered) -> None:
    """Move a boat one cell. Both tasks are owed now (SON-20, SON-22, SON-26)."""
    boat = state.crews[event.crew]
    _enter(boat, event.cell)
    boat.may_activate = True
    boat.need_symbol = event.direction
    boat.need_mark = boat.gauges != gauge_spaces(state.map)
    boat.mark_excluded = ""
    boat.station = "tasks"
    if state.mode == "turns":
        state.phase = "tasks"
    state.courses_total += 1
    _hear(state, event.crew, event.direction)


def _silence_run(state: State, event: SilenceRun) -> None:
    """Move a boat in silence. Tasks are owed if it moved at all (SON-75 to SON-78)."""
    assert event.cells is not None, "folded unredacted"
    assert event.direction is not None, "folded unredacted"
    boat = state.crews[event.crew]
    _activate(boat, "silence")
    for cell in event.cells:
        _enter(boat, cell)
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
    _hear(state, event.crew, "silence")


def _silence_over(state: State, event: SilenceOver) -> None:
    """End a silent run."""
    state.crews[event.crew].station = "ready"


def _surfaced(state: State, event: Surfaced) -> None:
    """Shorten the route to the present cell, and begin the repairs in real time."""
    boat = state.crews[event.crew]
    del boat.route[:-1]
    if state.mode == "real_time":
        boat.station = "surfaced"
        boat.traces.clear()
    _hear(state, event.crew, f"surface:{event.sector}")


def _section_traced(state: State, event: SectionTraced) -> None:
    """Note who traced a section."""
    state.crews[event.crew].traces.append((event.section, event.seat, event.clean))


def _repairs_inspected(state: State, event: RepairsInspected) -> None:
    """Begin the repairs again."""
    state.crews[event.crew].traces.clear()


def _ready_to_dive(state: State, event: ReadyToDive) -> None:
    """End the repairs."""
    state.crews[event.crew].station = "dive_ready"


def _start_chosen(state: State, event: StartChosen) -> None:
    """Put a boat to sea."""
    _enter(state.crews[event.crew], event.cell)


def _dived(state: State, event: Dived) -> None:
    """Go under way, at the start or after repairs."""
    boat = state.crews[event.crew]
    boat.station = "ready"
    boat.may_activate = False
    if state.mode == "real_time":
        state.phase = "live"


def _torpedo_launched(state: State, event: TorpedoLaunched) -> None:
    """Empty the gauge of the torpedo and remove all mines at the target (SON-52)."""
    target = event.target
    _activate(state.crews[event.crew], "torpedo")
    for crew in state.crews:
        if target in crew.mines:
            crew.mines.remove(target)
    if target in state.archer_mines:
        state.archer_mines.remove(target)
    _hear(state, event.crew, f"torpedo:{_named(target)}")


def _mine_dropped(state: State, event: MineDropped) -> None:
    """Lay a mine."""
    boat = state.crews[event.crew]
    _activate(boat, "mine")
    if event.cell is not None:
        boat.mines.append(event.cell)
    _hear(state, event.crew, "mine")


def _mine_triggered(state: State, event: MineTriggered) -> None:
    """Remove a mine."""
    boat = state.crews[event.crew]
    boat.may_activate = False
    boat.mines.remove(event.cell)
    _hear(state, event.crew, f"trigger:{_named(event.cell)}")


def _archer_mine_triggered(state: State, event: ArcherMineTriggered) -> None:
    """Remove a mine of the scenario."""
    _activate(state.crews[event.crew], "scenario")
    state.archer_mines.remove(event.cell)
    _hear(state, event.crew, f"archer:{_named(event.cell)}")


def _drone_launched(state: State, event: DroneLaunched) -> None:
    """Note the answer to a drone."""
    boat = state.crews[event.crew]
    _activate(boat, "drone")
    boat.heard.append(f"drone:{event.sector}:{'yes' if event.answer else 'no'}")


def _sonar_pinged(state: State, event: SonarPinged) -> None:
    """Ask the enemy's captain."""
    _activate(state.crews[event.crew], "sonar")
    state.sonar_asker = event.crew
    if state.mode == "turns":
        state.phase = "sonar"


def _sonar_answered(state: State, event: SonarAnswered) -> None:
    """Note the answer to a sonar."""
    state.sonar_asker = None
    facts = zip(event.kinds, event.values, strict=True)
    _hear(state, event.crew, "sonar:" + ",".join(f"{kind}={value}" for kind, value in facts))


def _set_up(state: State, event: SetupDone) -> None:
    """Fold the seats, the roles and the chance of the set-up."""
    assert event.pads is not None, "folded unredacted"
    assert event.default_starts is not None, "folded unredacted"
    state.crew_seats = event.crew_seats
    state.roles = event.roles
    state.first_crew = event.first_crew
    state.pads = event.pads
    state.default_starts = event.default_starts


def _turn_started(state: State, event: TurnStarted) -> None:
    """Begin the turn of a crew."""
    state.active_crew = event.crew
    state.turns_left = event.turns_left
    state.bonus = event.bonus
    state.turn_no += 1
    state.phase = "course"


def _stop_called(state: State, event: StopCalled) -> None:
    """Stop the clock of the enemy's crew for an activation."""
    state.stop = Stop(event.crew, event.system)


def _resumed(state: State, _event: Resumed) -> None:
    """End a stop."""
    state.stop = None


def _submarine_destroyed(state: State, event: SubmarineDestroyed) -> None:
    """End the match for the crew that is left, if any."""
    _end(state, None if event.both else 1 - event.crew)


def _limit_reached(state: State, _event: LimitReached) -> None:
    """End the match for the crew with less damage."""
    zero, one = state.damage
    _end(state, None if zero == one else int(one < zero))


def _unchanged(_state: State, _event: GaugeReady | Blast | TurnEnded) -> None:
    """Fold what changes nothing by itself."""


def _enter(boat: Crew, cell: Cell | None) -> None:
    """Move a boat to a cell and add the cell to its route (SON-9, SON-78)."""
    assert cell is not None, "folded unredacted"
    boat.position = cell
    boat.route.append(cell)


def _activate(boat: Crew, gauge: str) -> None:
    """Empty the gauge of a system (SON-37, SON-40)."""
    boat.gauges[gauge] = 0
    boat.may_activate = False


def _finish_task(state: State, boat: Crew) -> None:
    """End the tasks of a move if nothing more is owed."""
    if boat.station == "tasks" and not boat.need_mark and not boat.need_symbol:
        boat.station = "ready"
        if state.mode == "turns":
            state.phase = "system"


def _hear(state: State, crew: int, token: str) -> None:
    """Add to what the enemy of a crew has heard."""
    state.crews[1 - crew].heard.append(token)


def _named(cell: Cell) -> str:
    """Return a cell as it is written among what was heard."""
    return f"{cell[0]},{cell[1]}"


def _end(state: State, winner: int | None) -> None:
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


FOLDS = by_type(
    Event,
    _gauge_marked,
    _symbol_crossed,
    _circuit_repaired,
    _breakdowns_cleared,
    _damage_taken,
    _overlay_set,
    _overlay_wiped,
    _course_ordered,
    _silence_run,
    _silence_over,
    _surfaced,
    _section_traced,
    _repairs_inspected,
    _ready_to_dive,
    _start_chosen,
    _dived,
    _torpedo_launched,
    _mine_dropped,
    _mine_triggered,
    _archer_mine_triggered,
    _drone_launched,
    _sonar_pinged,
    _sonar_answered,
    _set_up,
    _turn_started,
    _stop_called,
    _resumed,
    _submarine_destroyed,
    _limit_reached,
    _unchanged,
)
"""What each type of event does."""
