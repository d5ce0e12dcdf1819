"""What a viewer can tell about hidden cards, followed card by card through all that it has seen.

Piles are queues, so a card that the viewer once knew stays known on its way through them. Which card of another
seat's hand was discarded, paid or put under a pile is a choice; what is seen later may contradict it.
"""

from collections.abc import Iterator, Sequence
from itertools import permutations

import msgspec

from games.chance import Chance
from games.game import Seen
from games.submarine.box import HAND
from games.submarine.fold import without
from games.submarine.model import (
    UNKNOWN,
    CardDiscarded,
    CardsDrawn,
    CardSwapped,
    CompensationPaid,
    Dealt,
    Hidden,
    SeatWithdrawn,
)

STEPS_MAX = 20_000
"""Events followed before the search for a consistent trace is given up; a match has a few hundred."""
RARITY = 5
"""A card that the viewer does not know is one of five colours."""

CardEvent = CardDiscarded | CompensationPaid | CardsDrawn | CardSwapped | SeatWithdrawn


class Trace(msgspec.Struct, frozen=True):
    """Hands, piles and the cards set aside; `?` is a card that the viewer can't tell."""

    hand: tuple[Hidden, ...]
    pile: tuple[Hidden, ...]
    aside: Hidden
    hands_aside: tuple[tuple[int, int], ...] = ()
    """Where in `aside` the hands of withdrawn seats lie, in colour order: (from, up to)."""

    def laid(self, hands: dict[int, Hidden], piles: dict[int, Hidden]) -> "Trace":
        """Give the trace with some hands and piles exchanged."""
        return Trace(
            tuple(hands.get(seat, hand) for seat, hand in enumerate(self.hand)),
            tuple(piles.get(seat, pile) for seat, pile in enumerate(self.pile)),
            self.aside,
            self.hands_aside,
        )


def traces(seen: Seen, chance: Chance) -> Iterator[Trace]:
    """Yield the traces that nothing seen contradicts, in random order."""
    events = [event for record in seen.records for event in record.events]
    if not events or not isinstance(events[0], Dealt):
        return
    card_events = [event for event in events if isinstance(event, CardEvent)]
    open_ends = [(0, _dealt(events[0]))]
    steps = 0
    while open_ends:
        at, trace = open_ends.pop()
        while at < len(card_events) and steps < STEPS_MAX:
            steps += 1
            following = _after(trace, card_events[at], seen.viewer, chance)
            if not following:
                break
            at += 1
            open_ends += [(at, other) for other in following[:0:-1]]
            trace = following[0]
        if steps >= STEPS_MAX:
            return
        if at == len(card_events):
            yield trace


def _dealt(event: Dealt) -> Trace:
    hands = tuple(deck[:HAND] for deck in event.decks)
    piles = tuple(deck[HAND:] for deck in event.decks)
    return Trace(hands, piles, event.aside)


def _after(trace: Trace, event: CardEvent, viewer: int | None, chance: Chance) -> list[Trace]:
    """Give what the trace may be after an event, likelier ones first as a rule; nothing if contradicted."""
    seat = event.seat
    hand, pile = trace.hand[seat], trace.pile[seat]
    match event:
        case CardsDrawn(cards=cards):
            drawn, rest = pile[: len(cards)], pile[len(cards) :]
            if seat != viewer:
                return [trace.laid({seat: hand + drawn}, {seat: rest})]
            return [trace.laid({seat: hand + cards}, {seat: rest})] if _fit(drawn, cards) else []
        case CardDiscarded(card=card):
            kept = [without(hand, mark) for mark in _could_be(hand, card, chance)]
            return [trace.laid({seat: rest}, {}) for rest in kept]
        case CardSwapped(put=put, got=got):
            if seat == viewer:
                swapped = trace.laid({seat: (*without(hand, put), got)}, {seat: (*pile[1:], put)})
                return [swapped] if _fit(pile[:1], (got,)) else []
            return [
                trace.laid({seat: (*without(hand, mark), pile[0])}, {seat: (*pile[1:], mark)})
                for (mark,) in _picks(hand, 1, chance)
            ]
        case CompensationPaid():
            return [_paid(trace, event, part) for part in _hand_parts(hand, event, viewer, chance)]
        case SeatWithdrawn():
            return [_withdrawn(trace, seat)]


def _fit(marks: Hidden, cards: Hidden) -> bool:
    """Whether cards may be what the trace takes them for."""
    return all(mark in (UNKNOWN, card) for mark, card in zip(marks, cards, strict=True))


def _could_be(hand: Hidden, card: str, chance: Chance) -> list[str]:
    """Which marks of a hand may stand for a card that was shown."""
    strangers = hand.count(UNKNOWN)
    if card not in hand:
        return [UNKNOWN] if strangers else []
    if not strangers:
        return [card]
    known_first = chance.randbelow(RARITY + strangers) < RARITY
    return [card, UNKNOWN] if known_first else [UNKNOWN, card]


def _picks(hand: Hidden, count: int, chance: Chance) -> list[Hidden]:
    """Distinct ordered choices from a hand, at random."""
    choices = list(permutations(hand, count))
    if len(set(choices)) > 1:
        chance.shuffle(choices)
    return list(dict.fromkeys(choices))


def _hand_parts(
    hand: Hidden, event: CompensationPaid, viewer: int | None, chance: Chance
) -> Sequence[Hidden]:
    """Give what may have been paid from the hand."""
    if event.seat == viewer:
        return [event.cards[event.from_pile :]]
    return _picks(hand, event.from_hand, chance)


def _paid(trace: Trace, event: CompensationPaid, hand_part: Hidden) -> Trace:
    payer, payee = event.seat, event.to
    hand, pile = trace.hand[payer], trace.pile[payer]
    cards = pile[: event.from_pile] + hand_part
    for card in hand_part:
        hand = without(hand, card)
    piles = {payer: pile[event.from_pile :], payee: cards[::-1] + trace.pile[payee]}
    return trace.laid({payer: hand}, piles)


def _withdrawn(trace: Trace, seat: int) -> Trace:
    start, hand = len(trace.aside), trace.hand[seat]
    after = trace.laid({seat: ()}, {seat: ()})
    return msgspec.structs.replace(
        after,
        aside=trace.aside + hand + trace.pile[seat],
        hands_aside=(*trace.hands_aside, (start, start + len(hand))),
    )
