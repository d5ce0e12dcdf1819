"""The rules at a glance: a command becomes events, or is refused."""

from collections.abc import Sequence
from typing import assert_never

from games.captain_sonar.admission import admit
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
from games.captain_sonar.detection import answer_sonar, launch_drone, ping_sonar
from games.captain_sonar.events import DamageTaken, Event, GaugeReady
from games.captain_sonar.model import Result, State
from games.captain_sonar.movement import confirm_silence, order_course, run_silent, surface
from games.captain_sonar.overlay import set_overlay, wipe_overlay
from games.captain_sonar.repairs import dive, trace_section
from games.captain_sonar.setup import choose_start
from games.captain_sonar.tasks import cross_symbol, mark_gauge
from games.captain_sonar.turns import DAMAGE_MAX, turn_over
from games.captain_sonar.weapons import (
    drop_mine,
    launch_torpedo,
    trigger_archer_mine,
    trigger_mine,
)
from games.chance import Chance
from games.game import Undo


def decide(state: State, seat: int, command: Command, chance: Chance) -> list[Event]:
    """Turn a command into events or raise `Illegal`; `state` stays as it was."""
    crew = admit(state, seat, command)
    match command:
        case ChooseStart():
            return choose_start(state, crew, command)
        case OrderCourse():
            return order_course(state, crew, command)
        case MarkGauge():
            return mark_gauge(state, crew, command)
        case CrossSymbol():
            return cross_symbol(state, crew, command)
        case LaunchTorpedo():
            return launch_torpedo(state, seat, crew, command)
        case DropMine():
            return drop_mine(state, seat, crew, command)
        case TriggerMine():
            return trigger_mine(state, seat, crew, command)
        case TriggerArcherMine():
            return trigger_archer_mine(state, seat, crew, command)
        case LaunchDrone():
            return launch_drone(state, seat, crew, command)
        case PingSonar():
            return ping_sonar(state, seat, crew, command)
        case AnswerSonar():
            return answer_sonar(state, crew, command)
        case RunSilent():
            return run_silent(state, seat, crew, command)
        case ConfirmSilence():
            return confirm_silence(state, crew, command)
        case Surface():
            return surface(state, crew, command)
        case TraceSection():
            return trace_section(state, seat, crew, command)
        case Dive():
            return dive(state, crew, command)
        case EndTurn():
            return turn_over(state, surfaced=False)
        case SetOverlay():
            return set_overlay(state, crew, command)
        case WipeOverlay():
            return wipe_overlay(state, crew, command)
        case _:
            assert_never(command)


def undo(before: State, seat: int, command: Command, events: Sequence[Event]) -> Undo | None:
    """Give a command's undo class (specification section 13)."""
    if isinstance(command, SetOverlay | WipeOverlay):
        return "free"
    if before.mode == "real_time":
        return None
    match command:
        case ChooseStart():
            return "free" if len(events) == 1 else "all"
        case MarkGauge():
            hidden = before.options.ready_announcements == "crew"
            told = any(isinstance(event, GaugeReady) for event in events)
            return "all" if told and not hidden else "free"
        case CrossSymbol():
            return "all" if any(isinstance(event, DamageTaken) for event in events) else "free"
        case ConfirmSilence() | EndTurn():
            return "consent"
        case _:
            return "all"


def teams(state: State) -> list[frozenset[int]]:
    """Give the two crews (SON-106)."""
    return [frozenset(seats) for seats in state.crew_seats]


def leave(state: State, seat: int) -> list[Event]:
    """Let the clock's defaults, or a bot, play on for a seat that left."""
    return []


def result(state: State) -> Result | None:
    """Give the result once the match is over (SON-102 to SON-108)."""
    if state.phase != "over":
        return None
    zero, one = state.damage
    sunk = (zero, one).count(DAMAGE_MAX)
    winner = state.winner
    return Result(
        outcome="draw" if winner is None else "win",
        winner_crew=winner,
        winners=() if winner is None else state.crew_seats[winner],
        losers=() if winner is None else state.crew_seats[1 - winner],
        damage=(zero, one),
        reason=("limit", "sunk", "both_sunk")[sunk],
        turns=state.turn_no,
        courses=state.courses_total,
    )
