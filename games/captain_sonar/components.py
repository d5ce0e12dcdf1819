"""The components: seas, the engineer's board, gauges and hull sections."""

from collections.abc import Iterable
from functools import cache
from itertools import product
from typing import Literal

import msgspec

from games.components import SEEDS, load

Cell = tuple[int, int]
"""Column and row, counted from the north-west corner."""
Direction = Literal["n", "e", "s", "w"]
Group = Literal["weapon", "detection", "special", "radiation"]
Circuit = Literal["yellow", "orange", "gray"]

DIRECTIONS: tuple[Direction, ...] = ("n", "e", "s", "w")
STEPS: dict[Direction, Cell] = {"n": (0, -1), "e": (1, 0), "s": (0, 1), "w": (-1, 0)}
SECTOR_SIDE = 5
TORPEDO_RANGE = 4
SILENCE_RANGE = 4
DAMAGE_MAX = 4
"""Damage that sinks a boat (SON-102)."""


class Gauge(msgspec.Struct, frozen=True):
    """A gauge of the first mate's sheet, and the group of its system."""

    id: str
    spaces: int
    group: Group


class Symbol(msgspec.Struct, frozen=True):
    """A symbol of the engineer's board. A symbol without a circuit belongs to the reactor."""

    id: str
    group: Group
    circuit: Circuit | None = None


class Section(msgspec.Struct, frozen=True):
    """A hull section. Its white outline is the border of its grid."""

    id: int
    name: str
    width: int
    height: int

    def outline(self) -> tuple[Cell, ...]:
        """Return the border clockwise from the upper left corner."""
        right, bottom = self.width - 1, self.height - 1
        return (
            *((column, 0) for column in range(right)),
            *((right, row) for row in range(bottom)),
            *((column, bottom) for column in range(right, 0, -1)),
            *((0, row) for row in range(bottom, 0, -1)),
        )


class Side(msgspec.Struct, frozen=True):
    """One side of the sheet of a map."""

    islands: tuple[Cell, ...]
    ice_holes: tuple[Cell, ...] = ()
    archer_mines: tuple[Cell, ...] = ()


class SeaMap(msgspec.Struct, frozen=True):
    """The map of a scenario."""

    scenario_spaces: int
    light: Side
    dark: Side


class Components(msgspec.Struct, frozen=True):
    """All component data."""

    gauges: tuple[Gauge, ...]
    panels: dict[Direction, tuple[Symbol, ...]]
    sections: tuple[Section, ...]
    sides: dict[Literal["light", "dark"], int]
    maps: dict[Literal["alpha", "bravo", "charlie", "delta", "echo"], SeaMap]


BOX = load(SEEDS / "captain_sonar.toml", Components)

GAUGE_GROUPS: dict[str, Group] = {gauge.id: gauge.group for gauge in BOX.gauges}
PANELS: dict[str, tuple[str, ...]] = {
    direction: tuple(symbol.id for symbol in symbols) for direction, symbols in BOX.panels.items()
}
SYMBOLS: dict[str, Symbol] = {
    symbol.id: symbol for panel in BOX.panels.values() for symbol in panel
}
PANEL_OF: dict[str, str] = {symbol: panel for panel, row in PANELS.items() for symbol in row}


def _having(circuit: Circuit) -> frozenset[str]:
    return frozenset(symbol.id for symbol in SYMBOLS.values() if symbol.circuit == circuit)


CIRCUITS: dict[Circuit, frozenset[str]] = {
    circuit: _having(circuit) for circuit in ("yellow", "orange", "gray")
}
GROUPS: dict[str, frozenset[str]] = {
    group: frozenset(symbol.id for symbol in SYMBOLS.values() if symbol.group == group)
    for group in ("weapon", "detection", "special", "radiation")
}
RADIATION = GROUPS["radiation"]
SECTIONS: dict[int, Section] = {section.id: section for section in BOX.sections}
OUTLINES: dict[int, tuple[Cell, ...]] = {
    number: section.outline() for number, section in SECTIONS.items()
}


