"""What a viewer may know: the view, and each event as that viewer sees it (sections 7 and 12)."""

from collections.abc import Sequence

import msgspec

from games.tranquility.components import HIDDEN
from games.tranquility.events import (
    CardsDiscarded,
    CardsDrawn,
    Dealt,
    DeckDiscarded,
    Event,
    StartsShuffled,
)
from games.tranquility.model import State, Talk, View


def view(state: State, viewer: int | None) -> View:
    """Build what `viewer` may know; after the end everyone may know all."""
    over = state.result is not None
    return View(
        players=state.players,
        options=state.options,
        phase=state.phase,
        active=state.active,
        turn=state.turn,
        waiting=state.waiting[:],
        grid=state.grid[:],
        hands=[
            hand[:] if over or seat == viewer else _backs(hand)
            for seat, hand in enumerate(state.hands)
        ],
        piles=[pile[:] if over else _backs(pile) for pile in state.piles],
        discards=[
            cards[:] if over else _discards(state, seat, viewer)
            for seat, cards in enumerate(state.discards)
        ],
        blind=[cards[:] if over else _backs(cards) for cards in state.blind],
        removed=state.removed[:] if over else _backs(state.removed),
        out=state.out[:],
        start_placed=state.start_placed,
        finish_placed=state.finish_placed,
        pledges=state.pledges[:],
        paid=state.paid[:],
        shares=state.shares[:],
        draw_queue=state.draw_queue[:],
        after_draws=state.after_draws,
        rocks_row=state.rocks_row,
        rocks_done=state.rocks_done,
        storms=state.storms[:],
        pending_storm=state.pending_storm,
        passed=state.passed[:],
        revealed=state.revealed,
        compasses=[compasses[:] for compasses in state.compasses],
        compass_supply=state.compass_supply[:],
        finish_tried=state.finish_tried,
        monster_holders=state.monster_holders[:],
        hands_side=state.hands_side,
        explore=state.explore[:] if over else _backs(state.explore),
        deck=state.deck[:] if over else _backs(state.deck),
        row=state.row[:],
        talk=talk(state),
        result=state.result,
    )


def redact(event: Event, viewer: int | None, state: State) -> Event:
    """Give what `viewer` may know of an event; `state` is as of after it."""
    if state.result is not None:
        return event
    match event:
        case CardsDrawn():
            own = event.seat == viewer
            return event if own else CardsDrawn(event.seat, _hidden(event.cards), event.count)
        case CardsDiscarded():
            if state.options.memory_aid and event.seat == viewer:
                return event
            return CardsDiscarded(event.seat, _hidden(event.cards), event.count, event.why)
        case DeckDiscarded():
            return DeckDiscarded(event.seat, _hidden(event.cards), event.count)
        case StartsShuffled():
            return StartsShuffled((-1,) * len(event.slots))
        case Dealt():
            return _deal(event, viewer)
        case _:
            return event


def talk(state: State) -> Talk:
    """Tell what may be discussed now (TRA-16, TRA-17, TRA-55)."""
    if state.options.communication == "open" or state.result is not None:
        return "open"
    if state.phase == "start_pledge":
        return "start"
    return "compass" if any(state.compasses) else "closed"


def _deal(event: Dealt, viewer: int | None) -> Dealt:
    return msgspec.structs.replace(
        event,
        removed=_hidden(event.removed),
        piles=tuple(_hidden(pile) for pile in event.piles),
        explore=_hidden(event.explore),
        deck=_hidden(event.deck),
        hands=tuple(
            hand if seat == viewer else _hidden(hand) for seat, hand in enumerate(event.hands)
        ),
    )


def _discards(state: State, seat: int, viewer: int | None) -> list[str]:
    """Hide discards from all, their owner too (TRA-20), unless the option shows it what it knew."""
    cards = state.discards[seat]
    if not (state.options.memory_aid and seat == viewer):
        return _backs(cards)
    return [HIDDEN if card in state.blind[seat] else card for card in cards]


def _backs(cards: Sequence[str]) -> list[str]:
    return [HIDDEN] * len(cards)


def _hidden(cards: Sequence[str]) -> tuple[str, ...]:
    return (HIDDEN,) * len(cards)
