"""The estimated value of a sea to one seat: whether gaps can be filled, and at what cost."""

from collections.abc import Iterable, Sequence
from itertools import accumulate
from math import exp

import msgspec

from games.game import HIDDEN
from games.tranquility.components import (
    BOX,
    COST_MAX,
    FINISHES,
    IS_FINISH,
    IS_MONSTER,
    IS_WILD,
    NUMBER,
    TOP_NUMBER,
)
from games.tranquility.model import View
from games.tranquility.players.weights import Weights

EDGE = TOP_NUMBER + 1
SPACING_MAX = 4.0
SHORT = 2
"""Most cells of a gap in which a number may be too far from both sides to be paid."""


class Prospects(msgspec.Struct, frozen=True):
    """The cards that may still come."""

    numbers: Sequence[float]
    """Chance of each number to be laid: 1 in the own hand, 0 if gone. Index 0 is unused."""
    finishes: float
    """Expected number of Finishes in the piles."""
    share: float = 0.0
    """Chance that a card which the seat cannot see is still in a hand or a pile."""
    unseen_finishes: int = 0
    """Number of Finishes that the seat neither holds nor discarded."""


class Gap(msgspec.Struct, frozen=True, gc=False):
    """Free cells between two laid numbers."""

    low: int
    high: int
    first: int
    """Chain index of the first free cell."""
    cells: int


class Outlook:
    """The gaps of a sea, and the numbers that may still come."""

    __slots__ = ("_sums", "_worths", "gaps", "length", "odds", "weights")

    def __init__(self, grid: Sequence[int], odds: Sequence[float], weights: Weights) -> None:
        """Prepare from the numbers on the sea (0 = free) and the chance of each number to come."""
        self.weights = weights
        self.length = len(grid)
        self.odds = odds
        self._sums = list(accumulate(odds, initial=0.0))
        self.gaps = find_gaps(grid)
        self._worths: dict[tuple[Gap, tuple[int, ...]], float] = {}
        """Values of gaps: the commands of one decision share most of theirs."""

    def value(self) -> float:
        """Return the value of the sea; 0 if it is full, else negative."""
        return sum(self.worth(gap) for gap in self.gaps)

    def gap_of(self, number: int) -> Gap | None:
        """Find the gap that a number fits into."""
        for gap in self.gaps:
            if gap.low < number < gap.high:
                return gap
        return None

    def worth(self, gap: Gap, without: tuple[int, ...] = ()) -> float:
        """Return the value of a gap, if numbers that fit into it are spent elsewhere."""
        asked = (gap, without)
        if (worth := self._worths.get(asked)) is None:
            worth = self._worths[asked] = self._worth(gap, without)
        return worth

    def _worth(self, gap: Gap, without: tuple[int, ...]) -> float:
        low, high, cells = gap.low, gap.high, gap.cells
        below, above = gap.first > 0, gap.first + cells < self.length
        usable = self._between(low, high)
        price = self.price(gap, without)
        if below and above:
            reach = COST_MAX * cells
            if cells <= SHORT and high - low - 1 > 2 * reach:
                usable -= self._between(low + reach, high - reach)
                without = tuple(each for each in without if not low + reach < each < high - reach)
        usable -= sum(self.odds[each] for each in without)
        return worth_of(self.weights, high - low, cells, below, above, usable, price)

    def price(self, gap: Gap, without: Sequence[int] = ()) -> float:
        """Return the expected cost of filling a gap, if some numbers are spent elsewhere."""
        below, above = gap.first > 0, gap.first + gap.cells < self.length
        if below and above and gap.cells == 1:
            return self.weights.least * self._least(gap.low, gap.high, without)
        return price_of(self.weights, gap.high - gap.low, gap.cells, below, above)

    def laid(self, sides: tuple[Gap, Gap]) -> float:
        """Return the value of both sides of a gap after a number is laid into it."""
        left, right = sides
        worth = self.worth(left) if left.cells else 0.0
        return worth + (self.worth(right) if right.cells else 0.0)

    def loss(self, numbers: Sequence[int], gaps: Iterable[Gap]) -> float:
        """Return the loss from spending numbers of the own hand, in a sea with these gaps.

        Two numbers that fit into one gap cost more together than each alone.
        """
        loss = 0.0
        for gap in gaps:
            spent = tuple(number for number in numbers if gap.low < number < gap.high)
            if spent and gap.cells:
                loss += self.worth(gap) - self.worth(gap, spent)
        return loss

    def _between(self, low: int, high: int) -> float:
        return self._sums[high] - self._sums[low + 1]

    def _least(self, low: int, high: int, without: Sequence[int]) -> float:
        """Estimate the least price of a single cell: each number that may come makes it lower."""
        price, coming = 1.0, 0.0
        for distance in range(1, COST_MAX):
            lower, upper = low + distance, high - distance
            if lower <= upper:
                coming += self.odds[lower] + (self.odds[upper] if lower < upper else 0.0)
                coming -= sum(self.odds[each] for each in without if each in (lower, upper))
            price += exp(-self.weights.trust * coming)
        return price


