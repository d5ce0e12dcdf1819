"""The rules of a running match: `decide`, `legal` and what follows from them."""

from typing import assert_never

from games.chance import Chance
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
from games.nautilus.ending import scored, treasure_ends
from games.nautilus.events import TURNS_UP, BuySkipped, DiveEnded, Event, LaunchEnded, ResearchEnded
from games.nautilus.fold import apply
from games.nautilus.model import UNPAID, Phase, State, Step
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
"""When a command may come."""


WAITS_FOR_BONUS = (UseSonar, MoveSubmarine, DockSubmarine, EndDive)
"""Commands of the step sail that a pending bonus holds up."""


ENDS_STEP = (BuyModule, SkipBuy, EndBuild, EndResearch, EndLaunch, EndDive)
"""Commands that end their step themselves."""


def decide(state: State, seat: int, command: Command, chance: Chance) -> list[Event]:
    """Turn a command into events or raise `Illegal`; `state` stays as it was."""
    refuse_untimely(state, seat, command)
    refuse_malformed(command)
    events = own_events(state, seat, command)
    after = state.copy()
    for event in events:
        apply(after, event)
    if isinstance(events[-1], TURNS_UP):
        for end in treasure_ends(after):
            apply(after, end)
            events.append(end)
    if after.phase == "mission":
        return events if UNPAID in after.mission_paid else [*events, scored(after)]
    return events + advance(after, ended=isinstance(command, ENDS_STEP))


def refuse_untimely(state: State, seat: int, command: Command) -> None:
    """Refuse what is not to be sent by this seat at this point."""
    if state.phase == "over":
        raise Illegal("game-over")
    phase, step = STAGE[type(command)]
    if state.phase != phase:
        raise Illegal("wrong-phase", phase=state.phase)
    if phase != "mission" and state.active != seat:
        raise Illegal("not-your-turn", active=state.active)
    if state.step != step:
        raise Illegal("wrong-step", step=state.step)
    if state.pending is not None and isinstance(command, WAITS_FOR_BONUS):
        raise Illegal("pending-bonus", pending=state.pending.type)


def refuse_malformed(command: Command) -> None:
    """Refuse values that have the right type but no meaning."""
    match command:
        case PeekFinds(cells=cells) if not cells or len(set(cells)) < len(cells):
            raise Illegal("bad-arguments", field="cells")
        case PayMission(count=count) if count < 0:
            raise Illegal("bad-arguments", field="count")
        case _:
            pass


def own_events(state: State, seat: int, command: Command) -> list[Event]:
    """Give the events of the command itself, without what they lead to."""
    match command:
        case MoveSubmarine():
            return move_submarine(state, seat, command)
        case PlaceModule():
            return place_module(state, seat, command)
        case MoveResearcher():
            return move_researcher(state, seat, command)
        case BuyModule():
            return buy_module(state, seat, command)
        case SkipBuy():
            return [BuySkipped(seat)]
        case EndBuild():
            return end_build(state, seat)
        case EndResearch():
            return [ResearchEnded(seat)]
        case LaunchSubmarine():
            return launch_submarine(state, seat, command)
        case EndLaunch():
            return [LaunchEnded(seat)]
        case UseSonar():
            return use_sonar(state, seat, command)
        case DockSubmarine():
            return dock_submarine(state, seat, command)
        case EndDive():
            return [DiveEnded(seat)]
        case BoostSubmarine():
            return boost_submarine(state, seat, command)
        case BonusMoveResearcher():
            return bonus_move_researcher(state, seat, command)
        case PeekFinds():
            return peek_finds(state, seat, command)
        case SkipBonus():
            return skip_bonus(state, seat)
        case PayMission():
            return [*pay_mission(state, seat, command)]
        case _:
            assert_never(command)
