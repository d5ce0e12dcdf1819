"""The components, read from `seeds/nautilus.toml`, and tables derived from them.

Cells are `(column, row)` outside and numbers in here: `32 * row + column`. The 32nd column is never
a cell, so that a set of cells, an int with a bit for each (a *bit board*), moves one step east or
west by a shift. A mask removes the bits that left the board.
"""

from collections.abc import Iterable, Iterator, Sequence

import msgspec

from games.components import SEEDS, load


class Board(msgspec.Struct, frozen=True):
    """The printed sea; a capital letter is a find place."""

    base: tuple[int, int]
    rows: tuple[str, ...]


class Zone(msgspec.Struct, frozen=True):
    """A depth zone."""

    id: str
    letter: str
    rank: int
    """Price of a build whose deepest cell lies here (NAU-27)."""
    fee: int
    """Fee for most finds that are collected here (NAU-62)."""


class Habitation(msgspec.Struct, frozen=True):
    """A kind of habitation and its exits at rotation 0."""

    kind: str
    count: int
    exits: tuple[str, ...]


class Research(msgspec.Struct, frozen=True):
    """The exits of research modules at rotation 0, by number."""

    exits: tuple[tuple[str, ...], ...]


class Modules(msgspec.Struct, frozen=True):
    """The modules and their exits."""

    base: tuple[str, ...]
    habitations: tuple[Habitation, ...]
    research: Research


class Colour(msgspec.Struct, frozen=True):
    """A colour and its ability by level."""

    id: str
    ability: tuple[int, ...]


class Sort(msgspec.Struct, frozen=True):
    """A sort of finds."""

    sort: str
    by_zone: tuple[int, ...]
    value: int | None = None
    """Points on its field; None if the sort has no field."""


class Mission(msgspec.Struct, frozen=True):
    """A mission card."""

    id: str
    creatures: tuple[str, str]


class Table(msgspec.Struct, frozen=True):
    """Numbers that depend on the number of seats."""

    seats: int
    money: int
    crew: int
    """Largest crew of a habitation."""
    discs: tuple[int, ...]
    """Treasure discs in use, best seat first."""
    balanced: tuple[int, ...] = ()
    """N besides `money` in the house set `balanced`, by place in the first round (NAU-83).

    Empty if both house sets are the same.
    """


class Pieces(msgspec.Struct, frozen=True):
    """The pieces of each seat."""

    researchers: int
    submarines: int


class Components(msgspec.Struct, frozen=True):
    """All component data."""

    board: Board
    zones: tuple[Zone, ...]
    modules: Modules
    colours: tuple[Colour, ...]
    finds: tuple[Sort, ...]
    missions: tuple[Mission, ...]
    tables: tuple[Table, ...]
    pieces: Pieces


BOX = load(SEEDS / "nautilus.toml", Components)

ZONES = tuple(zone.id for zone in BOX.zones)
FEE = tuple(zone.fee for zone in BOX.zones)
RANK = tuple(zone.rank for zone in BOX.zones)
TABLES = {table.seats: table for table in BOX.tables}
COLOURS = tuple(colour.id for colour in BOX.colours)
ABILITY = tuple(colour.ability for colour in BOX.colours)
GREEN, GREY, BROWN, BLUE, BLACK = range(5)
HAND_MAX = 4
"""Largest number of modules in a hand and in a build (NAU-15, NAU-18)."""

MISSIONS = tuple(mission.id for mission in BOX.missions)
CREATURES = {mission.id: mission.creatures for mission in BOX.missions}

RESEARCHERS = tuple(
    tuple(f"r{seat}_{k:02d}" for k in range(1, BOX.pieces.researchers + 1)) for seat in range(4)
)
SUBMARINES = tuple(
    tuple(f"s{seat}_{k}" for k in range(1, BOX.pieces.submarines + 1)) for seat in range(4)
)
RESEARCHER_NUMBER = {name: k for names in RESEARCHERS for k, name in enumerate(names)}
SUBMARINE_NUMBER = {name: k for names in SUBMARINES for k, name in enumerate(names)}

# ---- finds ---------------------------------------------------------------------------------------

SORT: dict[str, str] = {}
"""Find id -> sort."""
FIND_ZONE: dict[str, int] = {}
"""Find id -> zone number."""
for _sort in BOX.finds:
    _zones = [zone for zone, count in enumerate(_sort.by_zone) for _ in range(count)]
    for _k, _zone in enumerate(_zones, start=1):
        SORT[f"{_sort.sort}_{_k}"] = _sort.sort
        FIND_ZONE[f"{_sort.sort}_{_k}"] = _zone

