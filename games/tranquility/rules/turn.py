"""What follows by itself: rocks step, draws, storms, the next turn, the end (sections 5 and 8)."""

from itertools import islice

from games.chance import Chance
from games.tranquility.components import COLOUR, IS_STORM, START_PRICE
from games.tranquility.ending import race_scores, race_winners
from games.tranquility.events import (
    CardsDrawn,
    CompassGained,
    DrawsDone,
    DrawsQueued,
    Event,
    GainReason,
    PhaseEntered,
    RaceEnded,
    RocksRemoved,
    StartsShuffled,
    StormCancelled,
    StormDrawn,
    StormFizzled,
    StormLanded,
    TurnBegun,
    VoyageLost,
)
from games.tranquility.fold import apply, hand_share
from games.tranquility.legal import has_action
from games.tranquility.model import Origin, Phase, Reason, State
from games.tranquility.rules.sea import (
    deck_shares,
    discardable,
    limit,
    rescuing_storms,
    rocks_must_go,
    rows_open,
    sea_full,
    to_shed,
    undecided_holders,
)


class Batch:
    """The events of one command so far, and the table as it stands after them."""

    __slots__ = ("chance", "events", "state")

    def __init__(self, state: State, chance: Chance) -> None:
        """Start from a copy of the table."""
        self.state = state.copy()
        self.chance = chance
        self.events: list[Event] = []

    def add(self, event: Event) -> None:
        """Let something happen."""
        apply(self.state, event)
        self.events.append(event)


def enter(batch: Batch, phase: Phase, *seats: int) -> None:
    """Reach a decision point."""
    batch.add(PhaseEntered(phase, tuple(sorted(seats))))


def stay(batch: Batch) -> None:
    """Come back to the decision point where the command was given."""
    enter(batch, batch.state.phase, *batch.state.waiting)


def after_action(batch: Batch) -> None:
    """Take the rocks step, if there is one, then draw (TRA-37, TRA-38)."""
    state = batch.state
    if state.options.variant == "competitive":
        _after_race_action(batch)
        return
    if state.rocks_row >= 0:
        if not rocks_must_go(state):
            enter(batch, "rocks", state.active)
            return
        batch.add(RocksRemoved())
    after_rocks(batch)


def after_rocks(batch: Batch) -> None:
    """Draw, or let the seat confirm first (option `confirm_draw`)."""
    if batch.state.options.confirm_draw:
        enter(batch, "confirm", batch.state.active)
    else:
        draw_up(batch)


def draw_up(batch: Batch) -> None:
    """Let the active seat draw up; after a Start everyone (TRA-14, TRA-27)."""
    state = batch.state
    everyone = any(state.pledges)
    seats = clockwise(state) if everyone else (state.active,)
    queue_draws(batch, seats)


def clockwise(state: State) -> tuple[int, ...]:
    """Give all seats in turn order from the active one."""
    return (*range(state.active, state.players), *range(state.active))


def queue_draws(batch: Batch, seats: tuple[int, ...]) -> None:
    """Draw up to the limit, then begin the next turn."""
    batch.add(DrawsQueued(tuple((seat, -1) for seat in seats), "next_turn"))
    draw(batch)


def draw(batch: Batch) -> None:
    """Work off the queue of draws until it is empty or a storm has to be decided (TRA-21)."""
    state = batch.state
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
            batch.add(CardsDrawn(seat, tuple(cards), len(cards)))
        if storm is None:
            batch.add(DrawsDone(seat))
        elif not meet_storm(batch, seat, storm, "draw"):
            return
    if state.after_draws == "opening":
        slots = [batch.chance.randbelow(len(pile) + 1) for pile in state.piles]
        batch.add(StartsShuffled(tuple(slots)))
        begin_turn(batch, state.active)
    elif state.after_draws == "pledge":
        open_pledges(batch)
    else:
        begin_turn(batch, (state.active + 1) % state.players)


def meet_storm(batch: Batch, seat: int, storm: str, origin: Origin) -> bool:
    """Reveal a storm; tell whether it has been dealt with already (TRA-48)."""
    batch.add(StormDrawn(seat, storm, origin))
    if seats := undecided_holders(batch.state):
        enter(batch, "storm_window", *seats)
        return False
    return land_storm(batch)


