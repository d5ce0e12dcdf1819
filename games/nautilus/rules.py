"""The rules of a running match: `decide`, `legal` and what follows from them."""

from collections.abc import Sequence
from typing import assert_never

from games.chance import Chance
from games.game import Illegal, Undo
from games.nautilus.building import (
    buy_module,
    cheapest,
    end_build,
    place_module,
    placements,
    purchases,
)
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
from games.nautilus.diving import (
    boost_submarine,
    dock_submarine,
    launch_submarine,
    launches,
    move_submarine,
    peek_finds,
    sail_commands,
    skip_bonus,
    use_sonar,
)
from games.nautilus.ending import (
    default_payment,
    pay_mission,
    payments,
    scored,
    treasure_ends,
)
from games.nautilus.events import (
    BuySkipped,
    DiveEnded,
    Event,
    FindCovered,
    FindLost,
    FindTaken,
    GameScored,
    LaunchEnded,
    MissionsRevealed,
    ResearchEnded,
)
from games.nautilus.fold import apply
from games.nautilus.model import UNPAID, Phase, Result, State, Step
from games.nautilus.passing import advance
from games.nautilus.research import bonus_move_researcher, move_researcher, moves

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
TURNS_UP = (FindCovered, FindTaken, FindLost)


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


def waiting(state: State) -> frozenset[int]:
    """Give the seats whose command the game waits for (section 5)."""
    if state.phase == "mission":
        return frozenset(seat for seat, paid in enumerate(state.mission_paid) if paid == UNPAID)
    return frozenset() if state.active < 0 else frozenset((state.active,))


def legal(state: State, seat: int) -> list[Command]:
    """List every legal command of a seat; of interchangeable pieces and rotations the lowest (section 6)."""
    if state.phase == "mission":
        return [*payments(state, seat)] if state.mission_paid[seat] == UNPAID else []
    if state.active != seat:
        return []
    match state.step:
        case "buy":
            return [*purchases(state, seat), SkipBuy()]
        case "place":
            held_up = state.turn.must_build and not state.turn.built
            return [*placements(state, seat)] if held_up else [*placements(state, seat), EndBuild()]
        case "move":
            return [*moves(state, seat), EndResearch()]
        case "launch":
            return [*launches(state, seat), EndLaunch()]
        case "sail":
            return sail_commands(state, seat)
        case _:
            return []


def default(state: State, seat: int) -> Command:
    """Give what the clock plays for a waiting seat (section 10)."""
    match state.step:
        case "buy":
            return SkipBuy()
        case "place":
            if state.turn.must_build and not state.turn.built:
                return cheapest(state, seat)
            return EndBuild()
        case "move":
            return EndResearch()
        case "launch":
            return EndLaunch()
        case "sail":
            return EndDive() if state.pending is None else SkipBonus()
        case _:
            return default_payment(state, seat)


def clock(state: State, seat: int) -> tuple[str, int]:
    """Give a waiting seat's clock: one per command, one for the missions (section 15)."""
    if state.phase == "mission":
        return "mission", state.options.mission_seconds
    return f"turn {state.happened}", state.options.turn_seconds


def undo(before: State, seat: int, command: Command, events: Sequence[Event]) -> Undo | None:
    """Give the undo class: free, but for all where a find or the missions were turned up (section 13).

    The payment that scores the game is never taken back.
    """
    if any(isinstance(event, MissionsRevealed) for event in events):
        return "all"
    if isinstance(events[-1], GameScored):
        return None
    shown = (UseSonar, PeekFinds)
    if isinstance(command, shown) or any(isinstance(event, TURNS_UP) for event in events):
        return "all"
    return "free"


def teams(state: State) -> list[frozenset[int]]:
    """Every seat plays for itself."""
    return [frozenset((seat,)) for seat in range(state.seats)]


def leave(state: State, seat: int) -> list[Event]:
    """Nothing follows: the defaults play on for a seat that left (section 10)."""
    return []


def result(state: State) -> Result | None:
    """Give the score, once the game is over."""
    return state.result
