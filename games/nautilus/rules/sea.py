"""The sea: where modules, submarines and finds lie, distances and routes.

Sets of cells are bit boards (see `components`).
"""

import re
from functools import cache, lru_cache
from itertools import compress

from games.nautilus.components import AT, PITCH, PLACE_BITS, PLACE_CELLS, SQUARE, Cell
from games.nautilus.model import Placed, State

_find_bits = re.compile("1").finditer


def covered(state: State) -> int:
    """Return the cells under modules (NAU-21)."""
    return _covered(state.modules)


@lru_cache(maxsize=1024)
def _covered(modules: tuple[Placed, ...]) -> int:
    cells = 0
    for placed in modules:
        cells |= SQUARE[AT[placed.cell]]
    return cells


def boats_afloat(state: State) -> int:
    """Return the cells with submarines."""
    afloat = 0
    for boats in state.submarines:
        for boat in boats:
            if boat is not None:
                afloat |= 1 << AT[boat.cell]
    return afloat


def hidden_cells(state: State) -> int:
    """Return the cells with hidden finds."""
    return sum(compress(PLACE_BITS, state.hidden))


def distance(one: Cell, other: Cell) -> int:
    """Count the orthogonal steps between two cells."""
    return abs(one[0] - other[0]) + abs(one[1] - other[1])


@cache
def steps_to_places(cell: Cell) -> tuple[int, ...]:
    """Count the orthogonal steps from a cell to each find place."""
    return tuple(distance(place, cell) for place in PLACE_CELLS)


def _spread(cells: int) -> int:
    """Return all cells one orthogonal step away; some may lie outside the board."""
    return cells << 1 | cells >> 1 | cells << PITCH | cells >> PITCH


def members(board: int) -> list[int]:
    """List the cells of a bit board in row order, or the members of another bit set."""
    return [found.start() for found in _find_bits(f"{board:b}"[::-1])]


def reach(start: int, limit: int, water: int, stops: int) -> int:
    """Return the cells within `limit` steps through `water` (NAU-54, NAU-57).

    A route ends as soon as it meets a cell of `stops`.
    """
    front = seen = 1 << start
    for _ in range(limit):
        front = _spread(front) & water & ~seen
        if not front:
            break
        seen |= front
        front &= ~stops
    return seen


def route(start: int, goal: int, limit: int, water: int, stops: int) -> list[int] | None:
    """Return the shortest route, or None if there is none within the limit (NAU-60).

    Of equally short ones, the first to step n before e, s, w.
    """
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
        front = _spread(rings[-1]) & open_water & ~seen
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
