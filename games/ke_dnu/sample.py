"""A world that fits what a viewer has seen: its records folded with slots for unknown cards, then dealt.

A slot stands in a hidden zone for a card that the viewer can't name; it knows which cards it may be. Hidden moves make the
slots they may concern alike; a card that is seen takes the place of a slot that may be it. At the end the unseen cards are
dealt to the slots at random.
"""

from collections.abc import Iterable, Sequence
from typing import Literal

from msgspec.structs import replace

from games.chance import Chance
from games.game import Seen
from games.ke_dnu import events
from games.ke_dnu.cards import HIDDEN
from games.ke_dnu.events import Event
from games.ke_dnu.fold import apply
from games.ke_dnu.model import ActionFrame, Options, Redirect, State, StoryFrame, View
from games.ke_dnu.setup import census, initial, seat_cards, supply
from games.ke_dnu.ship import sight
from games.ke_dnu.worlds import deal, fill_frames

Cards = tuple[str, ...]
Hidden = Literal["hand", "deck"]


class Hits:
    """Which deck cards a resolving effect hits, one after the other: Stewards' positions, else the top."""

    __slots__ = ("_counts", "_positions", "_stayed")

    def __init__(self, redirects: Sequence[Redirect]) -> None:
        """Begin with a resolved action."""
        self._positions = {redirect.seat: sorted(redirect.positions) for redirect in redirects}
        self._counts: dict[int, int] = {}
        self._stayed: dict[int, int] = {}

    def next(self, seat: int) -> int | None:
        """Give the place of the next hit; None if it is not known."""
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


class Shadow:
    """The state as far as a viewer knows it: slots (`#1`, `#2`, ...) where it can't name a card."""

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
        """Tell whether a place holds a card that the viewer can't name."""
        return place in self._domains

    def may_be(self, slot: str, card: str) -> bool:
        """Tell whether a slot may hold a card: of its set, and not seen since the slot was made."""
        return card in self._domains[slot] and self._seen.get(card, 0) <= self._born[slot]

    def possible(self, places: Sequence[str]) -> set[str]:
        """Give the cards that slots and cards may be."""
        cards: set[str] = set()
        for place in places:
            if place in self._domains:
                cards.update(card for card in self._domains[place] if self.may_be(place, card))
            else:
                cards.add(place)
        return cards

    def blur(self, places: Sequence[str]) -> list[str]:
        """Make places alike: any of their cards may be at any of them."""
        return self.slots(self.possible(places), len(places))

    def put(self, seat: int, zone: Hidden, cards: list[str]) -> None:
        """Set a hidden zone."""
        if zone == "hand":
            self.state.hand[seat] = sorted(cards)
        else:
            self.state.deck[seat] = cards

    def zone(self, seat: int, zone: Hidden) -> list[str]:
        """Give a hidden zone."""
        return self.state.hand[seat] if zone == "hand" else self.state.deck[seat]

    def show(self, seat: int, zone: Hidden, card: str, at: int | None = None) -> None:
        """See a card in a hidden zone, at a place or anywhere: it takes a slot that may be it."""
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
        """Remember that a card was seen: no slot made before may hold it."""
        self._seen[card] = len(self._domains)

    def show_hand(self, seat: int, hand: Cards) -> None:
        """See a whole hand."""
        spare = [place for place in self.state.hand[seat] if place not in hand]
        for card in hand:
            if card not in self.state.hand[seat]:
                self.swap_out(card, spare.pop(self.slot_for(spare, card)))
                self.note(card)
        self.put(seat, "hand", list(hand))

    def slot_for(self, places: Sequence[str], card: str) -> int:
        """Find a place that may be a card, the most certain first."""
        fits = [
            (len(self._domains[place]), at)
            for at, place in enumerate(places)
            if place in self._domains and self.may_be(place, card)
        ]
        return min(fits)[1] if fits else len(places) - 1

    def swap_out(self, card: str, place: str) -> None:
        """Take a card from wherever it was thought to be, leaving there what stood in its place."""
        state = self.state
        for seat in range(len(state.status)):
            zones: tuple[Hidden, ...] = ("hand", "deck")
            for zone in zones:
                cards = self.zone(seat, zone)
                if card in cards:
                    self.put(seat, zone, [place if held == card else held for held in cards])

    def see(self, event: Event) -> None:
        """Fold an event as its viewer saw it."""
        apply(self.state, self.told(event))

    def told(self, event: Event) -> Event:
        """Give the event with slots for what is hidden, after noting what it shows."""
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
        """Section 4."""
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
        """KED-28."""
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
        """See the top of the supply."""
        self.state.shop_deck[: len(cards)] = cards
        for card in cards:
            self.note(card)

    def top(self, seat: int, cards: Cards) -> Cards:
        """Give the top cards of a deck, as far as they are seen."""
        for at, card in enumerate(cards):
            if card != HIDDEN:
                self.show(seat, "deck", card, at)
        return tuple(self.state.deck[seat][: len(cards)])

    def show_hit(self, seat: int, card: str) -> None:
        """See a deck card that was hit: from the top, or wherever a Steward chose."""
        at = self._hits.next(seat)
        deck = self.state.deck[seat]
        known = at is not None and card in self.possible(deck[at : at + 1])
        self.show(seat, "deck", card, at if known else None)

    def hidden_hit(self, seat: int) -> str:
        """Give the place in a deck that an unseen hit took; if a Steward chose it unseen, a slot."""
        at = self._hits.next(seat)
        deck = self.state.deck[seat]
        if at is not None and at < len(deck):
            return deck[at]
        return next((place for place in deck if place in self._domains), deck[0])

    def moved(self, event: events.Moved) -> events.Moved:
        """Follow a move, seen or not."""
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
        """Follow a story card to the board, or unseen under the deck."""
        top = self.state.stack[-1]
        if isinstance(top, StoryFrame) and event.card != HIDDEN:
            self.swap_out(event.card, top.card)
            self.note(event.card)
        elif isinstance(top, StoryFrame):
            return replace(event, card=top.card)
        return event


def sample(view: View, seen: Seen, chance: Chance) -> State:
    """Draw a world that fits all that the viewer has seen."""
    shadow = Shadow(seen.seats, seen.options)
    for record in seen.records:
        for event in record.events:
            shadow.see(event)
    state = shadow.state
    if view.phase == "over":
        uncover(state, view)
        return state
    look(shadow, view)
    deal(state, shadow, sorted(census(seen.seats, seen.options)), chance)
    fill_frames(state, seen.viewer, chance)
    return state


def look(shadow: Shadow, view: View) -> None:
    """See what the view shows of decks and hands (KED-60, KED-62)."""
    for seat, shown in enumerate(view.seats):
        for at, card in enumerate(shown.top):
            shadow.show(seat, "deck", card, at)
        if shown.hand is not None:
            shadow.show_hand(seat, shown.hand)


def uncover(state: State, view: View) -> None:
    """At the end all is shown."""
    state.shop_deck = list(view.shop_deck or ())
    state.unused = list(view.unused or ())
    for seat, shown in enumerate(view.seats):
        state.deck[seat] = list(shown.deck or ())
        state.hand[seat] = list(shown.hand or ())
        state.gone[seat] = list(shown.gone or ())
