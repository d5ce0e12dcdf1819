"""What a viewer can tell about hidden cards, followed card by card through all that it has seen.

Piles are queues, so a card that the viewer once knew stays known on its way through them, and one that it draws was
that card all the way. Which card of another seat's hand was discarded, paid or put under a pile is a choice; what is
seen later may contradict it.
"""

from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Sequence
from itertools import islice, permutations

import msgspec

from games.chance import Chance
from games.game import Seen
from games.submarine.components import HAND, UNKNOWN, Cards, Colour, without
from games.submarine.events import (
    CardDiscarded,
    CardsDrawn,
    CardSwapped,
    CompensationPaid,
    Dealt,
    SeatWithdrawn,
)

STEPS_MAX = 20_000
"""Events followed before the search for a consistent trace is given up; a match has a few hundred."""
RARITY = 5
"""A card that the viewer does not know is one of five colours."""

CardEvent = CardDiscarded | CompensationPaid | CardsDrawn | CardSwapped | SeatWithdrawn


class Trace(msgspec.Struct, frozen=True):
    """Hands, piles and the cards set aside; `?` is a card that the viewer can't tell."""

    hand: tuple[Cards, ...]
    pile: tuple[Cards, ...]
    aside: Cards
    hands_aside: tuple[tuple[int, int], ...] = ()
    """Where in `aside` the hands of withdrawn seats lie, in colour order: (from, up to)."""

    def laid(self, hands: dict[int, Cards], piles: dict[int, Cards]) -> "Trace":
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
    start, learnt = _hindsight(events[0], card_events)
    open_ends = [(0, start)]
    met: set[Hashable] = set()
    steps = 0
    while open_ends:
        at, trace = open_ends.pop()
        while at < len(card_events) and steps < STEPS_MAX:
            steps += 1
            following = _after(trace, card_events[at], learnt[at], chance)
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


def _hindsight(dealt: Dealt, events: Sequence[CardEvent]) -> tuple[Trace, list[Cards]]:
    """Give what the viewer drew later as what it was before: in the piles as dealt, and by event as it left a hand.

    Places in piles are public, so a card that is drawn is known to be the one that was put there.
    """
    marks: list[Colour] = []
    spans: list[tuple[int, int]] = []
    piles = [_numbered(marks, len(deck[HAND:])) for deck in dealt.decks]
    for event in events:
        pile, first = piles[event.seat], len(marks)
        drawn: Cards = ()
        match event:
            case CardsDrawn(cards=cards):
                drawn = cards
            case CardSwapped(got=got):
                pile += _numbered(marks, 1)
                drawn = (got,)
            case CompensationPaid(to=to, from_pile=count, from_hand=hand_count):
                moved = pile[:count] + _numbered(marks, hand_count)
                del pile[:count]
                piles[to][:0] = moved[::-1]
            case CardDiscarded():
                pass
            case SeatWithdrawn():
                pile.clear()
        for number, card in zip(pile, drawn, strict=False):
            marks[number] = card
        del pile[: len(drawn)]
        spans.append((first, len(marks)))
    known = iter(marks)
    start = Trace(
        tuple(deck[:HAND] for deck in dealt.decks),
        tuple(tuple(islice(known, len(deck[HAND:]))) for deck in dealt.decks),
        dealt.aside,
    )
    return start, [tuple(marks[first:end]) for first, end in spans]


def _numbered(marks: list[Colour], count: int) -> list[int]:
    """Give numbers to cards that nothing is known of yet."""
    first = len(marks)
    marks += [UNKNOWN] * count
    return list(range(first, len(marks)))


def _after(trace: Trace, event: CardEvent, learnt: Cards, chance: Chance) -> list[Trace]:
    """Give what the trace may be after an event, likelier ones first as a rule; nothing if contradicted.

    `learnt` are the cards that leave a hand unseen, as far as they are told later.
    """
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
                for kept, paid in _given(hand, (put,), learnt, chance)
            ]
        case CompensationPaid():
            told = event.cards[event.from_pile :]
            return [_paid(trace, event, *given) for given in _given(hand, told, learnt, chance)]
        case SeatWithdrawn():
            return [_withdrawn(trace, seat)]


def _read(marks: Cards, cards: Cards) -> Cards | None:
    """Give what cards are that were told, or else what the trace takes them for; None if told otherwise."""
    pairs = list(zip(marks, cards, strict=True))
    if any(UNKNOWN not in pair and pair[0] != pair[1] for pair in pairs):
        return None
    return tuple(mark if card == UNKNOWN else card for mark, card in pairs)


def _given(hand: Cards, told: Cards, learnt: Cards, chance: Chance) -> list[tuple[Cards, Cards]]:
    """Give what may be left of a hand and what was given away, which its owner is told.

    In a branch an owner may not know all that it had held at the fork: then it is one of the unknown cards.
    """
    if UNKNOWN in told:
        return [
            (_left(hand, marks), cards)
            for marks in _picks(hand, len(told), chance)
            if (cards := _read(marks, learnt)) is not None
        ]
    missing = Counter(told) - Counter(hand)
    marks = [*(Counter(told) - missing).elements(), *[UNKNOWN] * missing.total()]
    if hand.count(UNKNOWN) < missing.total():
        return []
    return [(_left(hand, marks), told)]


def _left(hand: Cards, marks: Iterable[Colour]) -> Cards:
    for mark in marks:
        hand = without(hand, mark)
    return hand


def _could_be(hand: Cards, card: str, chance: Chance) -> list[str]:
    """Which marks of a hand may stand for a card that was shown."""
    strangers = hand.count(UNKNOWN)
    if card not in hand:
        return [UNKNOWN] if strangers else []
    if not strangers:
        return [card]
    known_first = chance.randbelow(RARITY + strangers) < RARITY
    return [card, UNKNOWN] if known_first else [UNKNOWN, card]


def _picks(hand: Cards, count: int, chance: Chance) -> list[Cards]:
    """Distinct ordered choices from a hand, at random."""
    choices = list(permutations(hand, count))
    if len(set(choices)) > 1:
        chance.shuffle(choices)
    return list(dict.fromkeys(choices))


def _paid(trace: Trace, event: CompensationPaid, kept: Cards, hand_part: Cards) -> Trace:
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
