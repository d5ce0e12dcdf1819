"""The sea: distances and routes, and where modules, submarines and finds lie."""

from functools import cache

from games.nautilus.components import AT, PITCH, PLACE_BITS, PLACE_CELLS, SQUARE, Cell
from games.nautilus.model import State


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


def covered(state: State) -> int:
    """Give the cells under modules (NAU-21)."""
    cells = 0
    for placed in state.modules:
        cells |= SQUARE[AT[placed.cell]]
    return cells


def hidden_cells(state: State) -> int:
    """Give the cells with a hidden find."""
    cells = 0
    for bit, find in zip(PLACE_BITS, state.hidden, strict=True):
        if find:
            cells |= bit
    return cells


def hidden_places(state: State) -> list[int]:
    """List the find places with a hidden find."""
    return [place for place, find in enumerate(state.hidden) if find]


def boats_afloat(state: State) -> int:
    """Give the cells of all submarines."""
    afloat = 0
    for boats in state.submarines:
        for boat in boats:
            if boat is not None:
                afloat |= 1 << AT[boat.cell]
    return afloat