def land_storm(batch: Batch) -> bool:
    """Let the pending storm take effect; tell whether nobody has to decide (TRA-49 to TRA-53)."""
    state = batch.state
    pending = state.pending_storm
    assert pending is not None, "a storm is being resolved"
    colour = COLOUR[pending.card]
    if colour == "yellow" and to_shed(state, pending.seat):
        enter(batch, "storm_discard", pending.seat)
        return False
    if colour == "purple":
        if rows_open(state):
            enter(batch, "storm_row", pending.seat)
            return False
        batch.add(StormFizzled(pending.card))
        return True
    batch.add(StormLanded(pending.card, pending.seat, -1))
    return True


def resolve_storm(batch: Batch) -> None:
    """Let the pending storm take effect and go on, when no compass will cancel it."""
    pending = batch.state.pending_storm
    assert pending is not None, "a storm is being resolved"
    if land_storm(batch):
        go_on(batch, pending.origin)


def go_on(batch: Batch, origin: Origin) -> None:
    """Go on where the storm showed up (TRA-21, TRA-72)."""
    if origin == "draw":
        draw(batch)
    else:
        after_action(batch)


def cancel_storm(batch: Batch, storm: str) -> None:
    """End a storm, and go on from the present phase (TRA-54)."""
    state = batch.state
    pending = state.pending_storm
    batch.add(StormCancelled(storm))
    if pending is not None and pending.card == storm:
        go_on(batch, pending.origin)
    elif state.phase in ("action", "rescue"):
        look_for_action(batch)
    elif state.phase == "storm_window":
        window(batch)
    else:
        stay(batch)


def window(batch: Batch) -> None:
    """Keep asking the compass holders, or resolve the storm (TRA-54)."""
    if seats := undecided_holders(batch.state):
        enter(batch, "storm_window", *seats)
    else:
        resolve_storm(batch)


def begin_turn(batch: Batch, seat: int) -> None:
    """Begin a seat's turn (TRA-11)."""
    batch.add(TurnBegun(seat, batch.state.turn + 1))
    look_for_action(batch)


def look_for_action(batch: Batch) -> None:
    """Let the active seat act, the others rescue it, or all be lost (TRA-33 to TRA-35, TRA-83)."""
    state = batch.state
    if has_action(state):
        enter(batch, "action", state.active)
    elif state.options.variant == "competitive":
        end_race(batch, "no-action")
    elif rescuing_storms(state) and (seats := undecided_holders(state)):
        enter(batch, "rescue", *seats)
    else:
        batch.add(VoyageLost(state.active, "no-action"))


def open_pledges(batch: Batch) -> None:
    """Ask for pledges, if the crew can pay at all (TRA-25, TRA-29)."""
    state = batch.state
    has = sum(len(discardable(state, seat)) for seat in range(state.players))
    if has + 2 * len(deck_shares(state)) < START_PRICE:
        batch.add(VoyageLost(state.active, "start-unpaid"))
    else:
        ask_pledges(batch)


def ask_pledges(batch: Batch) -> None:
    """Wait for those without a pledge, or for all while the sum is wrong (TRA-26)."""
    pledges = batch.state.pledges
    seats = [seat for seat, offer in enumerate(pledges) if offer is None]
    enter(batch, "start_pledge", *(seats or range(len(pledges))))


def owing(state: State) -> list[int]:
    """Give the seats that still have to choose cards for the Start."""
    return [
        seat
        for seat, offer in enumerate(state.pledges)
        if offer is not None and hand_share(offer) > 0 and not state.paid[seat]
    ]


def gain_compass(batch: Batch, why: GainReason) -> None:
    """Give the active seat a compass, if one is left (TRA-56)."""
    state = batch.state
    if state.compass_supply:
        batch.add(CompassGained(state.active, state.compass_supply[0], why))


def _after_race_action(batch: Batch) -> None:
    """Take cards, if there are any (TRA-81, TRA-83)."""
    state = batch.state
    if sea_full(state):
        end_race(batch, "grid-full")
    elif state.row:
        enter(batch, "take", state.active)
    else:
        begin_turn(batch, 1 - state.active)


def end_race(batch: Batch, reason: Reason) -> None:
    """Count the race (TRA-80)."""
    scores = race_scores(batch.state)
    winners = race_winners(batch.state, scores)
    batch.add(RaceEnded(reason, tuple(scores), tuple(winners)))
