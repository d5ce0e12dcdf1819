"""Questions about the sea: gaps, costs, blocked rows and free cells (TRA-1 to TRA-5)."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from games.tranquility.components import (
    COST_MAX,
    LAYOUTS,
    ROWS_FULL_WITHOUT_ROCKS,
    TOP_NUMBER,
    Layout,
)
from games.tranquility.model import Laid, State


class Gap(NamedTuple):
    """A run of free cells between two laid cards, or between a card and an end of the chain."""

    low: int
    """Number below; 0 at the start of the chain."""
    high: int
    """Number above; 81 at the end of the chain."""
    first: int
    """Chain index of the first free cell."""
    end: int
    """Chain index after the last free cell."""


def layout(state: State) -> Layout:
    """Return the cells of the variant."""
    return LAYOUTS[state.options.variant]


def gaps(grid: Sequence[Laid | None]) -> list[Gap]:
    """Find all gaps, in chain order."""
    found: list[Gap] = []
    low, first = 0, 0
    for index, laid in enumerate(grid):
        if laid is not None:
            if index > first:
                found.append(Gap(low, laid.number, first, index))
            low, first = laid.number, index + 1
    if len(grid) > first:
        found.append(Gap(low, TOP_NUMBER + 1, first, len(grid)))
    return found


def gap_at(grid: Sequence[Laid | None], index: int) -> Gap:
    """Find the gap that contains a free cell."""
    first, end = index, index + 1
    while first > 0 and grid[first - 1] is None:
        first -= 1
    while end < len(grid) and grid[end] is None:
        end += 1
    before = grid[first - 1] if first else None
    after = grid[end] if end < len(grid) else None
    low = before.number if before is not None else 0
    high = after.number if after is not None else TOP_NUMBER + 1
    return Gap(low, high, first, end)


def cost(gap: Gap, index: int, number: int, cells: int) -> int:
    """Count the cards to discard for laying a number on a cell of a gap (TRA-3 to TRA-5)."""
    below = number - gap.low if index == gap.first and index > 0 else None
    above = gap.high - number if index == gap.end - 1 and gap.end < cells else None
    if below is None:
        return above or 0
    return below if above is None or below < above else above


def blocked_rows(state: State) -> list[int]:
    """List the rows that refuse cards: under rocks (TRA-36) or a purple storm (TRA-52)."""
    rows = [storm.row for storm in state.storms if storm.row >= 0]
    if state.rocks_row >= 0:
        rows.append(state.rocks_row)
    return rows


def locked(state: State, index: int) -> bool:
    """Return whether a cell belongs to the lintel and the pillars are not full yet (TRA-67)."""
    bottom = layout(state).locked_from
    return index >= bottom and any(laid is None for laid in state.grid[:bottom])


def must_touch(state: State, seat: int) -> bool:
    """Return whether an orange storm forbids the seat cells without a neighbour (TRA-53)."""
    return any(storm.seat == seat and storm.colour == "orange" for storm in state.storms)


def open_cells(state: State, seat: int) -> Iterator[tuple[Gap, range | list[int]]]:
    """Yield each gap with the cells on which the seat could lay a fitting number at some cost."""
    place = layout(state)
    rows = blocked_rows(state)
    touch = must_touch(state, seat)
    bottom = place.locked_from
    cells = len(state.grid)
    locked_now = bottom < cells and locked(state, bottom)
    for gap in gaps(state.grid):
        if not (rows or touch or locked_now):
            yield gap, range(gap.first, gap.end)
            continue
        yield (
            gap,
            [
                index
                for index in range(gap.first, gap.end)
                if place.row_of[index] not in rows
                and not (locked_now and index >= bottom)
                and (
                    not touch
                    or (index == gap.first and index > 0)
                    or (index == gap.end - 1 and gap.end < cells)
                )
            ],
        )


def cheapest(state: State, seat: int, number: int) -> int | None:
    """Return the least cost at which the seat could lay a number now, even if it cannot pay.

    None if the number can be laid nowhere.
    """
    cells = len(state.grid)
    for gap, indices in open_cells(state, seat):
        if gap.low < number < gap.high:
            costs = [cost(gap, index, number, cells) for index in indices]
            return min((each for each in costs if each <= COST_MAX), default=None)
    return None


def dead(state: State, number: int) -> bool:
    """Return whether a number fits into no gap, whatever the cost and the blocked rows."""
    return not any(gap.low < number < gap.high for gap in gaps(state.grid))


def sea_full(state: State) -> bool:
    """Return whether every cell is filled."""
    return None not in state.grid


def rows_open(state: State) -> list[int]:
    """List the rows with a free cell."""
    grid = state.grid
    return [
        row
        for row, indices in enumerate(layout(state).rows)
        if any(grid[index] is None for index in indices)
    ]


def free_in_row(state: State, row: int) -> int:
    """Count the free cells of a row."""
    return sum(state.grid[index] is None for index in layout(state).rows[row])


def rocks_must_go(state: State) -> bool:
    """Return whether four rows are full (TRA-38)."""
    return len(layout(state).rows) - len(rows_open(state)) >= ROWS_FULL_WITHOUT_ROCKS


def prey(state: State) -> list[int]:
    """List the chain indices that a played monster may strike (TRA-36, TRA-46)."""
    rows = blocked_rows(state)
    row_of = layout(state).row_of
    return [
        index
        for index, laid in enumerate(state.grid)
        if laid is not None and row_of[index] not in rows
    ]


def wrong_side(state: State, index: int) -> bool:
    """Return whether a card of `day_night` faces the wrong way: sun below, moon above (TRA-75)."""
    laid = state.grid[index]
    return laid is not None and laid.side != ("sun" if index < len(state.grid) // 2 else "moon")


def loses_by_sides(state: State) -> bool:
    """Return whether a Finish would lose the voyage (TRA-76)."""
    return state.options.variant == "day_night" and any(
        wrong_side(state, index) for index in range(len(state.grid))
    )
