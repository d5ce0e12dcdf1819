"""Refusals that several commands share."""

from collections.abc import Iterable

from games.game import Illegal
from games.tranquility.components import IS_MONSTER, Cell
from games.tranquility.model import Laid, State
from games.tranquility.rules.sea import layout, rows_open


def index_of(state: State, cell: Cell) -> int:
    """Return the chain index of a cell; refuse a cell that the layout does not have."""
    index = layout(state).index.get(cell)
    if index is None:
        raise Illegal("no-such-cell", cell=cell)
    return index


def laid_at(state: State, cell: Cell) -> Laid:
    """Return the card on a cell; refuse a free cell."""
    laid = state.grid[index_of(state, cell)]
    if laid is None:
        raise Illegal("cell-empty", cell=cell)
    return laid


def row_exists(state: State, row: int) -> None:
    """Refuse a row that the layout does not have."""
    if not 0 <= row < len(layout(state).rows):
        raise Illegal("no-such-row", row=row)


def row_open(state: State, row: int) -> None:
    """Refuse a row without a free cell."""
    if row not in rows_open(state):
        raise Illegal("row-full", row=row)


def exactly(cards: tuple[str, ...], count: int) -> None:
    """Refuse any other number of cards."""
    if len(cards) != count:
        raise Illegal("wrong-discard-count", expected=count)


def no_monster(cards: Iterable[str]) -> None:
    """Refuse to discard a monster (TRA-43)."""
    if not IS_MONSTER.isdisjoint(cards):
        raise Illegal("monster-cannot-be-discarded")
