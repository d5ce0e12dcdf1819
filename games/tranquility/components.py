"""The components: card ids in card order, and the layouts of the sea."""

from itertools import pairwise
from typing import Literal

import msgspec

from games.components import SEEDS, load

Cell = tuple[int, int]
"""Column and row; row 0 is the bottom one."""
Variant = Literal["standard", "high_arch", "pyramid", "day_night", "competitive"]
Difficulty = Literal["none", "galatea", "triton", "leucothea", "amphitrite", "poseidon"]
Colour = Literal["yellow", "purple", "orange"]
Side = Literal["sun", "moon", ""]

TOP_NUMBER = 80
COST_MAX = 4
"""Highest cost of a card: nobody may pay more (TRA-6)."""
START_PRICE = 8
"""Cards that the crew discards when a Start is laid (TRA-25)."""
EXTRA_DRAWS = {1: 8, 2: 2}
"""Cards that each seat draws before the Start is paid, by number of seats (TRA-24, TRA-66)."""
HAND_LIMIT = 5
YELLOW_LIMIT = 3
ROW_SIZE = 6
"""Number of cards in the face-up row of `competitive`."""
ROWS_FULL_WITHOUT_ROCKS = 4


class Shape(msgspec.Struct, frozen=True):
    """A layout as written in the components file."""

    variants: tuple[Variant, ...]
    rows: tuple[tuple[int, ...], ...]
    locked_from: int | None = None


class Components(msgspec.Struct, frozen=True):
    """All component data."""

    cards: dict[str, int]
    removed: dict[Difficulty, int]
    second_seat: int
    """Points of the second seat of `competitive` in the house set `balanced` (TRA-84)."""
    layouts: dict[str, Shape]
    modules: dict[Variant, tuple[str, ...]]


class Layout(msgspec.Struct, frozen=True):
    """The cells of a variant in reading order: the chain (TRA-1)."""

    cells: tuple[Cell, ...]
    index: dict[Cell, int]
    row_of: tuple[int, ...]
    rows: tuple[range, ...]
    """Chain indices of each row."""
    locked_from: int
    """First chain index that stays locked until all cells below it are filled."""


def _layout(shape: Shape) -> Layout:
    cells = tuple((column, row) for row, columns in enumerate(shape.rows) for column in columns)
    starts = [sum(map(len, shape.rows[:row])) for row in range(len(shape.rows) + 1)]
    return Layout(
        cells=cells,
        index={cell: index for index, cell in enumerate(cells)},
        row_of=tuple(row for _, row in cells),
        rows=tuple(range(a, b) for a, b in pairwise(starts)),
        locked_from=len(cells) if shape.locked_from is None else starts[shape.locked_from],
    )


BOX = load(SEEDS / "tranquility.toml", Components)
LAYOUTS: dict[Variant, Layout] = {
    variant: _layout(shape) for shape in BOX.layouts.values() for variant in shape.variants
}


def _group(kind: str) -> tuple[str, ...]:
    count = BOX.cards[kind]
    return (kind,) if count == 1 else tuple(f"{kind}_{number + 1}" for number in range(count))


ISLANDS = _group("island")
STARTS = _group("start")
FINISHES = _group("finish")
BORDERS = _group("border")
ROCKS = _group("rocks")[0]
MONSTERS = _group("monster")
STORMS = _group("storm_yellow") + _group("storm_purple") + _group("storm_orange")
COMPASSES = _group("compass")
WILDS = _group("wild")
SPARE_BORDERS = BORDERS[len(LAYOUTS["pyramid"].cells) :]
"""Borders that the pyramid does not need; they go into its exploration deck (TRA-70)."""
EXPLORATION = (*FINISHES, *SPARE_BORDERS, ROCKS, *MONSTERS, *STORMS, *COMPASSES)
"""The cards of the exploration deck (TRA-70)."""

CARDS = (*ISLANDS, *STARTS, *FINISHES, *BORDERS, ROCKS, *MONSTERS, *STORMS, *COMPASSES, *WILDS)
"""All cards, in card order."""
RANK = {card: rank for rank, card in enumerate(CARDS)}
rank = RANK.__getitem__
"""Sort key of the card order."""
NUMBER = {card: number for number, card in enumerate(ISLANDS, 1)}
"""Number of each island."""

IS_START = frozenset(STARTS)
IS_FINISH = frozenset(FINISHES)
IS_BORDER = frozenset(BORDERS)
IS_MONSTER = frozenset(MONSTERS)
IS_STORM = frozenset(STORMS)
IS_COMPASS = frozenset(COMPASSES)
IS_WILD = frozenset(WILDS)
IS_EXPLORATION = frozenset(EXPLORATION)
COLOUR: dict[str, Colour] = {
    **dict.fromkeys(_group("storm_yellow"), "yellow"),
    **dict.fromkeys(_group("storm_purple"), "purple"),
    **dict.fromkeys(_group("storm_orange"), "orange"),
}

VALUES = (
    *range(TOP_NUMBER + 1),
    *dict.fromkeys(cell for layout in LAYOUTS.values() for cell in layout.cells),
    *CARDS,
)
"""What fields of commands can hold (`Game.values`)."""
