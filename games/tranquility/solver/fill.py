"""The least cost of filling a gap when all its numbers are known.

A cell laid for nothing has no laid neighbour yet. The cells between two such cells, or between one
and an occupied end of the gap, are paid: together they pay every difference there except the
largest, which the last of them saves. At an end of the chain no difference is saved. So a sweep
over the cells keeps, for each number, the least cost in three cases (see `Column`).
"""

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from games.tranquility.components import COST_MAX, TOP_NUMBER
from games.tranquility.rules.sea import Gap

NEVER = 1 << 20
"""Cost of the impossible."""
EDGE = TOP_NUMBER + 1
CACHE = 1 << 14


class Column(NamedTuple):
    """Least costs up to one cell, by the number on the cell."""

    free: list[int]
    """The cell is laid for nothing, or is an occupied end of the gap."""
    owing: list[int]
    """The cell is paid, and the difference to save is still to come."""
    spared: list[int]
    """The cell is paid, and no difference is left to save."""


class Filling(NamedTuple):
    """The costs of filling one gap."""

    least: int
    """Least number of cards to discard; `NEVER` if the gap cannot be filled."""
    by_cell: tuple[dict[int, int], ...]
    """By cell from the first and by number: the least cost with that number on that cell."""
    by_number: dict[int, int]
    """By number: the least cost with that number on any cell."""


def numbers_in(alive: int, low: int, high: int) -> int:
    """Return the numbers of a bit set between two others; bit n stands for n."""
    return alive & ((1 << high) - (1 << (low + 1)))


def least_cost(gap: Gap, cells: int, alive: int) -> int:
    """Return the fewest cards to discard for filling a gap with the numbers of a bit set."""
    low, high, first, end = gap
    return _least(low, high, end - first, first > 0, end < cells, numbers_in(alive, low, high))


def filling(gap: Gap, cells: int, alive: int) -> Filling:
    """Return the least costs of a gap, by every number on every cell."""
    low, high, first, end = gap
    return _filling(low, high, end - first, first > 0, end < cells, numbers_in(alive, low, high))


@lru_cache(CACHE)
def _least(low: int, high: int, cells: int, below: bool, above: bool, alive: int) -> int:
    if alive.bit_count() < cells:
        return NEVER
    numbers = _bits(alive)
    columns = _sweep(numbers, cells, low if below else None)
    return min(_closed(columns[-1], numbers, high if above else None), default=NEVER)


@lru_cache(CACHE)
def _filling(low: int, high: int, cells: int, below: bool, above: bool, alive: int) -> Filling:
    numbers = _bits(alive)
    mirrored = [EDGE - number for number in reversed(numbers)]
    upward = _sweep(numbers, cells, low if below else None)
    downward = _sweep(mirrored, cells, EDGE - high if above else None)
    by_cell: list[dict[int, int]] = []
    by_number: dict[int, int] = {}
    for cell, column in enumerate(upward):
        costs: dict[int, int] = {}
        for number, through in zip(numbers, _through(column, downward[-1 - cell]), strict=True):
            if through < NEVER:
                costs[number] = through
                by_number[number] = min(through, by_number.get(number, NEVER))
        by_cell.append(costs)
    return Filling(min(by_number.values(), default=NEVER), tuple(by_cell), by_number)


def _bits(alive: int) -> list[int]:
    return [number for number in range(1, EDGE) if alive >> number & 1]


def _sweep(numbers: Sequence[int], cells: int, low: int | None) -> list[Column]:
    """Return the least costs of filling from below, cell by cell, beside `low` if it is laid."""
    never = [NEVER] * len(numbers)
    if low is None:
        zero = [0] * len(numbers)
        columns = [Column(zero, never, zero)]
    else:
        columns = [_step((low,), Column([0], [NEVER], [NEVER]), numbers)]
    while len(columns) < cells:
        columns.append(_step(numbers, columns[-1], numbers))
    return columns


def _step(before: Sequence[int], column: Column, numbers: Sequence[int]) -> Column:
    """Add a cell: a paid cell pays up to four, and one difference of any size is saved."""
    free: list[int] = []
    owing: list[int] = []
    spared: list[int] = []
    best_free = best_owing = NEVER
    start = at = 0
    for number in numbers:
        while at < len(before) and before[at] < number:
            best_free = min(best_free, column.free[at])
            best_owing = min(best_owing, column.owing[at])
            at += 1
        while start < at and before[start] < number - COST_MAX:
            start += 1
        pay_owing = pay_spared = NEVER
        for index in range(start, at):
            price = number - before[index]
            pay_owing = min(pay_owing, column.free[index] + price, column.owing[index] + price)
            pay_spared = min(pay_spared, column.spared[index] + price)
        free.append(min(best_owing, pay_spared))
        owing.append(pay_owing)
        spared.append(min(best_free, best_owing, pay_spared))
    return Column(free, owing, spared)


def _closed(column: Column, numbers: Sequence[int], high: int | None) -> list[int]:
    """Return the costs including the upper end of the gap."""
    if high is None:
        return [*map(min, column.free, column.owing)]
    return _step(numbers, column, (high,)).free


def _through(upward: Column, downward: Column) -> list[int]:
    """Add the costs from both sides, so that exactly one difference is saved."""
    down = Column(downward.free[::-1], downward.owing[::-1], downward.spared[::-1])
    return [
        min(free + free_down, owing + spared_down, spared + owing_down)
        for free, owing, spared, free_down, owing_down, spared_down in zip(
            *upward, *down, strict=True
        )
    ]
