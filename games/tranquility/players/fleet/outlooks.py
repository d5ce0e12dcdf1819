"""What the free cells of many seas are worth, as `players.outlook` says of one.

Chances are whole numbers of 1/256, so that the same question has the same answer on any machine.
"""

from functools import cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from games.tranquility.components import COST_MAX, FINISHES, TOP_NUMBER
from games.tranquility.players.fleet.voyages import (
    CELLS,
    EDGE,
    FINISH,
    SPAN,
    Flags,
    Ints,
    Voyages,
    sums,
)
from games.tranquility.players.outlook import SHORT, worth_of
from games.tranquility.players.weights import Weights

Floats = NDArray[np.float32]

SURE = 256
"""The chance of a card in the own hand."""
LEAST = 51
"""Fewest usable numbers of a gap, in chances: a fifth of one."""
ABSENT = np.float32(1e6)
"""Price of a card that is not there."""
CHOICES = 4
"""Cells of a gap in which a card is tried."""
KINDS = 4
"""Of gaps: nothing laid beside it, a card below, a card above, both."""


class Tables(NamedTuple):
    """Worths that depend on small whole numbers only."""

    still: Floats
    """Of a gap without its risk, by kind, cells and span between the numbers around it."""
    risk: Floats
    """Of a gap with one usable number, by kind and cells."""
    ease: Floats
    """Factor on the risk, by chances of usable numbers."""
    step: Floats
    """Expected price of one step away from a single cell, by chances of nearer numbers."""
    finish: Floats
    """Of the last Finish in hand, by chances of others to come."""


@cache
def tables(weights: Weights) -> Tables:
    """Work out the tables of some weights."""
    safe = weights._replace(risk=0.0)
    still = np.zeros((KINDS, CELLS + 1, SPAN), np.float32)
    risk = np.zeros((KINDS, CELLS + 1), np.float32)
    for kind in range(KINDS):
        below, above = bool(kind & 1), bool(kind & 2)
        for cells in range(1, CELLS + 1):
            price = 0.0 if below and above and cells == 1 else None
            for span in range(SPAN):
                still[kind, cells, span] = worth_of(safe, span, cells, below, above, 1, price)
            sure, risky = (
                worth_of(each, 0, cells, below, above, 1, price) for each in (safe, weights)
            )
            risk[kind, cells] = sure - risky
    chances = np.arange(EDGE * SURE) / SURE
    ease = np.maximum(chances, LEAST / SURE) ** -weights.steep
    step = weights.card * weights.least * np.exp(-weights.trust * chances)
    finish = weights.finish * np.exp(-weights.relief * chances)
    return Tables(
        still.ravel(),
        risk.ravel(),
        *(each.astype(np.float32) for each in (ease, step, finish)),
    )


class Without(NamedTuple):
    """Numbers of the own hand that are spent elsewhere."""

    number: Ints
    """One of them in each gap."""
    times: Ints
    """How many of each gap."""

    def of(self, some: Ints) -> "Without":
        """Return those of some gaps."""
        return Without(self.number[some], self.times[some])


