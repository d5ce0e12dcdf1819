"""What a viewer may know: the view, and each event as redacted."""

from collections.abc import Sequence

import msgspec

from games.game import HIDDEN, hidden
from games.structs import projector
from games.tranquility.events import (
    CardsDiscarded,
    CardsDrawn,
    Dealt,
    DeckDiscarded,
    Event,
    StartsShuffled,
)
from games.tranquility.model import State, Talk, View

_project = projector(State, View)


def view(state: State, viewer: int | None) -> View:
    """Return what a viewer may know. After the end everyone may know everything."""
    if state.result is not None:
        return _project(
            state,
            hands=_copied(state.hands),
            piles=_copied(state.piles),
            discards=_copied(state.discards),
            blind=_copied(state.blind),
            removed=state.removed[:],
            explore=state.explore[:],
            deck=state.deck[:],
            talk="open",
        )
    return _project(
        state,
        hands=[
            hand[:] if seat == viewer else _backs(hand) for seat, hand in enumerate(state.hands)
        ],
        piles=[_backs(pile) for pile in state.piles],
        discards=[
            _known_discards(state, seat) if seat == viewer else _backs(cards)
            for seat, cards in enumerate(state.discards)
        ],
        blind=[_backs(cards) for cards in state.blind],
        removed=_backs(state.removed),
        explore=_backs(state.explore),
        deck=_backs(state.deck),
        talk=_talk(state),
    )


def redact(event: Event, viewer: int | None, state: State) -> Event:
    """Return what a viewer may know of an event; `state` is the state after the event."""
    if state.result is not None:
        return event
    match event:
        case CardsDrawn():
            own = event.seat == viewer
            return event if own else CardsDrawn(event.seat, hidden(event.cards), event.count)
        case CardsDiscarded():
            if state.options.memory_aid and event.seat == viewer:
                return event
            return CardsDiscarded(event.seat, hidden(event.cards), event.count, event.why)
        case DeckDiscarded():
            return DeckDiscarded(event.seat, hidden(event.cards), event.count)
        case StartsShuffled():
            return StartsShuffled((-1,) * len(event.slots))
        case Dealt():
            return _dealt(event, viewer)
        case _:
            return event


def _talk(state: State) -> Talk:
    """Return what the crew may discuss during the voyage (TRA-16, TRA-17, TRA-55)."""
    if state.options.communication == "open":
        return "open"
    if state.phase == "start_pledge":
        return "start"
    return "compass" if any(state.compasses) else "closed"


def _dealt(event: Dealt, viewer: int | None) -> Dealt:
    return msgspec.structs.replace(
        event,
        removed=hidden(event.removed),
        piles=tuple(hidden(pile) for pile in event.piles),
        explore=hidden(event.explore),
        deck=hidden(event.deck),
        hands=tuple(
            hand if seat == viewer else hidden(hand) for seat, hand in enumerate(event.hands)
        ),
    )


def _known_discards(state: State, seat: int) -> list[str]:
    """Return a seat's own discards: hidden too (TRA-20), unless the option shows what it knew."""
    cards = state.discards[seat]
    if not state.options.memory_aid:
        return _backs(cards)
    return [HIDDEN if card in state.blind[seat] else card for card in cards]


def _copied(groups: Sequence[Sequence[str]]) -> list[list[str]]:
    return [[*cards] for cards in groups]


def _backs(cards: Sequence[str]) -> list[str]:
    return [HIDDEN] * len(cards)
