"""Traces: what a viewer can infer about hidden cards from the events it has seen.

Piles are queues, so a card that the viewer once knew stays known on its way through a pile, and a
card that the viewer draws was known all the way back. Which card of another seat's hand was
discarded, paid or put under a pile is a guess, which later events may contradict.
"""

from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Sequence
from itertools import islice, permutations

import msgspec

from games.chance import Chance
from games.game import HIDDEN, Seen
from games.submarine.components import HAND, Cards, Colour, without
from games.submarine.events import (
    CardDiscarded,
    CardsDrawn,
    CardSwapped,
    CompensationPaid,
    Dealt,
    SeatWithdrawn,
)

STEPS_MAX = 20_000
"""Maximum number of events to follow in the search; a match has a few hundred."""
RARITY = 5
"""Weight of a known card against an unknown one, which may have any of five colours."""

CardEvent = CardDiscarded | CompensationPaid | CardsDrawn | CardSwapped | SeatWithdrawn


class Trace(msgspec.Struct, frozen=True):
    """Hands, piles and the cards set aside, with `?` for cards unknown to the viewer."""

    hand: tuple[Cards, ...]
    pile: tuple[Cards, ...]
    aside: Cards
    hands_aside: tuple[tuple[int, int], ...] = ()
    """Slices (start, end) of `aside` that were hands of withdrawn seats, in colour order."""

    def replaced(self, hands: dict[int, Cards], piles: dict[int, Cards]) -> "Trace":
        """Return a trace with some hands and piles replaced."""
        return Trace(
            tuple(hands.get(seat, hand) for seat, hand in enumerate(self.hand)),
            tuple(piles.get(seat, pile) for seat, pile in enumerate(self.pile)),
            self.aside,
            self.hands_aside,
        )


def traces(seen: Seen, chance: Chance) -> Iterator[Trace]:
    """Yield the traces that no event contradicts, in random order."""
    events = [event for record in seen.records for event in record.events]
    if not events or not isinstance(events[0], Dealt):
        return
    card_events = [event for event in events if isinstance(event, CardEvent)]
    start, revealed = _hindsight(events[0], card_events)
    open_ends = [(0, start)]
    visited: set[Hashable] = set()
    steps = 0
    while open_ends:
        at, trace = open_ends.pop()
        while at < len(card_events) and steps < STEPS_MAX:
            steps += 1
            following = _after(trace, card_events[at], revealed[at], chance)
            if len(following) > 1:
                following = _unvisited(at, following, visited)
            if not following:
                break
            at += 1
            open_ends += [(at, other) for other in following[:0:-1]]
            trace = following[0]
        if steps >= STEPS_MAX:
            return
        if at == len(card_events):
            yield trace


def _unvisited(at: int, choices: list[Trace], visited: set[Hashable]) -> list[Trace]:
    """Leave out traces that another choice has led to, so that each is followed once."""
    unvisited: list[Trace] = []
    for trace in choices:
        hands = tuple([tuple(sorted(hand)) for hand in trace.hand])
        if (place := (at, hands, trace.pile, trace.aside)) not in visited:
            visited.add(place)
            unvisited.append(trace)
    return unvisited