FINDS = tuple(SORT)
FINDS_OF_ZONE = tuple(
    tuple(find for find in FINDS if FIND_ZONE[find] == zone) for zone in range(len(ZONES))
)
FIELD_VALUE = {sort.sort: sort.value for sort in BOX.finds if sort.value is not None}
"""Sort -> points on its field; sorts without a field are absent."""
FIELDS = tuple(FIELD_VALUE)
TREASURES = sum(sort == "treasure" for sort in SORT.values())
TREASURE_NUMBER = {
    find: int(find.rpartition("_")[2]) for find, sort in SORT.items() if sort == "treasure"
}

# ---- modules -------------------------------------------------------------------------------------

DIRECTIONS = ("n", "ne", "e", "se", "s", "sw", "w", "nw")
"""Clockwise; the even ones are blue (straight), the odd ones yellow (slanted)."""
BLUE_DIRECTIONS = (0, 2, 4, 6)


def _turned(exits: Sequence[str]) -> tuple[int, int, int, int]:
    """Return the exits at rotations 0 to 3 as bit sets; bit d is direction d."""
    bits = sum(1 << DIRECTIONS.index(exit_) for exit_ in exits)
    wheel = bits | bits << 8
    return (bits, wheel >> 6 & 255, wheel >> 4 & 255, wheel >> 2 & 255)


BASE = "base"
EXITS = {BASE: _turned(BOX.modules.base)}
"""Module id -> its exits at each rotation."""
KIND = {BASE: BASE}
"""Module id -> kind, its name in `buy_module`."""
COLOUR = {BASE: -1}
"""Module id -> number of its colour; -1 for the base and habitations."""
for _habitation in BOX.modules.habitations:
    for _k in range(1, _habitation.count + 1):
        _id = f"{_habitation.kind}_{_k}"
        EXITS[_id] = _turned(_habitation.exits)
        KIND[_id] = _habitation.kind
        COLOUR[_id] = -1
for _k, _exits in enumerate(BOX.modules.research.exits, start=1):
    for _colour, _name in enumerate(COLOURS):
        _id = f"res_{_name}_{_k}"
        EXITS[_id] = _turned(_exits)
        KIND[_id] = _id
        COLOUR[_id] = _colour

MODULES = tuple(module for module in KIND if module != BASE)
MODULE_ORDER = {module: order for order, module in enumerate(MODULES)}
KINDS = tuple(dict.fromkeys(KIND[module] for module in MODULES))
HABITATIONS = tuple(habitation.kind for habitation in BOX.modules.habitations)
ROTATIONS = {
    module: tuple((exits, rot) for rot, exits in enumerate(turns) if exits not in turns[:rot])
    for module, turns in EXITS.items()
}
"""Module id -> (exits, rotation) of the rotations that differ, ascending."""

# ---- cells ---------------------------------------------------------------------------------------

Cell = tuple[int, int]
"""`(column, row)`, (0, 0) at the top left."""

COLUMNS = len(BOX.board.rows[0])
ROWS = len(BOX.board.rows)
PITCH = 32

