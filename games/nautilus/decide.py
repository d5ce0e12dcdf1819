"""What a command leads to: refusals that all commands share, and the rule that decides it."""

from typing import assert_never

from games.game import Illegal
from games.nautilus.commands import (
    BonusMoveResearcher,
    BoostSubmarine,
    BuyModule,
    Command,
    DockSubmarine,
    EndBuild,
    EndDive,
    EndLaunch,
    EndResearch,
    LaunchSubmarine,
    MoveResearcher,
    MoveSubmarine,
    PayMission,
    PeekFinds,
    PlaceModule,
    SkipBonus,
    SkipBuy,
    UseSonar,
)
from games.nautilus.ending import end_by_treasures
from games.nautilus.events import TURNS_UP, BuySkipped, DiveEnded, LaunchEnded, ResearchEnded
from games.nautilus.fold import Draft
from games.nautilus.model import Phase, State, Step
from games.nautilus.rules.building import end_build, place_module
from games.nautilus.rules.buying import buy_module
from games.nautilus.rules.harbour import dock_submarine, launch_submarine
from games.nautilus.rules.mission import pay_mission
from games.nautilus.rules.research import bonus_move_researcher, move_researcher
from games.nautilus.rules.sailing import boost_submarine, move_submarine
from games.nautilus.rules.salvage import skip_bonus
from games.nautilus.rules.sonar import peek_finds, use_sonar
from games.nautilus.rules.steps import advance

STAGE: dict[type[Command], tuple[Phase, Step]] = {
    BuyModule: ("build", "buy"),
    SkipBuy: ("build", "buy"),
    PlaceModule: ("build", "place"),
    EndBuild: ("build", "place"),
    MoveResearcher: ("research", "move"),
    EndResearch: ("research", "move"),
    LaunchSubmarine: ("dive", "launch"),
    EndLaunch: ("dive", "launch"),
    UseSonar: ("dive", "sail"),
    MoveSubmarine: ("dive", "sail"),
    BoostSubmarine: ("dive", "sail"),
    BonusMoveResearcher: ("dive", "sail"),
    PeekFinds: ("dive", "sail"),
    SkipBonus: ("dive", "sail"),
    DockSubmarine: ("dive", "sail"),
    EndDive: ("dive", "sail"),
    PayMission: ("mission", "pay"),
}
"""The phase and step in which each command may be sent."""
WAITS_FOR_BONUS = frozenset((UseSonar, MoveSubmarine, DockSubmarine, EndDive))
"""Commands that are refused while a bonus is pending."""
ENDS_STEP = frozenset((BuyModule, SkipBuy, EndBuild, EndResearch, EndLaunch, EndDive))
"""Commands that end their step."""


def decide_on(draft: Draft, seat: int, command: Command) -> None:
    """Add the events of a command, then go on to the next step that leaves a choice."""
    _refuse_untimely(draft.state, seat, command)
    _refuse_malformed(command)
    _act(draft, seat, command)
    if type(draft.events[-1]) in TURNS_UP:
        end_by_treasures(draft)
    advance(draft, ended=type(command) in ENDS_STEP)


def _refuse_untimely(state: State, seat: int, command: Command) -> None:
    """Refuse a command that the seat may not send now."""
    if state.phase == "over":
        raise Illegal("game-over")
    phase, step = STAGE[type(command)]
    if state.phase != phase:
        raise Illegal("wrong-phase", phase=state.phase)
    if phase != "mission" and state.active != seat:
        raise Illegal("not-your-turn", active=state.active)
    if state.step != step:
        raise Illegal("wrong-step", step=state.step)
    if state.pending is not None and type(command) in WAITS_FOR_BONUS:
        raise Illegal("pending-bonus", pending=state.pending.type)


def _refuse_malformed(command: Command) -> None:
    """Refuse values of the right type that have no meaning."""
    match command:
        case PeekFinds(cells=cells) if not cells or len(set(cells)) < len(cells):
            raise Illegal("bad-arguments", field="cells")
        case PayMission(count=count) if count < 0:
            raise Illegal("bad-arguments", field="count")
        case _:
            pass


def _act(draft: Draft, seat: int, command: Command) -> None:
    """Add the events of the command itself."""
    match command:
        case MoveSubmarine():
            move_submarine(draft, seat, command)
        case PlaceModule():
            place_module(draft, seat, command)
        case MoveResearcher():
            move_researcher(draft, seat, command)
        case BuyModule():
            buy_module(draft, seat, command)
        case SkipBuy():
            draft.add(BuySkipped(seat))
        case EndBuild():
            end_build(draft, seat)
        case EndResearch():
            draft.add(ResearchEnded(seat))
        case LaunchSubmarine():
            launch_submarine(draft, seat, command)
        case EndLaunch():
            draft.add(LaunchEnded(seat))
        case UseSonar():
            use_sonar(draft, seat, command)
        case DockSubmarine():
            dock_submarine(draft, seat, command)
        case EndDive():
            draft.add(DiveEnded(seat))
        case BoostSubmarine():
            boost_submarine(draft, seat, command)
        case BonusMoveResearcher():
            bonus_move_researcher(draft, seat, command)
        case PeekFinds():
            peek_finds(draft, seat, command)
        case SkipBonus():
            skip_bonus(draft, seat)
        case PayMission():
            pay_mission(draft, seat, command)
        case _:
            assert_never(command)
