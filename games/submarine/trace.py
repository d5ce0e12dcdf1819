"""What a viewer can tell about hidden cards, followed card by card through all that it has seen.

Piles are queues, so a card that the viewer once knew stays known on its way through them. Which card of another
seat's hand was discarded, paid or put under a pile is a choice; what is seen later may contradict it.
"""

from collections import Counter
from collections.abc import Hashable, Iterable, Iterator
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
    Colour,
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
    met: set[Hashable] = set()
    steps = 0
    while open_ends:
        at, trace = open_ends.pop()
        while at < len(card_events) and steps < STEPS_MAX:
            steps += 1
            following = _after(trace, card_events[at], chance)
            if len(following) > 1:
                following = _unmet(at, following, met)
            if not following:
                break
            at += 1
            open_ends += [(at, other) for other in following[:0:-1]]
            trace = following[0]
        if steps >= STEPS_MAX:
            return
        if at == len(card_events):
            yield trace


def _unmet(at: int, choices: list[Trace], met: set[Hashable]) -> list[Trace]:
    """Leave out what other choices led to as well: what follows from it is followed once."""
    unmet: list[Trace] = []
    for trace in choices:
        hands = tuple([tuple(sorted(hand)) for hand in trace.hand])
        if (place := (at, hands, trace.pile, trace.aside)) not in met:
            met.add(place)
            unmet.append(trace)
    return unmet


def _dealt(event: Dealt) -> Trace:
    hands = tuple(deck[:HAND] for deck in event.decks)
    piles = tuple(deck[HAND:] for deck in event.decks)
    return Trace(hands, piles, event.aside)


def _after(trace: Trace, event: CardEvent, chance: Chance) -> list[Trace]:
    """Give what the trace may be after an event, likelier ones first as a rule; nothing if contradicted."""
    seat = event.seat
    hand, pile = trace.hand[seat], trace.pile[seat]
    match event:
        case CardsDrawn(cards=cards):
            drawn = _read(pile[: len(cards)], cards)
            rest = pile[len(cards) :]
            return [] if drawn is None else [trace.laid({seat: hand + drawn}, {seat: rest})]
        case CardDiscarded(card=card):
            kept = [without(hand, mark) for mark in _could_be(hand, card, chance)]
            return [trace.laid({seat: rest}, {}) for rest in kept]
        case CardSwapped(put=put, got=got):
            taken = _read(pile[:1], (got,))
            if taken is None:
                return []
            return [
                trace.laid({seat: kept + taken}, {seat: pile[1:] + paid})
                for kept, paid in _given(hand, (put,), chance)
            ]
        case CompensationPaid():
            told = event.cards[event.from_pile :]
            return [_paid(trace, event, *given) for given in _given(hand, told, chance)]
        case SeatWithdrawn():
            return [_withdrawn(trace, seat)]


def _read(marks: Hidden, cards: Hidden) -> Hidden | None:
    """Give what cards are that were told, or else what the trace takes them for; None if told otherwise."""
    pairs = list(zip(marks, cards, strict=True))
    if any(UNKNOWN not in pair and pair[0] != pair[1] for pair in pairs):
        return None
    return tuple(mark if card == UNKNOWN else card for mark, card in pairs)


def _given(hand: Hidden, told: Hidden, chance: Chance) -> list[tuple[Hidden, Hidden]]:
    """Give what may be left of a hand and what was given away, which its owner is told.

    In a branch an owner may not know all that it had held at the fork: then it is one of the unknown cards.
    """
    if UNKNOWN in told:
        return [(_left(hand, marks), marks) for marks in _picks(hand, len(told), chance)]
    missing = Counter(told) - Counter(hand)
    marks = [*(Counter(told) - missing).elements(), *[UNKNOWN] * missing.total()]
    if hand.count(UNKNOWN) < missing.total():
        return []
    return [(_left(hand, marks), told)]


def _left(hand: Hidden, marks: Iterable[Colour]) -> Hidden:
    for mark in marks:
        hand = without(hand, mark)
    return hand


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


def _paid(trace: Trace, event: CompensationPaid, kept: Hidden, hand_part: Hidden) -> Trace:
    payer, payee = event.seat, event.to
    pile = trace.pile[payer]
    cards = pile[: event.from_pile] + hand_part
    piles = {payer: pile[event.from_pile :], payee: cards[::-1] + trace.pile[payee]}
    return trace.laid({payer: kept}, piles)


def _withdrawn(trace: Trace, seat: int) -> Trace:
    start, hand = len(trace.aside), trace.hand[seat]
    after = trace.laid({seat: ()}, {seat: ()})
    return msgspec.structs.replace(
        after,
        aside=trace.aside + hand + trace.pile[seat],
        hands_aside=(*trace.hands_aside, (start, start + len(hand))),
    )
