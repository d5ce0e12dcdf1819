"""Board, tokens, cards and shares, read from `seeds/submarine.toml`."""

from collections.abc import Mapping, Sequence
from typing import TypeAlias

import msgspec

from games.components import SEEDS, load

Cell: TypeAlias = tuple[int, int]
"""(column 1 … 6, row 2 … 5); row 1 is the surface."""
Colour: TypeAlias = str
"""A card is its colour: copies are indistinguishable (SUB-63)."""
Cards: TypeAlias = tuple[Colour, ...]
"""Cards; for a viewer who may know only their number, each is `HIDDEN`."""
Motif: TypeAlias = str
Token: TypeAlias = str
"""`<motif>_<colour>` or `shell_<colour>`."""
Tokens: TypeAlias = tuple[Token, ...]
Column: TypeAlias = tuple[Tokens, ...]
"""The tokens of a column's cells, from row 2 down."""


class Board(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Columns, and treasures per cell from row 2 down (SUB-1, SUB-3)."""

    columns: int
    levels: tuple[int, ...]


class Supply(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Survey cards in play per colour, and the size of a full hand (SUB-6, SUB-9)."""

    per_colour: int
    hand: int


class Share(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Cards and submarines of each seat, by number of players (SUB-7)."""

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


class Components(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """All component data."""

    board: Board
    cards: Supply
    share: tuple[Share, ...]
    colour: tuple[ColourName, ...]
    motif: tuple[Name, ...]
    fleet: tuple[Name, ...]


BOX = load(SEEDS / "submarine.toml", Components)

SURFACE = 1
TOP = 2
"""The row just below the surface."""
BOTTOM = SURFACE + len(BOX.board.levels)
COLUMNS = range(1, BOX.board.columns + 1)
HARBOUR = 0
"""A ship's place left of the board."""
OFF_BOARD = BOX.board.columns + 1
"""A ship's place right of the board."""
GONE = -1
"""The place of a withdrawn seat's ship."""

HAND = BOX.cards.hand
COLOURS: tuple[Colour, ...] = tuple(colour.id for colour in BOX.colour)
RANK_OF: Mapping[Colour, int] = {colour: rank for rank, colour in enumerate(COLOURS)}
"""A colour's place in the order of hands."""
CARDS: Cards = tuple(colour for colour in COLOURS for _ in range(BOX.cards.per_colour))
"""The 60 survey cards, by colour (SUB-6)."""
MOTIFS: tuple[Motif, ...] = tuple(motif.id for motif in BOX.motif)
TREASURES: Tokens = tuple(f"{motif}_{colour}" for motif in MOTIFS for colour in COLOURS)
"""Each motif once in each colour (SUB-2)."""
SHELLS: Tokens = tuple(f"shell_{colour}" for colour in COLOURS)
COLOUR_OF: Mapping[Token, Colour] = {token: token.partition("_")[2] for token in TREASURES + SHELLS}
MOTIF_OF: Mapping[Token, Motif] = {token: token.partition("_")[0] for token in TREASURES}
"""A shell has no motif."""
SHARES: Mapping[int, Share] = {share.players: share for share in BOX.share}


def _reach(cell: Cell) -> tuple[Cell, ...]:
    """All cells of the row and of the rows next to it, below the surface (SUB-25 to SUB-27)."""
    rows = range(max(TOP, cell[1] - 1), min(BOTTOM, cell[1] + 1) + 1)
    return tuple((column, row) for column in COLUMNS for row in rows if (column, row) != cell)


CELLS: tuple[Cell, ...] = tuple(
    (column, row) for column in COLUMNS for row in range(TOP, BOTTOM + 1)
)
REACH: Mapping[Cell, tuple[Cell, ...]] = {cell: _reach(cell) for cell in CELLS}
"""The cells that a submarine may move to."""


def in_colour_order(cards: Sequence[Colour]) -> Cards:
    """Return the cards sorted as in a hand (SUB-63)."""
    return tuple(sorted(cards, key=RANK_OF.__getitem__))


def without(pieces: tuple[str, ...], piece: str) -> tuple[str, ...]:
    """Return cards or tokens without the first one that equals `piece`."""
    at = pieces.index(piece)
    return pieces[:at] + pieces[at + 1 :]


VALUES = (*range(OFF_BOARD + 1), *CELLS, *COLOURS, *TREASURES, *SHELLS)
"""What fields of commands can hold (`Game.values`)."""