class Outlooks:
    """What a seat thinks of the cards of its hands in some voyages.

    Flat arrays have an entry for each card that fits into a gap: `row` and `column` tell where it
    is in the hands.
    """

    def __init__(
        self, voyages: Voyages, seat: int, at: Ints, hands: Ints, weights: Weights
    ) -> None:
        """Take the hands (row, place) of a seat in the voyages of `at`."""
        self.weights = weights
        self.tables = tables(weights)
        self.hands = hands
        self.row, self.column = np.nonzero((hands > 0) & (hands <= TOP_NUMBER))
        numbers = hands[self.row, self.column]
        self._chances(voyages, seat, at, numbers)
        base = at[self.row] * SPAN
        self.low = voyages.lower.ravel().take(base + numbers).astype(np.int64)
        self.high = voyages.upper.ravel().take(base + numbers).astype(np.int64)
        self.first = voyages.cell.ravel().take(base + self.low).astype(np.int64) + 1
        self.end = voyages.cell.ravel().take(base + self.high).astype(np.int64)
        self.numbers = numbers
        fits = np.flatnonzero(self.end > self.first)
        for name in ("row", "column", "low", "high", "first", "end", "numbers"):
            setattr(self, name, getattr(self, name).take(fits))
        self.cells = self.end - self.first
        self.base = self.row * (SPAN + 1)
        self.worth = self.gaps(self.base, self.low, self.high, self.first, self.cells)

    def _chances(self, voyages: Voyages, seat: int, at: Ints, numbers: Ints) -> None:
        held = voyages.held.sum(0) - voyages.held[seat]
        piles = sum(voyages.left(each) for each in range(voyages.seats))
        lost = voyages.removed + voyages.discards.sum(0) - voyages.discards[seat]
        coming = np.rint(
            SURE * self.weights.unseen * (held + piles) / np.maximum(1, held + piles + lost)
        )
        chances = np.where(voyages.open[seat].take(at, 0), coming.astype(np.int32)[at, None], 0)
        chances[self.row, numbers] = SURE
        self.sums = sums(chances, np.int32)
        """Sums of chances of the numbers below each number: `SPAN + 1` for each row."""
        finishes = len(FINISHES) - voyages.finishes[seat] - (voyages.hands[seat] == FINISH).sum(1)
        self.finishes = (SURE * finishes * piles // np.maximum(1, piles + held + lost))[at]
        """Chances of Finishes in the piles, by row."""

    def between(self, base: Ints, low: Ints, high: Ints) -> Ints:
        """Return the chances of the numbers between two others."""
        return self.sums.take(base + high) - self.sums.take(base + low + 1)

    def gaps(
        self,
        base: Ints,
        low: Ints,
        high: Ints,
        first: Ints,
        cells: Ints,
        without: Without | None = None,
    ) -> Floats:
        """Return the worth of gaps, or what they are worth if numbers are spent elsewhere."""
        kind = (first > 0) + 2 * (first + cells < CELLS)
        both = kind == KINDS - 1
        usable = self.between(base, low, high)
        if without is not None:
            usable -= SURE * without.times
        reach = COST_MAX * cells
        far = np.flatnonzero(both & (cells <= SHORT) & (high - low - 1 > 2 * reach))
        if len(far):
            lowest, highest = (low + reach)[far], (high - reach)[far]
            usable[far] -= self.between(base[far], lowest, highest)
            if without is not None:
                number = without.number[far]
                usable[far] += SURE * ((number > lowest) & (number < highest))
        at = kind * (CELLS + 1) + cells
        worth = self.tables.still.take(at * SPAN + high - low)
        worth -= self.tables.risk.take(at) * self.tables.ease.take(np.maximum(usable, 0))
        single = np.flatnonzero(both & (cells == 1))
        if len(single):
            spent = None if without is None else without.of(single)
            worth[single] -= self._steps(base[single], low[single], high[single], spent)
        return worth

    def _steps(self, base: Ints, low: Ints, high: Ints, without: Without | None) -> Floats:
        """Estimate the least price of single cells: each number that may come makes it lower."""
        price = np.full(len(base), self.tables.step[0])
        for distance in range(1, COST_MAX):
            lower = np.minimum(low + distance + 1, high)
            upper = np.maximum(high - distance, lower)
            coming = self.between(base, low, lower) + self.between(base, upper - 1, high)
            if without is not None:
                near = (without.number < lower) | (without.number >= upper)
                coming -= SURE * (without.times - 1 + near)
            price += self.tables.step.take(np.maximum(coming, 0))
        return price

    def losses(self) -> Floats:
        """Return what each card is worth to the sea, by row and place of the hands.

        Of several cards that fit into one gap, the one worth least is spent first, and each is
        worth what its gap loses after those before it are spent.
        """
        losses = np.where(self.hands == 0, ABSENT, np.float32(0))
        once = np.ones_like(self.numbers)
        alone = self.worth - self._without(np.arange(len(once)), once)
        losses[self.row, self.column] = alone
        earlier = self._earlier(losses)
        again = np.flatnonzero(earlier)
        if len(again):
            count = earlier[again]
            after = self._without(again, count) - self._without(again, count + 1)
            losses[self.row[again], self.column[again]] = after
        self._finishes(losses)
        return losses

    def _finishes(self, losses: Floats) -> None:
        """Add what Finishes are worth: the first of a hand much if no others may come."""
        row, column = np.nonzero(self.hands == FINISH)
        losses[row, column] = np.float32(self.weights.spare_finish)
        row, first = np.unique(row, return_index=True)
        losses[row, column[first]] = self.tables.finish[self.finishes[row]]

    def _without(self, some: Ints, count: Ints) -> Floats:
        """Return the worth of the gaps of some cards without these, of `count` numbers in all."""
        return self.gaps(
            self.base[some],
            self.low[some],
            self.high[some],
            self.first[some],
            self.cells[some],
            Without(self.numbers[some], count),
        )

    def _earlier(self, losses: Floats) -> Ints:
        """Return how many cards that fit into the same gap are worth less, for each that fits."""
        gap = np.full_like(self.hands, -1)
        gap[self.row, self.column] = self.low
        own: Ints = gap[self.row]
        loss: Floats = losses[self.row]
        mine: Floats = losses[self.row, self.column][:, None]
        place: Ints = np.arange(len(self.hands.T))
        before = (loss < mine) | ((loss == mine) & (place < self.column[:, None]))
        earlier: Flags = (own == self.low[:, None]) & before & (loss > 0)
        return earlier.sum(axis=1)


class Layings(NamedTuple):
    """Where the cards that fit may be laid: flat arrays with an entry for each laying."""

    card: Ints
    """Index of the card among those that fit."""
    choice: Ints
    """Which of the cells that are tried, from 0 to `CHOICES` - 1."""
    offset: Ints
    """Number of free cells of the gap below the laid card."""
    cost: Ints
    gain: Floats
    """Change in the worth of the sea, before any card is paid."""


def layings(looks: Outlooks, most: Ints) -> Layings:
    """List layings that cost no more than each row can pay.

    Of each gap both ends are tried, and the two cells nearest to where the number belongs if the
    others come evenly.
    """
    last = looks.cells - 1
    left = looks.between(looks.base, looks.low, looks.numbers)
    right = looks.between(looks.base, looks.numbers, looks.high)
    even = left * last // np.maximum(left + right, LEAST)
    offsets = np.stack([np.zeros_like(last), last, even, even + 1], 1)
    beside_low = (offsets == 0) & (looks.first > 0)[:, None]
    beside_high = (offsets == last[:, None]) & (looks.end < CELLS)[:, None]
    cost = np.minimum(
        np.where(beside_low, (looks.numbers - looks.low)[:, None], EDGE),
        np.where(beside_high, (looks.high - looks.numbers)[:, None], EDGE),
    )
    cost = np.where(beside_low | beside_high, cost, 0)
    possible: Flags = cost <= np.minimum(most[looks.row], COST_MAX)[:, None]
    possible[:, 1] &= last > 0
    possible[:, 2:] &= (offsets[:, 2:] > 0) & (offsets[:, 2:] < last[:, None])
    card, choice = np.nonzero(possible)
    offset = offsets[card, choice]
    base, number, first = looks.base[card], looks.numbers[card], looks.first[card]
    below = looks.gaps(base, looks.low[card], number, first, offset)
    after = last[card] - offset
    above = looks.gaps(base, number, looks.high[card], first + offset + 1, after)
    return Layings(card, choice, offset, cost[card, choice], below + above - looks.worth[card])
