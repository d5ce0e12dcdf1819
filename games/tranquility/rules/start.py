"""Laying a Start and paying for it (TRA-22 to TRA-30)."""

from games.game import Illegal
from games.tranquility.commands import PayStart, PlayStart, Pledge
from games.tranquility.components import EXTRA_DRAWS, IS_START, IS_WILD, START_PRICE
from games.tranquility.events import (
    CardsDiscarded,
    DeckDiscarded,
    DrawsQueued,
    Pledged,
    StartPlaced,
)
from games.tranquility.fold import Draft
from games.tranquility.model import State
from games.tranquility.rules.hands import discardable
from games.tranquility.rules.refusals import exactly, no_monster
from games.tranquility.rules.turn import (
    after_action,
    ask_pledges,
    clockwise,
    draw,
    enter,
    gain_compass,
    open_pledges,
)


def play_start(draft: Draft, command: PlayStart) -> None:
    """Lay a Start card (TRA-22 to TRA-24, TRA-66)."""
    state = draft.state
    if command.card not in IS_START and command.card not in IS_WILD:
        raise Illegal("not-a-start", card=command.card)
    if state.start_placed is not None:
        raise Illegal("start-already-placed")
    draft.add(StartPlaced(state.active, command.card))
    gain_compass(draft, "start")
    extra = EXTRA_DRAWS.get(state.players)
    if extra is None:
        open_pledges(draft)
    else:
        draft.add(DrawsQueued(tuple((seat, extra) for seat in clockwise(state)), "pledge"))
        draw(draft)


def pledge(draft: Draft, seat: int, command: Pledge) -> None:
    """Pledge cards for the Start; the pledges bind when they add up to eight (TRA-26, TRA-51)."""
    state = draft.state
    if command.from_deck and seat not in state.shares:
        raise Illegal("no-deck-share")
    if not 0 <= command.count <= START_PRICE or command.count < 2 * command.from_deck:
        raise Illegal("bad-count", count=command.count)
    most = len(discardable(state, seat)) + 2 * command.from_deck
    if command.count > most:
        raise Illegal("pledge-too-high", most=most)
    draft.add(Pledged(seat, command.count, command.from_deck))
    offers = [offer for offer in state.pledges if offer is not None]
    if len(offers) < state.players or sum(offer.count for offer in offers) != START_PRICE:
        ask_pledges(draft)
        return
    for at, offer in enumerate(offers):
        if offer.from_deck and offer.from_hand == 0:
            _discard_deck(draft, at)
    enter(draft, "start_pay", *_owing(state))


def pay_start(draft: Draft, seat: int, command: PayStart) -> None:
    """Discard the pledged cards (TRA-25, TRA-27)."""
    state = draft.state
    offer = state.pledges[seat]
    assert offer is not None, "everyone pledged"
    if state.paid[seat]:
        raise Illegal("already-paid")
    exactly(command.cards, offer.from_hand)
    no_monster(command.cards)
    if offer.from_deck:
        _discard_deck(draft, seat)
    draft.add(CardsDiscarded(seat, command.cards, len(command.cards), "start"))
    if seats := _owing(state):
        enter(draft, "start_pay", *seats)
    else:
        after_action(draft)


def _owing(state: State) -> list[int]:
    """List the seats that still have to choose cards for the Start."""
    return [
        seat
        for seat, offer in enumerate(state.pledges)
        if offer is not None and offer.from_hand > 0 and not state.paid[seat]
    ]


def _discard_deck(draft: Draft, seat: int) -> None:
    """Discard the two top cards of a pile unseen (TRA-51)."""
    draft.add(DeckDiscarded(seat, tuple(draft.state.piles[seat][:2]), 2))
