"""The course of a command: its events unfold on a copy of the state until a seat is waited for (5.3).

After each command: (1) the discards made are offered, (2) the game may end, (3) a top frame that waits for nobody is
settled, (4) with an empty stack the next automatic step of 5.1 is taken.
"""

from typing import Literal

from games.chance import Chance
from games.ke_dnu import events
from games.ke_dnu.cards import ASSISTANT, CARETAKER, FLAPPER, TEACHER, Zone
from games.ke_dnu.events import Event
from games.ke_dnu.fold import apply
from games.ke_dnu.model import DiscardFrame, State
from games.ke_dnu.ship import (
    CARDS,
    TYPE,
    band_held,
    has,
    hosts,
    is_rose,
    struck,
)
from games.ke_dnu.windows import bystanders, claimable, copyable_cards


class Course:
    """Events so far, the state after them, and the discards not yet offered."""

    __slots__ = ("_chance", "discards", "events", "state")

    def __init__(self, state: State, chance: Chance | None) -> None:
        """Begin at a state, which stays as it was."""
        self.state = state.copy()
        self.events: list[Event] = []
        self.discards: list[tuple[str, int]] = []
        self._chance = chance

    @property
    def chance(self) -> Chance:
        """Give the dice."""
        assert self._chance is not None, "asked for only where there are dice"
        return self._chance

    @property
    def has_dice(self) -> bool:
        """Tell whether anything may be left to chance."""
        return self._chance is not None

    def emit(self, event: Event) -> None:
        """Let an event happen."""
        apply(self.state, event)
        self.events.append(event)

    def shuffled(self, cards: list[str]) -> tuple[str, ...]:
        """Give the cards in random order."""
        order = cards[:]
        self.chance.shuffle(order)
        return tuple(order)

    def discard(self, seat: int, card: str, zone: Zone, cause: str, points: int = 0) -> None:
        """Discard a card, unless it is a Band that stays (KED-40, KED-41, KED-42)."""
        if band_held(self.state.board[seat], card):
            self.emit(events.BandHeld(seat, card, zone))
            return
        self.emit(events.Jettisoned(seat, card, zone, cause, points))
        if not is_rose(card):
            self.discards.append((card, seat))

    def discard_own(self, seat: int, card: str, cause: str) -> None:
        """Let a card of a board discard itself, or its Assistant in its stead (KED-71)."""
        self.discard(seat, struck(self.state.board[seat], card), "board", cause)

    def offer(self) -> None:
        """Offer the discards since the last offer to Flappers and Teachers (KED-43, KED-86)."""
        if not self.discards:
            return
        cards, holders = zip(*self.discards, strict=True)
        self.discards = []
        state = self.state
        flappers = tuple(
            card
            for card, holder in zip(cards, holders, strict=True)
            if TYPE[card] == FLAPPER and copyable_cards(state, holder)
        )
        batch = DiscardFrame(cards, holders, flappers)
        if flappers or any(
            has(state.board[seat], TEACHER) and claimable(state, batch, seat)
            for seat in bystanders(state, ())
        ):
            self.emit(events.DiscardsOpened(cards, holders, flappers))

    def refill(self, seat: int) -> bool:
        """Make a new deck of the water, in the Voyage (KED-14); tell whether there is one."""
        water = self.state.water[seat]
        if self.state.phase != "voyage" or not water:
            return False
        self.emit(events.WaterShuffled(seat, self.shuffled(water)))
        return True

    def draw(self, seat: int, count: int, cause: str) -> bool:
        """Draw from the own deck (6.1); tell whether the seat could, or must sink (KED-15)."""
        state = self.state
        if state.phase == "sinking" and count > len(state.deck[seat]):
            return False
        left = count
        while left:
            some = tuple(state.deck[seat][:left])
            if some:
                self.emit(events.CardsDrawn(seat, some, cause))
                left -= len(some)
            if left and not self.refill(seat):
                break
        return True

    def sink(self, seat: int, reason: Literal["empty_deck", "limit"] = "empty_deck") -> None:
        """Sink a ship; its board is its score (KED-110, KED-111)."""
        self.emit(events.ShipSank(seat, board_score(self.state, seat), reason))

    def steal(self, seat: int, by: int, count: int, cause: str) -> None:
        """Draw from another seat's deck (KED-16)."""
        deck = self.state.deck
        for _ in range(count):
            if not deck[seat] and not self.refill(seat):
                return
            self.emit(events.Moved(seat, deck[seat][0], "deck", by, "hand", cause, locked=False))

    def arrival(self, seat: int, card: str, host: str) -> tuple[bool, str]:
        """Tell how a card arrives that is not laid: exhausted, and the host it joins (KED-33, KED-38)."""
        joins = TYPE[card] == ASSISTANT and host in hosts(self.state.board[seat])
        return CARDS[card].arrives_exhausted, host if joins else ""

    def laid_exhausted(self, seat: int, card: str) -> bool:
        """Tell whether a card that a seat lays arrives exhausted (KED-33)."""
        return CARDS[card].arrives_exhausted and not has(self.state.board[seat], CARETAKER)


def board_score(state: State, seat: int) -> int:
    """Give the value of a board (KED-111)."""
    return sum(CARDS[place.card].value for place in state.board[seat])
