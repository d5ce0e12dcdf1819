"""What a viewer knows of the hidden zones, from the events that it has seen.

A slot stands in a hidden zone for a card that the viewer cannot name. Each slot has a set of cards
that it may be. A hidden move makes all slots alike that it may concern. A card that is seen takes
the place of a slot that may be it.
"""

from collections.abc import Iterable, Sequence
from typing import Literal

from msgspec.structs import replace

from games.game import HIDDEN
from games.ke_dnu import events
from games.ke_dnu.events import Event
from games.ke_dnu.fold import apply
from games.ke_dnu.model import ActionFrame, Options, Redirect, StoryFrame
from games.ke_dnu.rules.ships import sight
from games.ke_dnu.setup import initial, seat_cards, supply

Cards = tuple[str, ...]
Hidden = Literal["hand", "deck"]


class Hits:
    """Positions of the deck cards that a resolved effect hits: chosen by Stewards, else the top."""

    __slots__ = ("_counts", "_positions", "_stayed")

    def __init__(self, redirects: Sequence[Redirect]) -> None:
        """Begin with the redirects of a resolved action."""
        self._positions = {redirect.seat: sorted(redirect.positions) for redirect in redirects}
        self._counts: dict[int, int] = {}
        self._stayed: dict[int, int] = {}

    def next(self, seat: int) -> int | None:
        """Return the position of the next hit, or None if it is not known."""
        count, stayed = self._counts.get(seat, 0), self._stayed.get(seat, 0)
        self._counts[seat] = count + 1
        positions = self._positions.get(seat)
        if not positions:
            return stayed
        if count >= len(positions) or positions[0] < 0:
            return None
        return positions[count] - (count - stayed)

    def stayed(self, seat: int) -> None:
        """Note that a Band that was hit stayed in the deck."""
        self._stayed[seat] = self._stayed.get(seat, 0) + 1


