"""What lies in the box: board, tokens, cards and shares, read from `seeds/submarine.toml`."""

from collections.abc import Sequence
from typing import Final

import msgspec

from games.components import load
from games.submarine.model import Cell, Colour, Motif, Token


class Board(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """SUB-1, SUB-3: columns, and treasures per cell from row 2 down."""

    columns: int
    levels: tuple[int, ...]


class Cards(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """SUB-6, SUB-9: survey cards in play per colour, and the size of a full hand."""

    per_colour: int
    hand: int


class Share(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """SUB-7: what each of so many players gets."""

    players: int
    cards: int
    submarines: int


class Name(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A motif, or the colour of a fleet, with its names."""

    id: str
    en: str
    cs: str


class ColourName(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A colour with its background pattern and its names."""

    id: Colour
    pattern: str
    en: str
    cs: str


class Box(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """All component data."""

    board: Board
    cards: Cards
    share: tuple[Share, ...]
    colour: tuple[ColourName, ...]
    motif: tuple[Name, ...]
    fleet: tuple[Name, ...]


BOX: Final = load("submarine", Box)

SURFACE: Final = 1
TOP: Final = 2
"""The row right below the surface."""
BOTTOM: Final = SURFACE + len(BOX.board.levels)
COLUMNS: Final = range(1, BOX.board.columns + 1)
HARBOUR: Final = 0
"""A ship's place left of the board."""
OFF_BOARD: Final = BOX.board.columns + 1
"""A ship's place right of the board."""
GONE: Final = -1
"""The place of a withdrawn seat's ship."""

HAND: Final = BOX.cards.hand
COLOURS: Final[tuple[Colour, ...]] = tuple(colour.id for colour in BOX.colour)
RANK_OF: Final[dict[Colour, int]] = {colour: rank for rank, colour in enumerate(COLOURS)}
"""A colour's index in the canonical order."""
CARDS: Final[tuple[Colour, ...]] = tuple(
    colour for colour in COLOURS for _ in range(BOX.cards.per_colour)
)
"""SUB-6: the 60 survey cards in canonical order."""
MOTIFS: Final[tuple[Motif, ...]] = tuple(motif.id for motif in BOX.motif)
TREASURES: Final[tuple[Token, ...]] = tuple(
    f"{motif}_{colour}" for motif in MOTIFS for colour in COLOURS
)
"""SUB-2: each motif once in each colour."""
SHELLS: Final[tuple[Token, ...]] = tuple(f"shell_{colour}" for colour in COLOURS)
COLOUR_OF: Final[dict[Token, Colour]] = {
    token: token.partition("_")[2] for token in TREASURES + SHELLS
}
MOTIF_OF: Final[dict[Token, Motif]] = {token: token.partition("_")[0] for token in TREASURES}
"""Shells have none."""
SHARES: Final[dict[int, Share]] = {share.players: share for share in BOX.share}


def _reach(cell: Cell) -> tuple[Cell, ...]:
    """SUB-25 to SUB-27: any column of the own row and of its neighbours below the surface."""
    rows = range(max(TOP, cell[1] - 1), min(BOTTOM, cell[1] + 1) + 1)
    return tuple((column, row) for column in COLUMNS for row in rows if (column, row) != cell)


CELLS: Final[tuple[Cell, ...]] = tuple(
    (column, row) for column in COLUMNS for row in range(TOP, BOTTOM + 1)
)
REACH: Final[dict[Cell, tuple[Cell, ...]]] = {cell: _reach(cell) for cell in CELLS}
"""Where a submarine may move to."""


def in_colour_order(cards: Sequence[Colour]) -> tuple[Colour, ...]:
    """Sort cards as hands are kept."""
    return tuple(sorted(cards, key=RANK_OF.__getitem__))
