"""What follows a command by itself: draws, storms, the next turn, the end."""

from itertools import islice

from games.tranquility.components import COLOUR, IS_STORM, START_PRICE
from games.tranquility.ending import race_scores, race_winners
from games.tranquility.events import (
    CardsDrawn,
    CompassGained,
    DrawsDone,
    DrawsQueued,
    GainReason,
    Origin,
    Phase,
    PhaseEntered,
    RaceEnded,
    Reason,
    RocksRemoved,
    StartsShuffled,
    StormCancelled,
    StormDrawn,
    StormFizzled,
    StormLanded,
    TurnBegun,
    VoyageLost,
)
from games.tranquility.fold import Draft
from games.tranquility.model import PendingStorm, State
from games.tranquility.rules.hands import (
    discardable,
    has_action,
    limit,
    rescuing_storms,
    to_shed,
    undecided_holders,
)
from games.tranquility.rules.sea import rocks_must_go, rows_open, sea_full


def enter(draft: Draft, phase: Phase, *seats: int) -> None:
    """Enter a decision point."""
    draft.add(PhaseEntered(phase, tuple(sorted(seats))))


def after_action(draft: Draft) -> None:
    """Begin the rocks step, if there is one; else draw (TRA-37, TRA-38)."""
    state = draft.state
    if state.options.variant == "competitive":
        _after_race_action(draft)
        return
    if state.rocks_row >= 0:
        if not rocks_must_go(state):
            enter(draft, "rocks", state.active)
            return
        draft.add(RocksRemoved())
    after_rocks(draft)


def after_rocks(draft: Draft) -> None:
    """Draw, or wait for the seat to confirm first (option `confirm_draw`)."""
    if draft.state.options.confirm_draw:
        enter(draft, "confirm", draft.state.active)
    else:
        draw_up(draft)


def draw_up(draft: Draft) -> None:
    """Draw for the active seat up to its limit; after a Start for everyone (TRA-14, TRA-27)."""
    state = draft.state
    seats = clockwise(state) if any(state.pledges) else (state.active,)
    draft.add(DrawsQueued(tuple((seat, -1) for seat in seats), "next_turn"))
    draw(draft)


def clockwise(state: State) -> tuple[int, ...]:
    """Return all seats in turn order from the active one."""
    return (*range(state.active, state.players), *range(state.active))


def draw(draft: Draft) -> None:
    """Work off the queue of draws until it is empty or a storm needs a decision (TRA-21)."""
    state = draft.state
    while state.draw_queue:
        seat, left = state.draw_queue[0]
        pile = state.piles[seat]
        wanted = left if left >= 0 else max(0, limit(state, seat) - len(state.hands[seat]))
        cards: list[str] = []
        storm: str | None = None
        for card in islice(pile, wanted):
            if card in IS_STORM:
                storm = card
                break
            cards.append(card)
        if cards:
            draft.add(CardsDrawn(seat, tuple(cards), len(cards)))
        if storm is None:
            draft.add(DrawsDone(seat))
        elif not meet_storm(draft, seat, storm, "draw"):
            return
    if state.after_draws == "opening":
        slots = [draft.chance.randbelow(len(pile) + 1) for pile in state.piles]
        draft.add(StartsShuffled(tuple(slots)))
        begin_turn(draft, state.active)
    elif state.after_draws == "pledge":
        open_pledges(draft)
    else:
        begin_turn(draft, (state.active + 1) % state.players)


def meet_storm(draft: Draft, seat: int, storm: str, origin: Origin) -> bool:
    """Reveal a storm; return whether it needs no decision (TRA-48)."""
    draft.add(StormDrawn(seat, storm, origin))
    if seats := undecided_holders(draft.state):
        enter(draft, "storm_window", *seats)
        return False
    return _land_storm(draft)


def pending_storm(state: State) -> PendingStorm:
    """Return the storm that is being resolved."""
    assert state.pending_storm is not None, "a storm is being resolved"
    return state.pending_storm