AT: dict[Cell, int] = {(c, r): r * PITCH + c for r in range(ROWS) for c in range(COLUMNS)}
"""Cell on the board -> number, in row order."""
CELL: list[Cell] = [(i % PITCH, i // PITCH) for i in range(ROWS * PITCH)]
BOARD = sum(1 << i for i in AT.values())

_LETTERS = {zone.letter: number for number, zone in enumerate(BOX.zones)}
ZONE = [
    _LETTERS[BOX.board.rows[r][c].lower()] if (c, r) in AT else 0
    for r in range(ROWS)
    for c in range(PITCH)
]
"""Cell number -> zone number."""
ABYSS_ZONE = len(BOX.zones) - 1
ABYSS = sum(1 << i for i in AT.values() if ZONE[i] == ABYSS_ZONE)

# ---- find places, numbered 0 to 59 in row order --------------------------------------------------

PLACES = tuple(i for (c, r), i in AT.items() if BOX.board.rows[r][c].isupper())
PLACE_CELLS = tuple(CELL[i] for i in PLACES)
PLACE_ZONES = tuple(ZONE[i] for i in PLACES)
PLACE_BITS = tuple(1 << i for i in PLACES)
PLACE_AT = [-1] * (ROWS * PITCH)
"""Cell number -> number of its find place, or -1."""
for _number, _i in enumerate(PLACES):
    PLACE_AT[_i] = _number
PLACE_OF = {cell: number for number, cell in enumerate(PLACE_CELLS)}

# ---- docking: by the number of a module's centre cell --------------------------------------------

STRAIGHT = ((0, -1), (1, -1), (1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1))
"""Unit steps in the eight directions, clockwise from north."""


def _step(across: int, down: int) -> Cell:
    """Return the offset between the centres of modules docked in a direction (NAU-23)."""
    span = 2 if across and down else 3
    return across * span, down * span


STEPS = tuple(_step(*unit) for unit in STRAIGHT)


def is_centre(cell: Cell) -> bool:
    """Return whether a module with this centre lies wholly on the board (NAU-19)."""
    return 0 < cell[0] < COLUMNS - 1 and 0 < cell[1] < ROWS - 1


def _around(cell: Cell, reach: int) -> Iterator[tuple[int, int, int]]:
    for down in range(-reach, reach + 1):
        for across in range(-reach, reach + 1):
            i = AT.get((cell[0] + across, cell[1] + down), -1)
            if i >= 0:
                yield across, down, i


def _bits(cells: Iterable[int]) -> int:
    board = 0
    for i in cells:
        board |= 1 << i
    return board


SQUARE = [0] * (ROWS * PITCH)
"""Centre -> bit board of its nine cells (NAU-21)."""
CLASH = [0] * (ROWS * PITCH)
"""Centre -> bit board of the centres that overlap with it, itself included (NAU-20)."""
TOUCH = [0] * (ROWS * PITCH)
"""Centre -> bit board of the centres that touch it (NAU-23)."""
DOCKS: list[tuple[int, ...]] = [()] * (ROWS * PITCH)
"""Centre -> the centre docked to it in each direction, -1 if off the board."""
MOUTHS: list[tuple[int, ...]] = [()] * (ROWS * PITCH)
"""Centre -> the cell beside its exit in each direction (NAU-48).

-1 for slanted exits and off the board.
"""
DEPTH = [0] * (ROWS * PITCH)
"""Centre -> rank of the deepest of its nine cells (NAU-27)."""
PLACES_UNDER: list[tuple[int, ...]] = [()] * (ROWS * PITCH)
"""Centre -> the find places among its nine cells, in row order (NAU-25)."""

_lagoon: list[Cell] = []
for _cell, _i in AT.items():
    if not is_centre(_cell):
        continue
    _square = [j for _, _, j in _around(_cell, 1)]
    SQUARE[_i] = _bits(_square)
    CLASH[_i] = _bits(
        j for across, down, j in _around(_cell, 2) if abs(across) < 2 or abs(down) < 2
    )
    _docked = [(_cell[0] + across, _cell[1] + down) for across, down in STEPS]
    DOCKS[_i] = tuple(AT[centre] if is_centre(centre) else -1 for centre in _docked)
    TOUCH[_i] = _bits(j for j in DOCKS[_i] if j >= 0)
    MOUTHS[_i] = tuple(
        AT.get((_cell[0] + 2 * across, _cell[1] + 2 * down), -1) if d % 2 == 0 else -1
        for d, (across, down) in enumerate(STRAIGHT)
    )
    DEPTH[_i] = max(RANK[ZONE[j]] for j in _square)
    PLACES_UNDER[_i] = tuple(PLACE_AT[j] for j in _square if PLACE_AT[j] >= 0)
    if not any(ZONE[j] for j in _square):
        _lagoon.append(_cell)

RANK_MAX = max(DEPTH)
UP_TO_RANK = [
    _bits(i for i, depth in enumerate(DEPTH) if depth <= rank) for rank in range(RANK_MAX + 1)
]
"""Rank -> bit board of the centres that are not deeper."""

LAGOON_CENTRES = frozenset(_lagoon)
"""Allowed centres of the base (option `base_cell`)."""

VALUES = (
    *range(max(BOX.pieces.researchers, len(FINDS)) + 1),
    *AT,
    *KINDS,
    BASE,
    *MODULES,
    *(name for names in (*RESEARCHERS, *SUBMARINES) for name in names),
)
"""What fields of commands can hold (`Game.values`)."""
