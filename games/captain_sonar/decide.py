"""Decide a command: refuse it if it is out of place, or carry it out by the rules."""

from typing import assert_never

from games.captain_sonar.commands import (
    AnswerSonar,
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
    TraceSection,
    TriggerArcherMine,
    TriggerMine,
    WipeOverlay,
)
from games.captain_sonar.events import Role
from games.captain_sonar.fold import Draft
from games.captain_sonar.model import Phase, State
from games.captain_sonar.rules.activation import end_turn
from games.captain_sonar.rules.crews import ROLES, crew_of
from games.captain_sonar.rules.deployment import choose_start
from games.captain_sonar.rules.detection import answer_sonar, launch_drone, ping_sonar
from games.captain_sonar.rules.movement import confirm_silence, order_course, run_silent, surface
from games.captain_sonar.rules.overlay import set_overlay, wipe_overlay
from games.captain_sonar.rules.repairs import dive, trace_section
from games.captain_sonar.rules.tasks import cross_symbol, mark_gauge
from games.captain_sonar.rules.weapons import (
    drop_mine,
    launch_torpedo,
    trigger_archer_mine,
    trigger_mine,
)
from games.game import Illegal

SENDERS: dict[type[Command], tuple[Role, ...]] = {
    ChooseStart: ("captain",),
    OrderCourse: ("captain",),
    MarkGauge: ("first_mate",),
    CrossSymbol: ("engineer",),
    LaunchTorpedo: ("captain",),
    DropMine: ("captain",),
    TriggerMine: ("captain",),
    TriggerArcherMine: ("captain",),
    LaunchDrone: ("captain", "first_mate"),
    PingSonar: ("captain", "first_mate"),
    AnswerSonar: ("captain",),
    RunSilent: ("captain",),
    ConfirmSilence: ("captain",),
    Surface: ("captain",),
    TraceSection: ROLES,
    Dive: ("captain",),
    EndTurn: ("captain",),
    SetOverlay: ("radio_operator",),
    WipeOverlay: ("radio_operator",),
}
"""The roles that may send a command (SON-38)."""

UNDER_WAY: tuple[Phase, ...] = ("course", "tasks", "system", "sonar", "silence")

PHASES: dict[type[Command], tuple[Phase, ...]] = {
    ChooseStart: ("deploy",),
    OrderCourse: ("course",),
    MarkGauge: ("tasks", "silence"),
    CrossSymbol: ("tasks", "silence"),
    LaunchTorpedo: ("system",),
    DropMine: ("system",),
    TriggerMine: ("system",),
    TriggerArcherMine: ("system",),
    LaunchDrone: ("system",),
    PingSonar: ("system",),
    AnswerSonar: ("sonar",),
    RunSilent: ("system",),
    ConfirmSilence: ("silence",),
    Surface: ("course",),
    TraceSection: (),
    Dive: (),
    EndTurn: ("system",),
    SetOverlay: UNDER_WAY,
    WipeOverlay: UNDER_WAY,
}
"""The phases in which a command is accepted, in the mode `turns`."""

ANY_TURN = frozenset((ChooseStart, SetOverlay, WipeOverlay))
"""Commands that both crews may send, whoever's turn it is."""

ACTIVATIONS = (
    LaunchTorpedo,
    DropMine,
    TriggerMine,
    TriggerArcherMine,
    LaunchDrone,
    PingSonar,
    RunSilent,
)

TASKS_FIRST = frozenset((OrderCourse, Surface, *ACTIVATIONS))
"""Commands that a crew may not send while it owes tasks (SON-17, SON-44, SON-84)."""

ON_SURFACE = frozenset((TraceSection, Dive, AnswerSonar))
"""Commands that a surfaced crew may send (SON-85)."""


def decide_on(draft: Draft, seat: int, command: Command) -> None:
    """Add the events of a command to a draft, or raise `Illegal`."""
    _refuse_untimely(draft.state, seat, command)
    crew = crew_of(draft.state, seat)
    match command:
        case OrderCourse():
            order_course(draft, crew, command)
        case MarkGauge():
            mark_gauge(draft, crew, command)
        case CrossSymbol():
            cross_symbol(draft, crew, command)
        case EndTurn():
            end_turn(draft, surfaced=False)
        case ChooseStart():
            choose_start(draft, crew, command)
        case LaunchTorpedo():
            launch_torpedo(draft, seat, crew, command)
        case DropMine():
            drop_mine(draft, seat, crew, command)
        case TriggerMine():
            trigger_mine(draft, seat, crew, command)
        case TriggerArcherMine():
            trigger_archer_mine(draft, seat, crew, command)
        case LaunchDrone():
            launch_drone(draft, seat, crew, command)
        case PingSonar():
            ping_sonar(draft, seat, crew)
        case AnswerSonar():
            answer_sonar(draft, crew, command)
        case RunSilent():
            run_silent(draft, seat, crew, command)
        case ConfirmSilence():
            confirm_silence(draft, crew)
        case Surface():
            surface(draft, crew)
        case TraceSection():
            trace_section(draft, seat, crew, command)
        case Dive():
            dive(draft, crew)
        case SetOverlay():
            set_overlay(draft, crew, command)
        case WipeOverlay():
            wipe_overlay(draft, crew)
        case _:
            assert_never(command)


def _refuse_untimely(state: State, seat: int, command: Command) -> None:
    """Refuse a command that the seat may not send, or not now.

    Checked are role, phase, turn, stop and station, in this order.
    """
    if state.phase == "over":
        raise Illegal("game-over")
    if set(state.roles[seat]).isdisjoint(SENDERS[type(command)]):
        raise Illegal("not-your-role")
    crew = crew_of(state, seat)
    if state.mode == "turns":
        _refuse_in_turns(state, crew, command)
    else:
        _refuse_live(state, crew, command)


def _refuse_in_turns(state: State, crew: int, command: Command) -> None:
    """Refuse a wrong phase or turn (SON-39)."""
    if state.phase not in PHASES[type(command)]:
        raise Illegal("wrong-phase")
    if type(command) in ANY_TURN:
        return
    turn = state.active_crew if state.sonar_asker is None else 1 - state.sonar_asker
    if crew != turn:
        raise Illegal("not-your-turn")


def _refuse_live(state: State, crew: int, command: Command) -> None:
    """Refuse a wrong phase, stop or station (SON-17, SON-43 to SON-45, SON-84, SON-85)."""
    deploying = state.phase == "deploy"
    if (type(command) is ChooseStart) != deploying or type(command) is EndTurn:
        raise Illegal("wrong-phase")
    if state.stop is not None and not _lifts_stop(state, crew, command):
        raise Illegal("game-stopped")
    station = state.crews[crew].station
    if station in ("surfaced", "dive_ready") and type(command) not in ON_SURFACE:
        raise Illegal("crew-surfaced")
    if station == "tasks" and type(command) in TASKS_FIRST:
        raise Illegal("crew-busy")


def _lifts_stop(state: State, crew: int, command: Command) -> bool:
    """Return whether a command is one of those that resolve the stop (SON-43)."""
    if state.sonar_asker is not None:
        return crew != state.sonar_asker and isinstance(command, AnswerSonar)
    assert state.stop is not None, "only a stop is lifted"
    if crew != state.stop.crew:
        return False
    boat = state.crews[crew]
    match command:
        case MarkGauge():
            return boat.need_mark
        case CrossSymbol():
            return bool(boat.need_symbol)
        case _:
            return isinstance(command, ConfirmSilence)
