"""The course of a round: from one choice to the next, passing what leaves none (section 5, NAU-76)."""

from games.nautilus.ending import scored
from games.nautilus.events import (
    BuySkipped,
    EndTriggered,
    Event,
    MissionPaid,
    MissionsRevealed,
    TurnAdvanced,
)
from games.nautilus.fold import apply, enter
from games.nautilus.model import UNPAID, Phase, State, Step
from games.nautilus.rules.building import can_place, discard
from games.nautilus.rules.buying import can_buy
from games.nautilus.rules.harbour import launches
from games.nautilus.rules.mission import payable
from games.nautilus.rules.research import can_move

FIRST_STEP: dict[Phase, Step] = {"build": "buy", "research": "move", "dive": "launch"}


NEXT_PHASE: dict[Phase, Phase] = {"build": "research", "research": "dive"}


def advance(after: State, *, ended: bool) -> list[Event]:
    """Take the state after a command's own events to the next choice; give the events on the way.

    `ended` tells that the command itself ended its step. Folds into `after`, which is the caller's scratch.
    """
    waited = (after.round, after.phase, after.step, after.active)
    events: list[Event] = []
    while ended or leaves_no_choice(after):
        if not ended and after.step == "buy":
            emit(after, events, BuySkipped(after.active))
        ended = False
        leave_step(after, events)
    here = (after.round, after.phase, after.step, after.active)
    if here != waited and after.phase != "over":
        events.append(TurnAdvanced(*here, after.first_seat))
    return events


def emit(after: State, events: list[Event], event: Event) -> None:
    """Note an event and fold it."""
    events.append(event)
    apply(after, event)


def leaves_no_choice(state: State) -> bool:
    """Tell whether the step is passed by itself (NAU-76)."""
    seat = state.active
    match state.step:
        case "buy":
            return not can_buy(state, seat)
        case "place":
            return not state.hand[seat]
        case "move":
            return not can_move(state, seat)
        case "launch":
            return next(launches(state, seat), None) is None
        case "sail":
            return state.pending is None and not any(state.submarines[seat])
        case _:
            return False


def leave_step(after: State, events: list[Event]) -> None:
    """Go on to the next step, seat, phase or round."""
    seat = after.active
    if after.step == "buy" and after.hand[seat]:
        if can_place(after, seat) or not after.turn.must_build:
            to_step(after, "place")
            return
        emit(after, events, discard(seat, after.hand[seat]))
    if after.step == "launch":
        to_step(after, "sail")
        return
    following = (seat + 1) % after.seats
    if following != after.first_seat:
        enter(after, after.round, after.phase, FIRST_STEP[after.phase], following, after.first_seat)
    elif after.phase in NEXT_PHASE:
        phase = NEXT_PHASE[after.phase]
        enter(after, after.round, phase, FIRST_STEP[phase], following, after.first_seat)
    else:
        end_round(after, events)


def to_step(after: State, step: Step) -> None:
    """Stay with the seat."""
    enter(after, after.round, after.phase, step, after.active, after.first_seat)


def end_round(after: State, events: list[Event]) -> None:
    """NAU-3, NAU-72 to NAU-75."""
    log = after.round_log
    if not (log.bought_or_built or log.revealed):
        emit(after, events, EndTriggered("idle_round", after.round))
    if after.end_round and after.round >= after.end_round:
        reveal_missions(after, events)
        return
    first_seat = (after.first_seat + 1) % after.seats
    enter(after, after.round + 1, "build", "buy", first_seat, first_seat)


def reveal_missions(after: State, events: list[Event]) -> None:
    """Open the mission phase; seats without a choice pay nothing, and without any choice the game is scored."""
    emit(after, events, MissionsRevealed(tuple(after.mission)))
    for seat in range(after.seats):
        if payable(after, seat) == 0:
            emit(after, events, MissionPaid(seat, 0))
    if UNPAID in after.mission_paid:
        enter(after, after.round, "mission", "pay", -1, after.first_seat)
    else:
        emit(after, events, scored(after))
