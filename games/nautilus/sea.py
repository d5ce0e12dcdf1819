"""The board as numbers: cells, bit boards, and what follows from a module's centre.

A cell is `(column, row)` outside and `32 * row + column` in here. The 32nd column is never a cell, so that a bit board
moves one step east or west by a shift; a mask takes away what fell off the board.
"""

from collections.abc import Iterator
from functools import cache

from games.nautilus.components import BOX, RANK

Cell = tuple[int, int]
"""`(column, row)`, (0, 0) at the top left."""

COLUMNS = len(BOX.board.rows[0])
ROWS = len(BOX.board.rows)
PITCH = 32

AT: dict[Cell, int] = {(c, r): r * PITCH + c for r in range(ROWS) for c in range(COLUMNS)}
"""Cell -> number, in row order; what is not on the board is not in it."""
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

# ---- find places, numbered 0 to 59 in row order ----------------------------------------------------

PLACES = tuple(i for (c, r), i in AT.items() if BOX.board.rows[r][c].isupper())
PLACE_CELLS = tuple(CELL[i] for i in PLACES)
PLACE_ZONES = tuple(ZONE[i] for i in PLACES)
PLACE_BITS = tuple(1 << i for i in PLACES)
PLACE_AT = [-1] * (ROWS * PITCH)
"""Cell number -> number of its find place, or -1."""
for _number, _i in enumerate(PLACES):
    PLACE_AT[_i] = _number
PLACE_OF = {cell: number for number, cell in enumerate(PLACE_CELLS)}

# ---- docking: by the number of a module's centre cell ----------------------------------------------

STRAIGHT = ((0, -1), (1, -1), (1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1))
"""Unit steps in the eight directions, clockwise from north."""


def _steps(d: int) -> Cell:
    """Give the way from one centre to that of a module docked in direction d (NAU-23)."""
    across, down = STRAIGHT[d]
    span = 2 if across and down else 3
    return across * span, down * span


def is_centre(cell: Cell) -> bool:
    """Tell whether a module around this cell lies wholly on the board (NAU-19)."""
    return 0 < cell[0] < COLUMNS - 1 and 0 < cell[1] < ROWS - 1


def _around(cell: Cell, reach: int) -> Iterator[tuple[int, int, int]]:
    for down in range(-reach, reach + 1):
        for across in range(-reach, reach + 1):
            i = AT.get((cell[0] + across, cell[1] + down), -1)
            if i >= 0:
                yield across, down, i


def _bits(cells: Iterator[int]) -> int:
    board = 0
    for i in cells:
        board |= 1 << i
    return board


SQUARE = [0] * (ROWS * PITCH)
"""Centre -> bit board of its nine cells (NAU-21)."""
CLASH = [0] * (ROWS * PITCH)
"""Centre -> bit board of the centres that overlap with it, itself among them (NAU-20)."""
TOUCH = [0] * (ROWS * PITCH)
"""Centre -> bit board of the centres that touch it (NAU-23)."""
DOCKS: list[tuple[int, ...]] = [()] * (ROWS * PITCH)
"""Centre -> the centre docked to it in each direction, -1 where that leaves the board."""
MOUTHS: list[tuple[int, ...]] = [()] * (ROWS * PITCH)
"""Centre -> the cell beside its exit in each direction, -1 for slanted ones and off the board (NAU-48)."""
DEPTH = [0] * (ROWS * PITCH)
"""Centre -> rank of the deepest of its nine cells (NAU-27)."""
PLACES_UNDER: list[tuple[int, ...]] = [()] * (ROWS * PITCH)
"""Centre -> the find places among its nine cells, in row order (NAU-25)."""

for _cell, _i in AT.items():
    if not is_centre(_cell):
        continue
    SQUARE[_i] = _bits(j for _, _, j in _around(_cell, 1))
    CLASH[_i] = _bits(
        j for across, down, j in _around(_cell, 2) if abs(across) < 2 or abs(down) < 2
    )
    _docked = [(_cell[0] + across, _cell[1] + down) for across, down in map(_steps, range(8))]
    DOCKS[_i] = tuple(AT[centre] if is_centre(centre) else -1 for centre in _docked)
    TOUCH[_i] = _bits(j for j in DOCKS[_i] if j >= 0)
    MOUTHS[_i] = tuple(
        AT.get((_cell[0] + 2 * across, _cell[1] + 2 * down), -1) if d % 2 == 0 else -1
        for d, (across, down) in enumerate(STRAIGHT)
    )
    DEPTH[_i] = max(RANK[ZONE[j]] for _, _, j in _around(_cell, 1))
    PLACES_UNDER[_i] = tuple(PLACE_AT[j] for _, _, j in _around(_cell, 1) if PLACE_AT[j] >= 0)

LAGOON_CENTRES = frozenset(
    cell for cell in AT if is_centre(cell) and all(ZONE[j] == 0 for _, _, j in _around(cell, 1))
)
"""Where the base may lie (option `base_cell`)."""

# ---- sailing ---------------------------------------------------------------------------------------


def distance(one: Cell, other: Cell) -> int:
    """Count orthogonal steps."""
    return abs(one[0] - other[0]) + abs(one[1] - other[1])


@cache
def steps_to_places(cell: Cell) -> tuple[int, ...]:
    """Count the orthogonal steps from a cell to each find place."""
    return tuple(distance(place, cell) for place in PLACE_CELLS)


def spread(cells: int) -> int:
    """Give all cells one orthogonal step from some of these; they may lie beside the board."""
    return cells << 1 | cells >> 1 | cells << PITCH | cells >> PITCH


def members(board: int) -> list[int]:
    """List the cells of a bit board in row order."""
    cells: list[int] = []
    row = 0
    while board:
        line = board & 0xFFFFFFFF
        while line:
            low = line & -line
            cells.append(row + low.bit_length() - 1)
            line ^= low
        board >>= PITCH
        row += PITCH
    return cells


def reach(start: int, limit: int, water: int, stops: int) -> int:
    """Give the cells within `limit` steps through `water`; a route ends on a cell of `stops` (NAU-54, NAU-57)."""
    front = seen = 1 << start
    for _ in range(limit):
        front = spread(front) & water & ~seen
        if not front:
            break
        seen |= front
        front &= ~stops
    return seen


def route(start: int, goal: int, limit: int, water: int, stops: int) -> list[int] | None:
    """Give the shortest way, at the first difference n before e, s, w, or None (NAU-60)."""
    if start == goal:
        return [start]
    target = 1 << goal
    if not water & target:
        return None
    origin = 1 << start
    open_water = water & ~stops | origin
    rings = [target]
    seen = target
    while not rings[-1] & origin:
        if len(rings) > limit:
            return None
        front = spread(rings[-1]) & open_water & ~seen
        if not front:
            return None
        seen |= front
        rings.append(front)
    path = [start]
    for ring in reversed(rings[:-1]):
        here = path[-1]
        for step in (-PITCH, 1, PITCH, -1):
            if here + step >= 0 and ring >> (here + step) & 1:
                path.append(here + step)
                break
    return path
