"""How good a table looks to one seat: whether its gaps can still be filled, and at what cost."""

from collections.abc import Iterable, Sequence

import msgspec

from games.tranquility.cards import (
    COMPONENTS,
    COST_MAX,
    IS_FINISH,
    IS_MONSTER,
    IS_WILD,
    NUMBER,
    TOP_NUMBER,
)
from games.tranquility.memory import Memory
from games.tranquility.model import View

EDGE = TOP_NUMBER + 1
SPACING_MAX = 4.0


class Weights(msgspec.Struct, frozen=True):
    """What the outlook is made of, in cards."""

    risk: float = 1.0
    """Of a gap with as many numbers as free cells, per cell."""
    steep: float = 1.36
    """How fast the risk falls with more numbers."""
    single: float = 0.88
    """Factor on the risk of a single free cell between two cards."""
    double: float = 1.0
    """Factor on the risk of two free cells between two cards."""
    fare: float = 0.6
    """Cards to pay at least, per cell that cannot be filled for free."""
    spread: float = 0.34
    """More cards to pay per such cell and unit of distance between the numbers around."""
    card: float = 0.78
    """Of one card less for the crew."""
    finish: float = 4.0
    """Of the last Finish in hand."""
    spare_finish: float = 0.59
    """Of each other Finish in hand."""
    wild: float = 3.0
    monster: float = 2.0
    """Of being rid of a monster."""
    side: float = 2.5
    """Of a card that faces the right way (`day_night`)."""
    compass: float = 3.0
    unseen: float = 0.45
    """How much a number counts that may be anywhere, against one in the own hand."""


class Gap(msgspec.Struct, frozen=True, gc=False):
    """Free cells between two laid numbers."""

    low: int
    high: int
    first: int
    """Chain index of the first free cell."""
    cells: int


class Outlook:
    """The gaps of a sea, and which numbers may still come."""

    __slots__ = ("_sums", "gaps", "length", "odds", "weights")

    def __init__(self, grid: Sequence[int], odds: Sequence[float], weights: Weights) -> None:
        """Take the numbers on the sea (0 = free) and the chance of each number to come."""
        self.weights = weights
        self.length = len(grid)
        self.odds = odds
        self._sums = [0.0]
        for chance in odds:
            self._sums.append(self._sums[-1] + chance)
        self.gaps = find_gaps(grid)

    def value(self) -> float:
        """Weigh the whole sea; 0 is a full one."""
        return sum(self.worth(gap) for gap in self.gaps)

    def gap_of(self, number: int) -> Gap | None:
        """Find the gap that takes a number."""
        for gap in self.gaps:
            if gap.low < number < gap.high:
                return gap
        return None

    def worth(self, gap: Gap, without: float = 0.0) -> float:
        """Weigh a gap, when `without` of its numbers are spent on something else."""
        below, above = gap.first > 0, gap.first + gap.cells < self.length
        if below and above:
            usable = self._usable(gap.low, gap.high, gap.cells)
        else:
            usable = self._between(gap.low, gap.high)
        return worth_of(self.weights, gap.high - gap.low, gap.cells, below, above, usable - without)

    def laid(self, gap: Gap, index: int, number: int) -> float:
        """Weigh what a gap becomes when a number is laid into it."""
        left, right = split(gap, index, number)
        worth = self.worth(left) if left.cells else 0.0
        return worth + (self.worth(right) if right.cells else 0.0)

    def loss(self, number: int, gaps: Iterable[Gap]) -> float:
        """Weigh what is lost with a number of the own hand, in a sea with these gaps."""
        for gap in gaps:
            if gap.low < number < gap.high:
                return self.worth(gap) - self.worth(gap, 1.0) if gap.cells else 0.0
        return 0.0

    def _between(self, low: int, high: int) -> float:
        return self._sums[high] - self._sums[low + 1]

    def _usable(self, low: int, high: int, cells: int) -> float:
        """Count the numbers that come near enough to a card of a short gap."""
        reach = COST_MAX * cells
        if cells > 2 or high - low - 1 <= 2 * reach:
            return self._between(low, high)
        return self._between(low, low + reach + 1) + self._between(high - reach - 1, high)


def worth_of(
    weights: Weights, span: int, cells: int, below: bool, above: bool, usable: float
) -> float:
    """Weigh free cells between numbers `span` apart, with cards laid below and above or not."""
    factor = 1.0
    if below and above:
        free = (cells - 1) // 2
        factor = weights.single if cells == 1 else weights.double if cells == 2 else 1.0
    else:
        free = cells // 2 if below or above else (cells + 1) // 2
    spacing = min(span / (cells + 1), SPACING_MAX)
    paid = (cells - free) * (weights.fare + weights.spread * max(0.0, spacing - 1.0))
    crowd = cells / max(usable, 0.2)
    return -weights.card * (cells + paid) - weights.risk * factor * cells * crowd**weights.steep


def split(gap: Gap, index: int, number: int) -> tuple[Gap, Gap]:
    """Give the two sides of a laid number; either may have no cells."""
    left = Gap(gap.low, number, gap.first, index - gap.first)
    right = Gap(number, gap.high, index + 1, gap.first + gap.cells - index - 1)
    return left, right


def find_gaps(grid: Sequence[int]) -> list[Gap]:
    """Find the runs of free cells."""
    gaps: list[Gap] = []
    low, first = 0, 0
    for index, number in enumerate((*grid, EDGE)):
        if number:
            if index > first:
                gaps.append(Gap(low, number, first, index - first))
            low, first = number, index + 1
    return gaps


def odds_of_numbers(view: View, memory: Memory, unseen: float) -> list[float]:
    """Give each number's chance to be laid still: 1 in the own hand, 0 when it is gone; index 0 is unused."""
    odds = [0.0] + [_share_alive(view, memory) * unseen] * TOP_NUMBER
    for card in _gone(view, memory):
        if card in NUMBER:
            odds[NUMBER[card]] = 0.0
    for laid in view.grid:
        if laid is not None:
            odds[laid.number] = 0.0
    for card in (*view.row, *(view.hands[memory.viewer] if memory.viewer is not None else ())):
        if card in NUMBER:
            odds[NUMBER[card]] = 1.0
    return odds


def _gone(view: View, memory: Memory) -> Iterable[str]:
    yield from view.out
    if memory.viewer is not None:
        yield from memory.discards[memory.viewer]


def _share_alive(view: View, memory: Memory) -> float:
    """Give the part of the unseen cards that lies in hands, piles or the deck."""
    alive = sum(map(len, view.piles)) + len(view.deck)
    gone = COMPONENTS.removed[view.options.difficulty]
    for seat, hand in enumerate(view.hands):
        if seat != memory.viewer:
            alive += len(hand)
            gone += len(view.discards[seat])
    return alive / (alive + gone) if alive else 0.0


def keep_value(card: str, hand: Sequence[str], weights: Weights) -> float:
    """Weigh a card of the hand that is no island."""
    if card in IS_FINISH:
        first = next(other for other in hand if other in IS_FINISH)
        return weights.finish if card == first else weights.spare_finish
    if card in IS_WILD:
        return weights.wild
    return 1000.0 if card in IS_MONSTER else 0.0