def _land_storm(draft: Draft) -> bool:
    """Land the pending storm; return whether it needs no decision (TRA-49 to TRA-53)."""
    state = draft.state
    pending = pending_storm(state)
    colour = COLOUR[pending.card]
    if colour == "yellow" and to_shed(state, pending.seat):
        enter(draft, "storm_discard", pending.seat)
        return False
    if colour == "purple":
        if rows_open(state):
            enter(draft, "storm_row", pending.seat)
            return False
        draft.add(StormFizzled(pending.card))
        return True
    draft.add(StormLanded(pending.card, pending.seat, -1))
    return True


def after_storm(draft: Draft, origin: Origin) -> None:
    """Continue the draws or the action during which the storm appeared (TRA-21, TRA-72)."""
    if origin == "draw":
        draw(draft)
    else:
        after_action(draft)


def cancel_storm(draft: Draft, storm: str) -> None:
    """Cancel a storm and continue from the current phase (TRA-54)."""
    state = draft.state
    pending = state.pending_storm
    draft.add(StormCancelled(storm))
    if pending is not None and pending.card == storm:
        after_storm(draft, pending.origin)
    elif state.phase in ("action", "rescue"):
        look_for_action(draft)
    elif state.phase == "storm_window":
        window(draft)
    else:
        enter(draft, state.phase, *state.waiting)


def window(draft: Draft) -> None:
    """Ask the remaining compass holders; without any, land the storm (TRA-54)."""
    if seats := undecided_holders(draft.state):
        enter(draft, "storm_window", *seats)
        return
    origin = pending_storm(draft.state).origin
    if _land_storm(draft):
        after_storm(draft, origin)


def begin_turn(draft: Draft, seat: int) -> None:
    """Begin a seat's turn (TRA-11)."""
    draft.add(TurnBegun(seat, draft.state.turn + 1))
    look_for_action(draft)


def look_for_action(draft: Draft) -> None:
    """Wait for the active seat's action or for a rescue, or end (TRA-33 to TRA-35, TRA-83)."""
    state = draft.state
    if has_action(state):
        enter(draft, "action", state.active)
    elif state.options.variant == "competitive":
        _end_race(draft, "no-action")
    elif rescuing_storms(state) and (seats := undecided_holders(state)):
        enter(draft, "rescue", *seats)
    else:
        draft.add(VoyageLost(state.active, "no-action"))


def open_pledges(draft: Draft) -> None:
    """Ask for pledges, or end the voyage if the crew cannot pay (TRA-25, TRA-29)."""
    state = draft.state
    available = sum(len(discardable(state, seat)) for seat in range(state.players))
    if available + 2 * len(state.deck_shares()) < START_PRICE:
        draft.add(VoyageLost(state.active, "start-unpaid"))
    else:
        ask_pledges(draft)


def ask_pledges(draft: Draft) -> None:
    """Wait for the seats without a pledge, or for all seats while the sum is wrong (TRA-26)."""
    pledges = draft.state.pledges
    seats = [seat for seat, offer in enumerate(pledges) if offer is None]
    enter(draft, "start_pledge", *(seats or range(len(pledges))))


def gain_compass(draft: Draft, why: GainReason) -> None:
    """Take a compass from the supply for the active seat, if one is left (TRA-56)."""
    state = draft.state
    if state.compass_supply:
        draft.add(CompassGained(state.active, state.compass_supply[0], why))


def _after_race_action(draft: Draft) -> None:
    """Wait for the seat to take cards, if there are any (TRA-81, TRA-83)."""
    state = draft.state
    if sea_full(state):
        _end_race(draft, "grid-full")
    elif state.row:
        enter(draft, "take", state.active)
    else:
        begin_turn(draft, 1 - state.active)


def _end_race(draft: Draft, reason: Reason) -> None:
    """End the race with its scores and winners (TRA-80)."""
    scores = race_scores(draft.state)
    winners = race_winners(draft.state, scores)
    draft.add(RaceEnded(reason, tuple(scores), tuple(winners)))
