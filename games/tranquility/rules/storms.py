"""Compasses, and the decisions of whoever drew a storm (TRA-48 to TRA-55)."""

from games.game import Illegal
from games.tranquility.commands import PlaceStorm, ShedToLimit, UseCompass
from games.tranquility.components import IS_START, IS_WILD
from games.tranquility.events import (
    CardsDiscarded,
    CompassUsed,
    StormLanded,
    VoyageLost,
    WindowPassed,
)
from games.tranquility.fold import Draft
from games.tranquility.rules.hands import to_shed, undecided_holders, wild_may_cancel
from games.tranquility.rules.refusals import exactly, no_monster, row_exists, row_open
from games.tranquility.rules.turn import after_storm, cancel_storm, enter, pending_storm, window


def use_compass(draft: Draft, seat: int, command: UseCompass) -> None:
    """Cancel a storm (TRA-54, TRA-64)."""
    state = draft.state
    wild = command.source in IS_WILD and command.source in state.hands[seat]
    if not wild and command.source not in state.compasses[seat]:
        raise Illegal("compass-not-held", source=command.source)
    if wild and not wild_may_cancel(state, seat, command.storm):
        raise Illegal("wild-not-now")
    pending = state.pending_storm
    lying = any(storm.card == command.storm for storm in state.storms)
    if not lying and (pending is None or pending.card != command.storm):
        raise Illegal("no-such-storm", storm=command.storm)
    draft.add(CompassUsed(seat, command.source, command.storm))
    cancel_storm(draft, command.storm)


def let_pass(draft: Draft, seat: int) -> None:
    """Use no compass on a new storm (TRA-54) or for a rescue (TRA-35)."""
    state = draft.state
    if seat in state.passed:
        raise Illegal("already-passed")
    if not state.compasses[seat]:
        raise Illegal("compass-not-held")
    draft.add(WindowPassed(seat))
    if state.phase == "storm_window":
        window(draft)
    elif seats := undecided_holders(state):
        enter(draft, "rescue", *seats)
    else:
        draft.add(VoyageLost(state.active, "no-action"))


def place_storm(draft: Draft, command: PlaceStorm) -> None:
    """Lay a purple storm on a row with a free cell (TRA-52)."""
    state = draft.state
    pending = pending_storm(state)
    row_exists(state, command.row)
    row_open(state, command.row)
    draft.add(StormLanded(pending.card, -1, command.row))
    after_storm(draft, pending.origin)


def shed_to_limit(draft: Draft, command: ShedToLimit) -> None:
    """Discard down to three cards (TRA-49, TRA-50)."""
    state = draft.state
    pending = pending_storm(state)
    exactly(command.cards, to_shed(state, pending.seat))
    no_monster(command.cards)
    if state.start_placed is None and not IS_START.isdisjoint(command.cards):
        raise Illegal("start-cannot-be-discarded")
    draft.add(CardsDiscarded(pending.seat, command.cards, len(command.cards), "storm"))
    draft.add(StormLanded(pending.card, pending.seat, -1))
    after_storm(draft, pending.origin)