class Knowledge:
    """The state with slots (`#1`, `#2`, ...) in place of cards that the viewer cannot name."""

    __slots__ = ("_born", "_domains", "_hits", "_seen", "state")

    def __init__(self, seats: int, options: Options) -> None:
        """Begin before any event."""
        self.state = initial(seats, options)
        self._domains: dict[str, frozenset[str]] = {}
        self._born: dict[str, int] = {}
        self._seen: dict[str, int] = {}
        self._hits = Hits(())

    def slots(self, domain: Iterable[str], count: int) -> list[str]:
        """Make slots for cards of a set."""
        cards = frozenset(domain)
        first = len(self._domains)
        fresh = [f"#{first + at}" for at in range(count)]
        for at, slot in enumerate(fresh):
            self._domains[slot] = cards
            self._born[slot] = first + at
        return fresh

    def is_slot(self, place: str) -> bool:
        """Return whether a place is a slot and not a card."""
        return place in self._domains

    def may_be(self, slot: str, card: str) -> bool:
        """Return whether a slot may be a card: in its set, and not seen since the slot was made."""
        return card in self._domains[slot] and self._seen.get(card, 0) <= self._born[slot]

    def possible(self, places: Sequence[str]) -> set[str]:
        """Return all cards that may be at these places."""
        cards: set[str] = set()
        for place in places:
            if place in self._domains:
                cards.update(card for card in self._domains[place] if self.may_be(place, card))
            else:
                cards.add(place)
        return cards

    def blur(self, places: Sequence[str]) -> list[str]:
        """Return new slots for places whose cards may have been mixed."""
        return self.slots(self.possible(places), len(places))

    def put(self, seat: int, zone: Hidden, cards: list[str]) -> None:
        """Set a hidden zone."""
        if zone == "hand":
            self.state.hand[seat] = sorted(cards)
        else:
            self.state.deck[seat] = cards

    def zone(self, seat: int, zone: Hidden) -> list[str]:
        """Return a hidden zone."""
        return self.state.hand[seat] if zone == "hand" else self.state.deck[seat]

    def show(self, seat: int, zone: Hidden, card: str, at: int | None = None) -> None:
        """Put a card that was seen in a hidden zone at a place, or at a slot that may be it."""
        places = self.zone(seat, zone)[:]
        if at is None:
            if card in places:
                return
            at = self.slot_for(places, card)
        elif places[at] == card:
            return
        self.swap_out(card, places[at])
        places = self.zone(seat, zone)[:]
        places[at] = card
        self.put(seat, zone, places)
        self.note(card)

    def note(self, card: str) -> None:
        """Note that a card was seen. No slot made before may be it."""
        self._seen[card] = len(self._domains)

    def show_hand(self, seat: int, hand: Cards) -> None:
        """Set a hand that was seen as a whole."""
        spare = [place for place in self.state.hand[seat] if place not in hand]
        for card in hand:
            if card not in self.state.hand[seat]:
                self.swap_out(card, spare.pop(self.slot_for(spare, card)))
                self.note(card)
        self.put(seat, "hand", list(hand))

    def slot_for(self, places: Sequence[str], card: str) -> int:
        """Return the index of a place that may be a card; the smallest set comes first."""
        fits = [
            (len(self._domains[place]), at)
            for at, place in enumerate(places)
            if place in self._domains and self.may_be(place, card)
        ]
        return min(fits)[1] if fits else len(places) - 1

    def swap_out(self, card: str, place: str) -> None:
        """Replace a card, wherever it was believed to be, by what stood in its new place."""
        state = self.state
        for seat in range(len(state.status)):
            zones: tuple[Hidden, ...] = ("hand", "deck")
            for zone in zones:
                cards = self.zone(seat, zone)
                if card in cards:
                    self.put(seat, zone, [place if held == card else held for held in cards])

    def see(self, event: Event) -> None:
        """Fold an event as the viewer saw it."""
        apply(self.state, self.completed(event))

    def completed(self, event: Event) -> Event:
        """Return the event with slots for what is hidden, after noting what it shows."""
        state = self.state
        match event:
            case events.Dealt():
                return self.dealt(event)
            case events.CardsDrawn(seat=seat, cards=cards):
                return replace(event, cards=self.top(seat, cards))
            case events.WaterShuffled(seat=seat):
                water = state.water[seat]
                return replace(event, order=tuple(self.slots(water, len(water))))
            case events.DeckShuffled(seat=seat):
                return replace(event, order=tuple(self.blur(state.deck[seat])))
            case events.SinkingStarted():
                return self.shuffled(event)
            case events.ShopRevealed(cards=cards):
                self.shop(cards)
            case events.LockdownStruck(revealed=cards):
                self.shop(cards)
            case events.PlayAnnounced(seat=seat, card=card, via="hand"):
                self.show(seat, "hand", card)
            case events.Resolved():
                top = state.stack[-1]
                self._hits = Hits(top.redirects if isinstance(top, ActionFrame) else ())
            case events.Jettisoned(seat=seat, card=card, zone="hand"):
                self.show(seat, "hand", card)
            case events.Jettisoned(seat=seat, card=card, zone="deck"):
                self.show_hit(seat, card)
            case events.BandHeld(seat=seat, card=card, zone="hand"):
                self.show(seat, "hand", card)
            case events.BandHeld(seat=seat, card=card, zone="deck"):
                self.show_hit(seat, card)
                self._hits.stayed(seat)
            case events.Chosen(seat=seat, card=card):
                if not any(place.card == card for place in state.board[seat]):
                    self.show(seat, "hand", card)
            case events.Moved():
                return self.moved(event)
            case events.TopRearranged(seat=seat, take=take) if take < 0:
                seen = sight(state.board[seat])
                deck = state.deck[seat]
                state.deck[seat] = self.blur(deck[:seen]) + deck[seen:]
                return replace(event, take=0, put=0)
            case events.StoryDrawn(seat=seat, card=card):
                return replace(event, card=self.top(seat, (card,))[0])
            case events.StoryPlaced():
                return self.story(event)
            case _:
                pass
        return event

    def dealt(self, event: events.Dealt) -> events.Dealt:
        """Return the deal with slots for the decks and the supply."""
        options = self.state.options
        unseen = set(supply(options)) - {*event.shop, *event.removed}
        return replace(
            event,
            decks=tuple(
                tuple(self.slots(seat_cards(seat), len(deck)))
                for seat, deck in enumerate(event.decks)
            ),
            shop_deck=tuple(self.slots(unseen, len(event.shop_deck))),
        )

    def shuffled(self, event: events.SinkingStarted) -> events.SinkingStarted:
        """Return the start of the Sinking with slots for hidden cards."""
        state = self.state
        decks: list[Cards] = []
        hands: list[Cards] = []
        for seat, hand in enumerate(event.hands):
            domain = self.possible([*state.hand[seat], *state.deck[seat], *state.water[seat]])
            known = HIDDEN not in hand
            if known:
                for card in hand:
                    self.note(card)
            hands.append(hand if known else tuple(self.slots(domain, len(hand))))
            decks.append(tuple(self.slots(domain, len(event.decks[seat]))))
        return replace(event, decks=tuple(decks), hands=tuple(hands))

    def shop(self, cards: Cards) -> None:
        """Set the top of the supply that was revealed."""
        self.state.shop_deck[: len(cards)] = cards
        for card in cards:
            self.note(card)

    def top(self, seat: int, cards: Cards) -> Cards:
        """Return the top cards of a deck after setting those that were seen."""
        for at, card in enumerate(cards):
            if card != HIDDEN:
                self.show(seat, "deck", card, at)
        return tuple(self.state.deck[seat][: len(cards)])

    def show_hit(self, seat: int, card: str) -> None:
        """Set a deck card that was hit: from the top, or chosen by a Steward."""
        at = self._hits.next(seat)
        deck = self.state.deck[seat]
        known = at is not None and card in self.possible(deck[at : at + 1])
        self.show(seat, "deck", card, at if known else None)

    def hidden_hit(self, seat: int) -> str:
        """Return what an unseen hit removes from a deck. If its position is hidden, any slot."""
        at = self._hits.next(seat)
        deck = self.state.deck[seat]
        if at is not None and at < len(deck):
            return deck[at]
        return next((place for place in deck if place in self._domains), deck[0])

    def moved(self, event: events.Moved) -> events.Moved:
        """Return a move with a slot if its card is hidden."""
        seat, card, zone = event.seat, event.card, event.zone
        if zone == "hand":
            if card != HIDDEN:
                self.show(seat, "hand", card)
                return event
            hand = self.blur(self.state.hand[seat])
            self.put(seat, "hand", hand)
            return replace(event, card=hand[0])
        if zone == "deck":
            if card == HIDDEN:
                return replace(event, card=self.hidden_hit(seat))
            self.show_hit(seat, card)
        return event

    def story(self, event: events.StoryPlaced) -> events.StoryPlaced:
        """Return a placed story card with its slot if the card is hidden."""
        top = self.state.stack[-1]
        if isinstance(top, StoryFrame) and event.card != HIDDEN:
            self.swap_out(event.card, top.card)
            self.note(event.card)
        elif isinstance(top, StoryFrame):
            return replace(event, card=top.card)
        return event
