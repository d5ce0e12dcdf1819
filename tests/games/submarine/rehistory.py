"""Exchange two hidden cards throughout a playout.

Cards are followed as physical pieces, numbered as dealt; of equal cards in a hand the first one is
used. Two pieces of different colours that the viewer never saw then take each other's colour in
all events.
"""

import msgspec

from games.submarine.commands import Salvage, SwapCard
from games.submarine.components import HAND
from games.submarine.events import CardDiscarded, CardsDrawn, CardSwapped, CompensationPaid, Dealt


class Pieces:
    """The places of all physical cards, by number."""

    def __init__(self, dealt, viewer):
        cards = [card for deck in dealt.decks for card in deck]
        self.colours = [*cards, *dealt.aside]
        self.dealt_count = len(cards)
        numbers = iter(range(len(self.colours)))
        decks = [[next(numbers) for _ in deck] for deck in dealt.decks]
        self.hands = [deck[:HAND] for deck in decks]
        self.piles = [deck[HAND:] for deck in decks]
        self.viewer = viewer
        self.seen = set(self.hands[viewer]) if viewer is not None else set()

    def _taken(self, seat, colour):
        number = next(n for n in self.hands[seat] if self.colours[n] == colour)
        self.hands[seat].remove(number)
        return number

    def _drawn(self, seat, count):
        numbers = self.piles[seat][:count]
        del self.piles[seat][:count]
        self.hands[seat] += numbers
        if seat == self.viewer:
            self.seen.update(numbers)
        return numbers

    def follow(self, event):
        """Move the pieces of an event; return them in the order of the colours in the event."""
        match event:
            case CardDiscarded(seat=seat, card=card):
                number = self._taken(seat, card)
                self.seen.add(number)
                return [number]
            case CardsDrawn(seat=seat, cards=cards):
                return self._drawn(seat, len(cards))
            case CardSwapped(seat=seat, put=put):
                number = self._taken(seat, put)
                self.piles[seat].append(number)
                return [number, *self._drawn(seat, 1)]
            case CompensationPaid(seat=payer, to=to, from_pile=count):
                numbers = self.piles[payer][:count]
                del self.piles[payer][:count]
                numbers += [self._taken(payer, card) for card in event.cards[count:]]
                for number in numbers:
                    self.piles[to].insert(0, number)
                return numbers
            case _:
                return []


def repainted(event, numbers, colours):
    """Return the event with its cards in new colours."""
    shown = tuple(colours[number] for number in numbers)
    match event:
        case CardDiscarded():
            return msgspec.structs.replace(event, card=shown[0])
        case CardsDrawn() | CompensationPaid():
            return msgspec.structs.replace(event, cards=shown)
        case CardSwapped():
            return msgspec.structs.replace(event, put=shown[0], got=shown[1])
        case Dealt():
            deal = iter(colours)
            decks = tuple(tuple(next(deal) for _ in deck) for deck in event.decks)
            return msgspec.structs.replace(event, decks=decks, aside=tuple(deal))
        case _:
            return event


def recommanded(command, events):
    """Return the command that leads to the repainted events."""
    match command:
        case SwapCard():
            return SwapCard(events[0].put)
        case Salvage():
            paid = [event for event in events if isinstance(event, CompensationPaid)]
            pay = [card for event in paid for card in event.cards[event.from_pile :]]
            return Salvage(command.token, command.card, tuple(pay))
        case _:
            return command


def rehistory(plies, viewer, chance):
    """Exchange two cards that the viewer never sees; None if all have one colour."""
    dealt = plies[0].events[0]
    pieces = Pieces(dealt, viewer)
    numbers = [[pieces.follow(event) for event in ply.events] for ply in plies]
    even = sorted(dealt.aside) == list(dealt.aside)
    count = pieces.dealt_count if even else len(pieces.colours)
    secret = [number for number in range(count) if number not in pieces.seen]
    chance.shuffle(secret)
    colours = list(pieces.colours)
    partners = [n for n in secret if colours[n] != colours[secret[0]]] if secret else []
    if not partners:
        return None
    one, other = secret[0], partners[0]
    colours[one], colours[other] = colours[other], colours[one]
    history = []
    for ply, used in zip(plies, numbers, strict=True):
        events = tuple(
            repainted(event, which, colours) for event, which in zip(ply.events, used, strict=True)
        )
        command = recommanded(ply.command, events)
        history.append(msgspec.structs.replace(ply, command=command, events=events))
    return history