def _hindsight(dealt: Dealt, events: Sequence[CardEvent]) -> tuple[Trace, list[Cards]]:
    """Return what later draws reveal: the trace of the deal, and by event the cards leaving a hand.

    Places in piles are public, so the viewer can follow a drawn card back to where it came from.
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
    """Mark more cards as unknown; return their numbers."""
    first = len(marks)
    marks += [HIDDEN] * count
    return list(range(first, len(marks)))


def _after(trace: Trace, event: CardEvent, revealed: Cards, chance: Chance) -> list[Trace]:
    """Return the possible traces after an event, likelier ones first as a rule.

    Empty if the event contradicts the trace. `revealed` are the cards that leave a hand unseen,
    with `?` for those that no later event reveals.
    """
    seat = event.seat
    hand, pile = trace.hand[seat], trace.pile[seat]
    match event:
        case CardsDrawn(cards=cards):
            drawn = _read(pile[: len(cards)], cards)
            rest = pile[len(cards) :]
            return [] if drawn is None else [trace.replaced({seat: hand + drawn}, {seat: rest})]
        case CardDiscarded(card=card):
            kept = [without(hand, mark) for mark in _could_be(hand, card, chance)]
            return [trace.replaced({seat: rest}, {}) for rest in kept]
        case CardSwapped(put=put, got=got):
            taken = _read(pile[:1], (got,))
            if taken is None:
                return []
            return [
                trace.replaced({seat: kept + taken}, {seat: pile[1:] + paid})
                for kept, paid in _given_away(hand, (put,), revealed, chance)
            ]
        case CompensationPaid():
            shown = event.cards[event.from_pile :]
            return [
                _paid(trace, event, *given) for given in _given_away(hand, shown, revealed, chance)
            ]
        case SeatWithdrawn():
            return [_withdrawn(trace, seat)]


def _read(marks: Cards, cards: Cards) -> Cards | None:
    """Merge seen cards with what the trace expects; None if they contradict each other."""
    pairs = list(zip(marks, cards, strict=True))
    if any(HIDDEN not in pair and pair[0] != pair[1] for pair in pairs):
        return None
    return tuple(mark if card == HIDDEN else card for mark, card in pairs)


def _given_away(
    hand: Cards, shown: Cards, revealed: Cards, chance: Chance
) -> list[tuple[Cards, Cards]]:
    """Return the possible pairs of a remaining hand and the cards that were given away.

    `shown` are the cards that were given away, if the viewer is their owner. In a branch an owner
    may not know the whole hand held at the fork: then a card that is missing was an unknown one.
    """
    if HIDDEN in shown:
        return [
            (_left(hand, marks), cards)
            for marks in _picks(hand, len(shown), chance)
            if (cards := _read(marks, revealed)) is not None
        ]
    missing = Counter(shown) - Counter(hand)
    marks = [*(Counter(shown) - missing).elements(), *[HIDDEN] * missing.total()]
    if hand.count(HIDDEN) < missing.total():
        return []
    return [(_left(hand, marks), shown)]


def _left(hand: Cards, marks: Iterable[Colour]) -> Cards:
    for mark in marks:
        hand = without(hand, mark)
    return hand


def _could_be(hand: Cards, card: str, chance: Chance) -> list[str]:
    """Return the marks of a hand that may stand for a card that was shown."""
    unknown = hand.count(HIDDEN)
    if card not in hand:
        return [HIDDEN] if unknown else []
    if not unknown:
        return [card]
    known_first = chance.randbelow(RARITY + unknown) < RARITY
    return [card, HIDDEN] if known_first else [HIDDEN, card]


def _picks(hand: Cards, count: int, chance: Chance) -> list[Cards]:
    """Return the distinct ordered choices from a hand, in random order."""
    choices = list(permutations(hand, count))
    if len(set(choices)) > 1:
        chance.shuffle(choices)
    return list(dict.fromkeys(choices))


def _paid(trace: Trace, event: CompensationPaid, kept: Cards, hand_part: Cards) -> Trace:
    payer, payee = event.seat, event.to
    pile = trace.pile[payer]
    cards = pile[: event.from_pile] + hand_part
    piles = {payer: pile[event.from_pile :], payee: cards[::-1] + trace.pile[payee]}
    return trace.replaced({payer: kept}, piles)


def _withdrawn(trace: Trace, seat: int) -> Trace:
    start, hand = len(trace.aside), trace.hand[seat]
    after = trace.replaced({seat: ()}, {seat: ()})
    return msgspec.structs.replace(
        after,
        aside=trace.aside + hand + trace.pile[seat],
        hands_aside=(*trace.hands_aside, (start, start + len(hand))),
    )
