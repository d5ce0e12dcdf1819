"""The legal commands of a seat; of three families only representatives."""

from games.captain_sonar.commands import (
    ChooseStart,
    Command,
    ConfirmSilence,
    CrossSymbol,
    Dive,
    DropMine,
    EndTurn,
    LaunchDrone,
    LaunchTorpedo,
    MarkGauge,
    OrderCourse,
    PingSonar,
    RunSilent,
    SetOverlay,
    Surface,
    TriggerArcherMine,
    TriggerMine,
    WipeOverlay,
)
from games.captain_sonar.components import DIRECTIONS
from games.captain_sonar.events import Role
from games.captain_sonar.model import Crew, State
from games.captain_sonar.rules.activation import broken, ready
from games.captain_sonar.rules.crews import crew_of, sea
from games.captain_sonar.rules.detection import answers
from games.captain_sonar.rules.movement import headings, silent_cells
from games.captain_sonar.rules.repairs import canonical, tracers, untraced
from games.captain_sonar.rules.tasks import crossable, markable
from games.captain_sonar.rules.weapons import mine_cells, targets


def legal(state: State, seat: int) -> list[Command]:
    """List the legal commands of a seat."""
    if state.phase == "over" or not state.roles:
        return []
    crew = crew_of(state, seat)
    boat, roles = state.crews[crew], state.roles[seat]
    if state.phase == "deploy":
        choosing = "captain" in roles and boat.position is None
        return [ChooseStart(cell) for cell in sea(state).cells] if choosing else []
    return [*_on_duty(state, seat, crew, boat), *_notes(state, boat, roles)]


def _on_duty(state: State, seat: int, crew: int, boat: Crew) -> list[Command]:
    """List the commands that belong to the turn or the station of the crew."""
    roles = state.roles[seat]
    captain = "captain" in roles
    if state.sonar_asker is not None:
        if crew == state.sonar_asker or not captain:
            return []
        assert boat.position is not None, "under way"
        return [answer.command() for answer in answers(sea(state), boat.position)]
    if state.mode == "turns" and crew != state.active_crew:
        return []
    if state.stop is not None and crew != state.stop.crew:
        return []
    match boat.station:
        case "tasks" | "silent":
            owed = _tasks(state, boat, roles)
            pending = boat.need_mark or boat.need_symbol
            done = captain and boat.station == "silent" and not pending
            return [*owed, ConfirmSilence()] if done else owed
        case "surfaced":
            may_trace = seat in tracers(state, crew)
            sections = untraced(state, crew) if may_trace else []
            return [canonical(state, section) for section in sections]
        case "dive_ready":
            return [Dive()] if captain else []
        case _:
            return _under_way(state, boat, roles)


def _tasks(state: State, boat: Crew, roles: tuple[Role, ...]) -> list[Command]:
    """List the marks and symbols that are owed (SON-20, SON-26)."""
    commands: list[Command] = []
    if boat.need_mark and "first_mate" in roles:
        commands += [MarkGauge(gauge) for gauge in markable(state, boat)]
    if boat.need_symbol and "engineer" in roles:
        commands += [CrossSymbol(symbol) for symbol in crossable(boat)]
    return commands


def _under_way(state: State, boat: Crew, roles: tuple[Role, ...]) -> list[Command]:
    """List the moves and activations of a crew that owes nothing."""
    captain = "captain" in roles
    commands: list[Command] = []
    if captain and state.phase != "system":
        commands += [OrderCourse(heading) for heading in headings(state, boat)]
        commands.append(Surface())
    if boat.may_activate and state.phase != "course":
        if captain:
            commands += _weapons(state, boat)
        if captain or "first_mate" in roles:
            commands += _detection(state, boat)
    if captain and state.phase == "system":
        commands.append(EndTurn())
    return commands


def _weapons(state: State, boat: Crew) -> list[Command]:
    """List the activations that only the captain may send (SON-38)."""
    commands: list[Command] = []
    if ready(state, boat, "torpedo"):
        commands += [LaunchTorpedo(cell) for cell in targets(state, boat)]
    if ready(state, boat, "mine"):
        commands += [DropMine(cell) for cell in mine_cells(state, boat)]
    if boat.mines and not broken(boat, "mine"):
        commands += [TriggerMine(cell) for cell in boat.mines]
    if ready(state, boat, "scenario"):
        commands += [TriggerArcherMine(cell) for cell in state.archer_mines]
    if ready(state, boat, "silence"):
        commands.append(RunSilent("", 0))
        commands += [
            RunSilent(direction, distance)
            for direction in DIRECTIONS
            for distance in range(1, len(silent_cells(state, boat, direction)) + 1)
        ]
    return commands


def _detection(state: State, boat: Crew) -> list[Command]:
    """List the activations that captain and first mate may send (SON-38)."""
    commands: list[Command] = []
    if ready(state, boat, "drone"):
        commands += [LaunchDrone(sector + 1) for sector in range(sea(state).sectors)]
    if ready(state, boat, "sonar"):
        commands.append(PingSonar())
    return commands


def _notes(state: State, boat: Crew, roles: tuple[Role, ...]) -> list[Command]:
    """List the notes of the radio operator (SON-98)."""
    if "radio_operator" not in roles:
        return []
    if state.mode == "real_time" and (
        state.stop is not None or boat.station in ("surfaced", "dive_ready")
    ):
        return []
    wipe = WipeOverlay()
    return [wipe] if state.options.radio_assist == "none" else [SetOverlay((0, 0)), wipe]