def worth_of(
    weights: Weights,
    span: int,
    cells: int,
    below: bool,
    above: bool,
    usable: float,
    price: float | None = None,
) -> float:
    """Return the value of free cells between numbers `span` apart.

    `below` and `above`: whether cards are laid there. `usable`: number of islands that may fill the
    cells. `price`: expected cost of filling them, estimated if None.
    """
    factor = 1.0
    if below and above:
        factor = weights.single if cells == 1 else weights.double if cells == 2 else 1.0
    if price is None:
        price = price_of(weights, span, cells, below, above)
    crowd = cells / max(usable, 0.2)
    return -weights.card * (cells + price) - weights.risk * factor * cells * crowd**weights.steep


def price_of(weights: Weights, span: int, cells: int, below: bool, above: bool) -> float:
    """Estimate the cost of filling free cells between numbers `span` apart."""
    free = (cells + 1 - below - above) // 2
    spacing = min(span / (cells + 1), SPACING_MAX)
    return (cells - free) * (weights.fare + weights.spread * max(0.0, spacing - 1.0))


def split(gap: Gap, index: int, number: int) -> tuple[Gap, Gap]:
    """Return the two gaps beside a number laid into a gap; either may have no cells."""
    left = Gap(gap.low, number, gap.first, index - gap.first)
    right = Gap(number, gap.high, index + 1, gap.first + gap.cells - index - 1)
    return left, right


def find_gaps(grid: Sequence[int]) -> list[Gap]:
    """Find all gaps, in chain order."""
    gaps: list[Gap] = []
    low, first = 0, 0
    for index, number in enumerate((*grid, EDGE)):
        if number:
            if index > first:
                gaps.append(Gap(low, number, first, index - first))
            low, first = number, index + 1
    return gaps


def prospects_of(view: View, seat: int, discarded: Sequence[str], unseen: float) -> Prospects:
    """Estimate the cards that may still come to a seat that knows its own discards.

    `?` among them is a discard that the seat never saw.
    """
    gone = [card for card in (*view.out, *discarded) if card != HIDDEN]
    piles = sum(map(len, view.piles))
    held = sum(map(len, view.hands)) - len(view.hands[seat])
    lost = (
        BOX.removed[view.options.difficulty]
        + sum(map(len, view.discards))
        - sum(card != HIDDEN for card in discarded)
    )
    alive = held + piles + len(view.deck)
    share = alive / (alive + lost) if alive else 0.0
    drawn = len(view.explore) or piles
    finishes = len(FINISHES) - sum(card in IS_FINISH for card in (*gone, *view.hands[seat]))
    return Prospects(
        numbers=_odds(view, seat, gone, share * unseen),
        finishes=finishes * drawn / (drawn + held + lost) if drawn else 0.0,
        share=share,
        unseen_finishes=finishes,
    )


def _odds(view: View, seat: int, gone: Iterable[str], unseen: float) -> list[float]:
    odds = [0.0] + [unseen] * TOP_NUMBER
    for card in gone:
        if card in NUMBER:
            odds[NUMBER[card]] = 0.0
    for laid in view.grid:
        if laid is not None:
            odds[laid.number] = 0.0
    for card in (*view.row, *view.hands[seat]):
        if card in NUMBER:
            odds[NUMBER[card]] = 1.0
    return odds


def keep_value(card: str, hand: Sequence[str], prospects: Prospects, weights: Weights) -> float:
    """Return the value of a card of the hand that is not an island."""
    if card in IS_FINISH:
        first = next(other for other in hand if other in IS_FINISH)
        last = weights.finish * exp(-weights.relief * prospects.finishes)
        return last if card == first else weights.spare_finish
    if card in IS_WILD:
        return weights.wild
    return 1000.0 if card in IS_MONSTER else 0.0
