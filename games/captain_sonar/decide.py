"""Decide a command: admit it, then carry it out by the rules of its subject."""

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
from games.captain_sonar.fold import Draft
from games.captain_sonar.rules.activation import end_turn
from games.captain_sonar.rules.admission import admit
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


def decide_on(draft: Draft, seat: int, command: Command) -> None:
    """Add the events of a command to a draft, or raise `Illegal`."""
    crew = admit(draft.state, seat, command)
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