@cache
def gauge_spaces(map_name: str) -> dict[str, int]:
    """Return the number of spaces of each gauge in use, in the order of the sheet (SON-23)."""
    scenario = BOX.maps[map_name].scenario_spaces  # pyright: ignore[reportArgumentType]
    spaces = {gauge.id: gauge.spaces for gauge in BOX.gauges} | {"scenario": scenario}
    return {gauge: count for gauge, count in spaces.items() if count > 0}


class Sea:
    """The sea of one side of a map, with tables. Cells are listed row by row."""

    def __init__(
        self,
        size: int,
        islands: Iterable[Cell],
        ice_holes: Iterable[Cell] = (),
        archer_mines: Iterable[Cell] = (),
    ) -> None:
        """Build a square of `size` columns, in which all cells except `islands` are sea."""
        self.size = size
        self.sectors = (size // SECTOR_SIDE) ** 2
        self.islands = frozenset(islands)
        self.ice_holes = frozenset(ice_holes)
        self.archer_mines = tuple(archer_mines)
        self.cells: tuple[Cell, ...] = tuple(
            (column, row)
            for row in range(size)
            for column in range(size)
            if (column, row) not in self.islands
        )
        sea = frozenset(self.cells)
        self.next: dict[Cell, dict[Direction, Cell]] = {
            cell: {
                direction: there
                for direction, (right, down) in STEPS.items()
                if (there := (cell[0] + right, cell[1] + down)) in sea
            }
            for cell in self.cells
        }
        self.around: dict[Cell, tuple[Cell, ...]] = {
            cell: tuple(there for there in self.cells if distance(cell, there) == 1)
            for cell in self.cells
        }
        self._range = {cell: self._reached(cell) for cell in self.cells}
        self._flat = {cell: self._near(cell) for cell in self.cells}

    def on_map(self, cell: Cell) -> bool:
        """Return whether a cell is on the map."""
        return 0 <= cell[0] < self.size and 0 <= cell[1] < self.size

    def sector(self, cell: Cell) -> int:
        """Return the sector of a cell, counted row by row from 1."""
        column, row = cell
        return row // SECTOR_SIDE * (self.size // SECTOR_SIDE) + column // SECTOR_SIDE + 1

    def targets(self, cell: Cell, *, over_islands: bool) -> tuple[Cell, ...]:
        """Return the cells that a torpedo from a cell can hit (SON-48 to SON-50)."""
        return (self._flat if over_islands else self._range)[cell]

    def _reached(self, start: Cell) -> tuple[Cell, ...]:
        reached = {start}
        edge = [start]
        for _ in range(TORPEDO_RANGE):
            edge = list({there for cell in edge for there in self.next[cell].values()} - reached)
            reached.update(edge)
        return tuple(cell for cell in self.cells if cell in reached and cell != start)

    def _near(self, start: Cell) -> tuple[Cell, ...]:
        return tuple(
            cell
            for cell in self.cells
            if 0 < abs(cell[0] - start[0]) + abs(cell[1] - start[1]) <= TORPEDO_RANGE
        )


def distance(one: Cell, other: Cell) -> int:
    """Return the distance that counts for blasts: diagonal neighbours are 1 apart (SON-54)."""
    return max(abs(one[0] - other[0]), abs(one[1] - other[1]))


@cache
def sea_of(map_name: str, side: str) -> Sea:
    """Return the sea of one side of a map."""
    sheet: Side = getattr(BOX.maps[map_name], side)  # pyright: ignore[reportArgumentType]
    size = BOX.sides[side]  # pyright: ignore[reportArgumentType]
    return Sea(size, sheet.islands, sheet.ice_holes, sheet.archer_mines)


VALUES = (
    *range(max(BOX.sides.values()) + 1),
    *product(range(max(BOX.sides.values())), repeat=2),
    *DIRECTIONS,
    "",
    *("column", "row", "sector"),
    *GAUGE_GROUPS,
    *SYMBOLS,
)
"""What fields of commands can hold (`Game.values`)."""
