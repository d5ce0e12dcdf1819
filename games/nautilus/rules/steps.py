"""From one step to the next: steps without a choice pass by themselves (NAU-1 to NAU-3, NAU-76)."""

from games.nautilus.ending import scored
from games.nautilus.events import (
    BuySkipped,
    EndTriggered,
    MissionPaid,
    MissionsRevealed,
    TurnAdvanced,
)
from games.nautilus.fold import FRESH_TURN, Draft
from games.nautilus.model import UNPAID, Phase, State, Step, Turn
from games.nautilus.rules.building import can_place, discarded
from games.nautilus.rules.buying import can_buy
from games.nautilus.rules.harbour import launches
from games.nautilus.rules.mission import payable
from games.nautilus.rules.research import can_move

FIRST_STEP: dict[Phase, Step] = {"build": "buy", "research": "move", "dive": "launch"}
NEXT_PHASE: dict[Phase, Phase] = {"build": "research", "research": "dive"}


def advance(draft: Draft, *, ended: bool) -> None:
    """Go on to the next step that leaves a choice; stay if this step still does.

    `ended` means that the command ended its step. Steps that pass on the way have no `TurnAdvanced`
    of their own: they are not in the state.
    """
    state = draft.state
    start = TurnAdvanced(state.round, state.phase, state.step, state.active, state.first_seat)
    here, turn = start, state.turn
    while ended or _leaves_no_choice(state, here, turn):
        if here.step == "buy" and not ended:
            draft.add(BuySkipped(here.seat))
        following = _next_step(draft, here)
        if following is None:
            return
        here, turn, ended = following, FRESH_TURN, False
    if here is not start:
        draft.add(here)


def _leaves_no_choice(state: State, here: TurnAdvanced, turn: Turn) -> bool:
    """Return whether a step passes by itself (NAU-76)."""
    match here.step:
        case "buy":
            return not can_buy(state, here.seat)
        case "place":
            return not state.hand[here.seat]
        case "move":
            return not can_move(state, here.seat, turn)
        case "launch":
            return next(launches(state, here.seat), None) is None
        case "sail":
            return state.pending is None and not any(state.submarines[here.seat])
        case _:
            return False


def _next_step(draft: Draft, here: TurnAdvanced) -> TurnAdvanced | None:
    """Return the step that follows, after adding what happens between; None if the match ends."""
    state, seat = draft.state, here.seat
    if here.step == "buy" and state.hand[seat]:
        if can_place(state, seat) or not state.turn.must_build:
            return TurnAdvanced(here.round, here.phase, "place", seat, here.first_seat)
        draft.add(discarded(state, seat))
    if here.step == "launch":
        return TurnAdvanced(here.round, here.phase, "sail", seat, here.first_seat)
    seat = (seat + 1) % state.seats
    if seat == here.first_seat and here.phase not in NEXT_PHASE:
        return _next_round(draft, here)
    phase = NEXT_PHASE[here.phase] if seat == here.first_seat else here.phase
    return TurnAdvanced(here.round, phase, FIRST_STEP[phase], seat, here.first_seat)


def _next_round(draft: Draft, here: TurnAdvanced) -> TurnAdvanced | None:
    """Return the first step after a round (NAU-3, NAU-72 to NAU-75); None if the match ends."""
    state = draft.state
    log = state.round_log
    if here.round != state.round or not (log.bought_or_built or log.revealed):
        draft.add(EndTriggered("idle_round", here.round))
    if state.end_round and here.round >= state.end_round:
        return _reveal_missions(draft, here)
    first_seat = (here.first_seat + 1) % state.seats
    return TurnAdvanced(here.round + 1, "build", "buy", first_seat, first_seat)


def _reveal_missions(draft: Draft, here: TurnAdvanced) -> TurnAdvanced | None:
    """Open the mission cards, and return the mission phase if any seat has something to pay for.

    Otherwise score the match.
    """
    state = draft.state
    draft.add(MissionsRevealed(state.mission))
    for seat in range(state.seats):
        if payable(state, seat) == 0:
            draft.add(MissionPaid(seat, 0))
    if UNPAID in state.mission_paid:
        return TurnAdvanced(here.round, "mission", "pay", -1, here.first_seat)
    draft.add(scored(state, here.round))
    return None
