"""Many voyages of one calm table, turn by turn side by side, as arrays.

A table is calm if it plays the standard game without rocks, monsters, storms and wilds. All voyages
have the same seat to move. Arrays are indexed by seat, then by voyage. Cards are small numbers: an
island is its number, 0 is no card.
"""

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from games.tranquility.components import (
    EXTRA_DRAWS,
    HAND_LIMIT,
    IS_FINISH,
    LAYOUTS,
    NUMBER,
    START_PRICE,
    TOP_NUMBER,
)

Ints = NDArray[np.integer]
Flags = NDArray[np.bool_]

CELLS = len(LAYOUTS["standard"].cells)
EDGE = TOP_NUMBER + 1
"""Stands above all numbers, as 0 stands below them."""
SPAN = EDGE + 1
"""Numbers of islands, and both edges."""
FINISH, START = SPAN, SPAN + 1
CLOSED = -1
"""A place of a hand into which no card is drawn."""
NOWHERE = -2
"""Where a number lies that is not on the sea. The lower edge lies before the first cell."""


def card_number(card: str) -> int:
    """Return the small number that stands for an island, a Finish or a Start."""
    return NUMBER.get(card) or (FINISH if card in IS_FINISH else START)


class Voyages:
    """The tables of many voyages. `which` tells what number each had at first."""

    def __init__(self, piles: Sequence[Ints], hands: Ints, active: int, removed: int) -> None:
        """Take the piles of each seat (voyage, place), and the hands (seat, voyage, place)."""
        self.seats, count, _ = hands.shape
        self.active = active
        self.removed = removed
        self.hands = hands
        self.held = (hands > 0).sum(2)
        self.piles: list[Ints] = [*piles]
        self.drawn = np.zeros((self.seats, count), np.int64)
        """Number of cards drawn from each pile."""
        self.open = np.ones((self.seats, count, SPAN), np.bool_)
        """Whether a number may still come, as far as each seat knows."""
        self.alive = np.ones((count, SPAN), np.bool_)
        """Whether a number is still in a hand or a pile."""
        self.lower = np.zeros((count, SPAN), np.int16)
        """For each number the next lower one on the sea; for a number on the sea itself."""
        self.upper = np.full((count, SPAN), EDGE, np.int16)
        self.cell = np.full((count, SPAN), NOWHERE, np.int16)
        """Chain index at which each number lies."""
        self.cell[:, 0], self.cell[:, EDGE] = -1, CELLS
        for known in (self.open, self.alive):
            known[..., 0] = known[..., EDGE] = False
        self.free = np.full(count, CELLS)
        self.started = np.zeros(count, np.bool_)
        self.discards = np.zeros((self.seats, count), np.int64)
        """Number of discards of each seat."""
        self.finishes = np.zeros((self.seats, count), np.int64)
        """Number of Finishes among them."""
        self.which: Ints = np.arange(count)

    def __len__(self) -> int:
        """Return the number of voyages."""
        return len(self.which)

    def take(self, some: Ints) -> None:
        """Keep only some voyages, by index; an index given twice makes a copy."""
        for name in ("hands", "held", "open", "drawn", "discards", "finishes"):
            setattr(self, name, getattr(self, name).take(some, 1))
        for name in ("alive", "cell", "lower", "upper", "free", "started", "which"):
            setattr(self, name, getattr(self, name).take(some, 0))
        self.piles = [pile.take(some, 0) for pile in self.piles]

    def left(self, seat: int) -> Ints:
        """Return the number of cards in a seat's piles."""
        return self.piles[seat].shape[1] - self.drawn[seat]

    def clockwise(self) -> Iterator[int]:
        """Yield the seats from the active one on."""
        return ((self.active + turns) % self.seats for turns in range(self.seats))

    def lay(self, at: Ints, numbers: Ints, cells: Ints) -> None:
        """Lay an island in each voyage of `at`."""
        base = at * SPAN
        lower, upper = self.lower.ravel(), self.upper.ravel()
        below, above = lower.take(base + numbers), upper.take(base + numbers)
        spread(lower, base + numbers, above - numbers, numbers)
        spread(upper, base + below + 1, numbers - below, numbers)
        self.cell[at, numbers] = cells
        self.alive[at, numbers] = False
        self.open[:, at, numbers] = False
        self.free[at] -= 1

    def discard(self, seat: int, at: Ints, cards: Ints) -> None:
        """Add cards to a seat's discards, each in its voyage of `at`; the hand keeps its gaps."""
        islands = cards <= TOP_NUMBER
        where = at[islands], cards[islands]
        self.open[seat][where] = False
        self.alive[where] = False
        gone = np.bincount(at, minlength=len(self))
        self.discards[seat] += gone
        self.held[seat] -= gone
        self.finishes[seat] += np.bincount(at[cards == FINISH], minlength=len(self))

    def refill(self, seat: int) -> None:
        """Draw cards into the empty places of a seat's hands (TRA-14)."""
        self.hands[seat] = self._drawn(seat, np.arange(len(self)), self.hands[seat])

    def _drawn(self, seat: int, at: Ints, hands: Ints) -> Ints:
        """Return hands of the voyages in `at` with their empty places filled from the piles."""
        pile, drawn = self.piles[seat], self.drawn[seat][at]
        empty = hands == 0
        place = np.cumsum(empty, 1) - 1 + drawn[:, None]
        row, column = np.nonzero(empty & (place < pile.shape[1]))
        hands[row, column] = pile[at[row], place[row, column]]
        came = np.bincount(row, minlength=len(at))
        self.drawn[seat][at] = drawn + came
        self.held[seat][at] += came
        return hands

    def lay_start(self, at: Ints) -> Ints:
        """Lay the Start of the active seat in the voyages of `at`, and draw the extra cards.

        Returns the hands of all seats there: (seat, voyage, place) (TRA-23, TRA-24, TRA-66).
        """
        seat, extra = self.active, EXTRA_DRAWS.get(self.seats, 0)
        self.started[at] = True
        self.held[seat][at] -= 1
        hands = np.zeros((self.seats, len(at), HAND_LIMIT + extra), np.int64)
        kept = hands[..., :HAND_LIMIT]
        kept[...] = self.hands.take(at, 1)
        kept[seat][kept[seat] == START] = 0
        kept[kept == 0] = CLOSED
        for each in range(self.seats):
            hands[each] = self._drawn(each, at, hands[each])
        kept[kept == CLOSED] = 0
        return hands

    def shares(self, at: Ints, hands: Ints) -> Ints:
        """Return what each seat gives for the Start so that all keep equally many cards.

        By (seat, voyage). Fewer than eight in all where the hands hold no more.
        """
        order = np.array([*self.clockwise()])
        able = (hands > 0).sum(2)[order]
        left = able + np.array([self.left(seat)[at] for seat in order])
        given = np.zeros_like(able)
        rows = np.arange(len(at))
        for _ in range(START_PRICE):
            most = np.where(given < able, left - given, -1)
            giver = most.argmax(0)
            given[giver, rows] += most[giver, rows] > 0
        shares = np.zeros_like(given)
        shares[order] = given
        return shares

    def settle(self, seat: int, at: Ints, hands: Ints) -> None:
        """Draw up to the limit from what wide hands hold after the Start was paid (TRA-27)."""
        order = np.argsort(hands == 0, axis=1, kind="stable")[:, :HAND_LIMIT]
        self.hands[seat][at] = self._drawn(seat, at, np.take_along_axis(hands, order, 1))

    def drop_hopeless(self) -> None:
        """Drop voyages with a gap for which too few numbers are left."""
        alive = sums(self.alive, np.int16)
        laid = np.flatnonzero(self.cell != NOWHERE)
        row = laid // SPAN
        cells = np.diff(self.cell.ravel().take(laid)) - 1
        coming = alive.take(laid[1:] + row[1:]) - alive.take(laid[:-1] + row[:-1] + 1)
        lost = row[1:][(coming < cells) & (np.diff(row) == 0)]
        if len(lost):
            hope = np.ones(len(self), np.bool_)
            hope[lost] = False
            self.take(np.flatnonzero(hope))


def sums(values: NDArray[np.generic], kind: type[np.signedinteger]) -> Ints:
    """Return the sums of each row's first 0, 1, 2 … values, one row after another."""
    rows, width = values.shape
    totals = np.zeros((rows, width + 1), kind)
    np.cumsum(values, axis=1, out=totals[:, 1:])
    return totals.ravel()


def spread(target: Ints, first: Ints, count: Ints, values: Ints) -> None:
    """Set `count` entries from each index of `first` on to a value."""
    ends = np.cumsum(count)
    target[np.arange(count.sum()) + np.repeat(first - ends + count, count)] = np.repeat(
        values, count
    )


def ranks(keys: NDArray[np.generic]) -> Ints:
    """Return the place of each key in the ascending order of its row; equal ones keep theirs."""
    return keys.argsort(1, kind="stable").argsort(1)
