"""What the sea and the hands allow: gaps, costs, blocked rows, discardable cards (TRA-1 to TRA-6, TRA-18)."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from games.tranquility.components import (
    COST_MAX,
    HAND_LIMIT,
    IS_FINISH,
    IS_MONSTER,
    IS_START,
    IS_WILD,
    LAYOUTS,
    ROWS_FULL_WITHOUT_ROCKS,
    TOP_NUMBER,
    YELLOW_LIMIT,
    Layout,
)
from games.tranquility.model import Laid, State, Storm


class Gap(NamedTuple):
    """A run of free cells with the laid cards around it."""

    low: int
    """Number below; 0 where the chain begins."""
    high: int
    """Number above; 81 where it ends."""
    first: int
    """Chain index of the first free cell."""
    end: int
    """Chain index behind the last one."""


def layout(state: State) -> Layout:
    """Give the cells of the variant."""
    return LAYOUTS[state.options.variant]


def gaps(grid: Sequence[Laid | None]) -> list[Gap]:
    """Find the runs of free cells, in chain order."""
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


def cost(gap: Gap, index: int, number: int, cells: int) -> int:
    """Count the cards to discard for laying `number` on a cell of a gap (TRA-3 to TRA-5)."""
    below = number - gap.low if index == gap.first and index > 0 else None
    above = gap.high - number if index == gap.end - 1 and gap.end < cells else None
    if below is None:
        return above or 0
    return below if above is None or below < above else above


def gap_at(grid: Sequence[Laid | None], index: int) -> Gap:
    """Find the gap that a free cell belongs to."""
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


def blocked_rows(state: State) -> list[int]:
    """Give the rows that refuse cards: under rocks (TRA-36) or a purple storm (TRA-52)."""
    rows = [storm.row for storm in state.storms if storm.row >= 0]
    if state.rocks_row >= 0:
        rows.append(state.rocks_row)
    return rows


def locked(state: State, index: int) -> bool:
    """Tell whether a lintel cell has to wait for the pillars (TRA-67)."""
    bottom = layout(state).locked_from
    return index >= bottom and any(laid is None for laid in state.grid[:bottom])


def must_touch(state: State, seat: int) -> bool:
    """Tell whether an orange storm makes the seat lay beside laid cards only (TRA-53)."""
    return any(storm.seat == seat and storm.colour == "orange" for storm in state.storms)


def open_cells(state: State, seat: int) -> Iterator[tuple[Gap, range | list[int]]]:
    """Give, per gap, the cells where the seat could lay a fitting number at some cost."""
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
    """Give the least cost at which the seat could lay a number now, whatever it can pay; None = nowhere."""
    cells = len(state.grid)
    for gap, indices in open_cells(state, seat):
        if gap.low < number < gap.high:
            costs = [cost(gap, index, number, cells) for index in indices]
            return min((one for one in costs if one <= COST_MAX), default=None)
    return None


def dead(state: State, number: int) -> bool:
    """Tell whether no free cell takes a number, whatever the cost and the blocks."""
    return not any(gap.low < number < gap.high for gap in gaps(state.grid))


def sea_full(state: State) -> bool:
    """Tell whether every cell is filled."""
    return None not in state.grid


def rows_open(state: State) -> list[int]:
    """Give the rows with a free cell."""
    grid = state.grid
    return [
        row
        for row, indices in enumerate(layout(state).rows)
        if any(grid[index] is None for index in indices)
    ]


def free_in_row(state: State, row: int) -> int:
    """Count a row's free cells."""
    return sum(state.grid[index] is None for index in layout(state).rows[row])


def rocks_must_go(state: State) -> bool:
    """Tell whether four rows are full (TRA-38)."""
    return len(layout(state).rows) - len(rows_open(state)) >= ROWS_FULL_WITHOUT_ROCKS


def discardable(state: State, seat: int) -> list[str]:
    """Give the cards of a hand that may be discarded, in card order (TRA-18, TRA-43)."""
    hand = state.hands[seat]
    if state.start_placed is None:
        return [card for card in hand if card not in IS_MONSTER and card not in IS_START]
    return [card for card in hand if card not in IS_MONSTER]


def under_yellow(state: State, seat: int) -> bool:
    """Tell whether a yellow storm lies before the seat (TRA-49)."""
    return any(storm.seat == seat and storm.colour == "yellow" for storm in state.storms)


def limit(state: State, seat: int) -> int:
    """Give the hand limit (TRA-49)."""
    return YELLOW_LIMIT if under_yellow(state, seat) else HAND_LIMIT


def deck_shares(state: State) -> list[int]:
    """Give the seats that may pay two unseen cards of their pile for the Start (TRA-51)."""
    return [
        seat
        for seat, pile in enumerate(state.piles)
        if len(pile) >= 2 and under_yellow(state, seat)
    ]


def must_start(state: State, seat: int) -> bool:
    """Tell whether the seat has to lay its Start card (TRA-22)."""
    return state.start_placed is None and not IS_START.isdisjoint(state.hands[seat])


def to_shed(state: State, seat: int) -> int:
    """Count the cards that a landing yellow storm takes (TRA-50)."""
    return max(0, min(len(state.hands[seat]) - YELLOW_LIMIT, len(discardable(state, seat))))


def finishing_cards(state: State, seat: int) -> list[str]:
    """Give the cards that the seat may try as a Finish now, in card order (TRA-31, TRA-44, TRA-45)."""
    hand = state.hands[seat]
    if state.start_placed is None or state.finish_tried or not sea_full(state):
        return []
    if not IS_MONSTER.isdisjoint(hand):
        return []
    return [card for card in hand if card in IS_FINISH or card in IS_WILD]


def is_monster(state: State, card: str) -> bool:
    """Tell whether a card may be played as a monster (TRA-61)."""
    return card in IS_MONSTER or (card in IS_WILD and state.options.monsters > 0)


def prey(state: State) -> list[int]:
    """Give the chain indices where a played monster may strike (TRA-36, TRA-46)."""
    rows = blocked_rows(state)
    row_of = layout(state).row_of
    return [
        index
        for index, laid in enumerate(state.grid)
        if laid is not None and row_of[index] not in rows
    ]


def holders(state: State) -> list[int]:
    """Give the seats that hold a compass."""
    return [seat for seat, compasses in enumerate(state.compasses) if compasses]


def undecided_holders(state: State) -> list[int]:
    """Give the compass holders that have not passed."""
    return [seat for seat in holders(state) if seat not in state.passed]


def rescuing_storms(state: State) -> list[Storm]:
    """Give the storms whose end may bring the active seat an action (TRA-35)."""
    return [
        storm
        for storm in state.storms
        if storm.colour == "purple" or (storm.colour == "orange" and storm.seat == state.active)
    ]


def wrong_side(state: State, index: int) -> bool:
    """Tell whether a laid card of `day_night` faces the wrong way: sun below, moon above (TRA-75)."""
    laid = state.grid[index]
    return laid is not None and laid.side != ("sun" if index < len(state.grid) // 2 else "moon")


def loses_by_sides(state: State) -> bool:
    """Tell whether a Finish would lose the voyage (TRA-76)."""
    return state.options.variant == "day_night" and any(
        wrong_side(state, index) for index in range(len(state.grid))
    )
