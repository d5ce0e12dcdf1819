"""Where a boat can be, given everything that was announced: exactly, by bit boards.

A hypothesis is a cell and the cells of the route since the last surfacing. Hypotheses whose routes
have the same shape, seen from the boat, are kept together as one way; its cells are one bit board.
A move shifts all of them at once, and a shape that would cross itself is dropped. The boat's own
mines are ignored, so that the set is never too small.
"""

from collections.abc import Iterable, Iterator
from functools import cache, lru_cache
from typing import NamedTuple

from games.captain_sonar.components import (
    DIRECTIONS,
    SILENCE_RANGE,
    STEPS,
    Cell,
    Direction,
    Sea,
    distance,
    sea_of,
)
from games.captain_sonar.events import (
    Blast,
    CourseOrdered,
    DamageTaken,
    DroneLaunched,
    Event,
    Impact,
    SilenceRun,
    SonarAnswered,
    Surfaced,
    TorpedoLaunched,
)
from games.captain_sonar.model import Story

HYPOTHESES_MAX = 20_000
"""With more hypotheses after a silent run, all routes are reduced to the present cell."""

Bits = int
"""A set of cells: bit row * size + column."""


class Charts:
    """The tables of a sea for bit boards, and the frame in which shapes of routes are drawn.

    A shape is a set of offsets from the boat, on a square of 2 * size - 1 columns with the boat in
    the middle.
    """

    def __init__(self, sea: Sea, *, over_islands: bool = False) -> None:
        """Draw the charts of a sea."""
        self.sea = sea
        size = sea.size
        self.size = size
        self.all = self.bits(sea.cells)
        self.holes = self.bits(sea.ice_holes)
        self.sectors = [
            self.bits(cell for cell in sea.cells if sea.sector(cell) == sector + 1)
            for sector in range(sea.sectors)
        ]
        self.columns = [
            self.bits(cell for cell in sea.cells if cell[0] == column) for column in range(size)
        ]
        self.rows = [self.bits(cell for cell in sea.cells if cell[1] == row) for row in range(size)]
        self.in_range = {
            cell: self.bits(sea.targets(cell, over_islands=over_islands)) for cell in sea.cells
        }
        self.beside = {
            cell: self.bits(there for there in sea.cells if distance(cell, there) <= 1)
            for cell in sea.cells
        }
        frame = 2 * size - 1
        self.boat = (size - 1) * frame + size - 1
        self.steps: dict[Direction, tuple[Bits, int, int]] = {
            direction: (
                self.bits(cell for cell in sea.cells if direction in sea.next[cell]),
                STEPS[direction][0] + STEPS[direction][1] * size,
                STEPS[direction][0] + STEPS[direction][1] * frame,
            )
            for direction in DIRECTIONS
        }
        """By direction: the cells that allow a move, its shifts on the map and in the frame."""

    def bits(self, cells: Iterable[Cell]) -> Bits:
        """Return cells as a bit board."""
        board = 0
        for column, row in cells:
            board |= 1 << row * self.size + column
        return board

    def cells(self, board: Bits) -> Iterator[Cell]:
        """Yield the cells of a bit board by row, then column."""
        while board:
            low = board & -board
            row, column = divmod(low.bit_length() - 1, self.size)
            yield column, row
            board ^= low

    def start(self, way: "Way") -> Bits:
        """Return the cells at which the routes of a way began."""
        frame = 2 * self.size - 1
        down, right = divmod(way.start + self.size - 1, frame)
        return shifted(way.cells, down * self.size + right - self.size + 1)

    def fact(self, kind: str, value: int) -> Bits:
        """Return the cells for which a sonar fact is true."""
        if kind == "sector":
            return self.sectors[value - 1]
        return (self.columns if kind == "column" else self.rows)[value]


@cache
def charts_of(map_name: str, side: str, *, over_islands: bool) -> Charts:
    """Return the charts of one side of a map."""
    return Charts(sea_of(map_name, side), over_islands=over_islands)


class Way(NamedTuple):
    """All hypotheses whose routes have one shape."""

    shape: int
    """Offsets of the route from the boat, in the frame of the charts."""
    start: int
    """Offset of the first cell of the route from the boat; 0 is the boat itself."""
    cells: Bits


@lru_cache(maxsize=256)
def _listed(charts: Charts, board: Bits) -> tuple[Cell, ...]:
    """Return the cells of a board. Cached, since views before and after most events share one."""
    return tuple(charts.cells(board))


def shifted(board: int, by: int) -> int:
    """Shift up by a positive number, down by a negative one."""
    return board << by if by >= 0 else board >> -by


class Belief(NamedTuple):
    """All hypotheses about one boat."""

    charts: Charts
    boat: int
    """The crew of the boat."""
    ways: tuple[Way, ...]
    iced: bool = False
    """Whether ice has just damaged the boat, so that it surfaces beside the holes."""

    @property
    def board(self) -> Bits:
        """The cells on which the boat can be, as a bit board."""
        board = 0
        for way in self.ways:
            board |= way.cells
        return board

    def candidates(self) -> tuple[Cell, ...]:
        """Return the cells on which the boat can be, by row, then column."""
        return _listed(self.charts, self.board)

    def starts(self) -> tuple[Cell, ...]:
        """Return the cells at which its route can have begun, by row, then column."""
        board = 0
        for way in self.ways:
            board |= self.charts.start(way)
        return tuple(self.charts.cells(board))

    def weights(self) -> dict[Cell, int]:
        """Count the hypotheses of each cell."""
        counts: dict[Cell, int] = {}
        for way in self.ways:
            for cell in self.charts.cells(way.cells):
                counts[cell] = counts.get(cell, 0) + 1
        return counts

    def within(self, board: Bits) -> "Belief":
        """Return the hypotheses whose cell is on a bit board."""
        ways = tuple(
            Way(way.shape, way.start, cells) for way in self.ways if (cells := way.cells & board)
        )
        return self._replace(ways=ways)


def beginning(charts: Charts, boat: int) -> Belief:
    """Return the belief that any sea cell may be the start."""
    return Belief(charts, boat, (Way(1 << charts.boat, 0, charts.all),))


def hear(belief: Belief, event: Event) -> Belief:
    """Return the belief after an event, from what the event tells everybody about the boat."""
    boat, charts = belief.boat, belief.charts
    match event:
        case CourseOrdered(crew=crew, direction=direction) if crew == boat:
            return sail(belief, direction)
        case SilenceRun(crew=crew) if crew == boat:
            return silence(belief)
        case Surfaced(crew=crew, sector=sector) if crew == boat:
            return _anew(belief, belief.board & charts.sectors[sector - 1] & _where_up(belief))
        case DamageTaken(crew=crew, cause="ice") if crew == boat:
            return belief._replace(iced=True)
        case TorpedoLaunched(crew=crew, target=target) if crew == boat:
            return belief.within(charts.in_range[target])
        case SonarAnswered(crew=crew, kinds=kinds, values=values) if crew == boat:
            first, second = (charts.fact(*fact) for fact in zip(kinds, values, strict=True))
            return belief.within(first ^ second)
        case DroneLaunched(crew=crew, sector=sector, answer=answer) if crew != boat:
            board = charts.sectors[sector - 1]
            return belief.within(board if answer else charts.all & ~board)
        case Blast(cell=cell, results=results):
            return belief.within(_struck(charts, cell, results[boat]))
        case _:
            return belief


def _struck(charts: Charts, cell: Cell, impact: Impact) -> Bits:
    """Return the cells on which a boat would feel this impact of a blast."""
    beside, there = charts.beside[cell], charts.bits((cell,))
    if impact == "clear":
        return charts.all & ~beside
    return there if impact == "direct" else beside & ~there


def _where_up(belief: Belief) -> Bits:
    """Return the cells to surface on: ice holes, or others if ice damaged the boat (SON-93)."""
    charts = belief.charts
    return charts.holes if charts.holes and not belief.iced else charts.all & ~charts.holes


def _anew(belief: Belief, board: Bits) -> Belief:
    """Return the belief with all routes beginning at the present cell."""
    charts = belief.charts
    ways = (Way(1 << charts.boat, 0, board),) if board else ()
    return Belief(charts, belief.boat, ways)


def sail(belief: Belief, direction: Direction) -> Belief:
    """Return the belief after an announced move: over sea, and off the route."""
    charts = belief.charts
    can, shift, slide = charts.steps[direction]
    here, ahead = 1 << charts.boat, 1 << charts.boat + slide
    if slide > 0:
        ways = tuple(
            Way(shape >> slide | here, start - slide, cells << shift)
            for shape, start, board in belief.ways
            if not shape & ahead and (cells := board & can)
        )
    else:
        ways = tuple(
            Way(shape << -slide | here, start - slide, cells >> -shift)
            for shape, start, board in belief.ways
            if not shape & ahead and (cells := board & can)
        )
    return belief._replace(ways=ways)


def silence(
    belief: Belief, directions: Iterable[Direction] = DIRECTIONS, *, stays: bool = True
) -> Belief:
    """Return the belief after a silent run: stay, or move straight up to four cells.

    With too many hypotheses the routes are forgotten.
    """
    boards: dict[tuple[int, int], Bits] = {}
    shapes: dict[int, Bits] = {}
    count = 0
    for shape, start, cells in _silent(belief, directions, stays=stays):
        boards[shape, start] = boards.get((shape, start), 0) | cells
        known = shapes.get(shape, 0)
        if fresh := cells & ~known:
            shapes[shape] = known | cells
            count += fresh.bit_count()
            if count > HYPOTHESES_MAX:
                return _anew(belief, _silent_board(belief, directions, stays=stays))
    return belief._replace(
        ways=tuple(Way(shape, start, cells) for (shape, start), cells in boards.items())
    )


def _silent(belief: Belief, directions: Iterable[Direction], *, stays: bool) -> Iterator[Way]:
    """Yield every way in which a silent run can end. Two may have the same shape."""
    charts = belief.charts
    here = 1 << charts.boat
    if stays:
        yield from belief.ways
    for direction in directions:
        can, shift, slide = charts.steps[direction]
        for way in belief.ways:
            shape, start, cells = way
            for _ in range(SILENCE_RANGE):
                shape, start = shifted(shape, -slide), start - slide
                if shape & here:
                    break
                cells = shifted(cells & can, shift)
                if not cells:
                    break
                shape |= here
                yield Way(shape, start, cells)


def _silent_board(belief: Belief, directions: Iterable[Direction], *, stays: bool) -> Bits:
    """Return the cells on which a silent run can end."""
    charts = belief.charts
    board = 0
    for shape, _, here in belief.ways:
        board |= here if stays else 0
        for direction in directions:
            can, shift, slide = charts.steps[direction]
            cells, ahead = here, charts.boat
            for _ in range(SILENCE_RANGE):
                ahead += slide
                cells = shifted(cells & can, shift)
                if shape >> ahead & 1 or not cells:
                    break
                board |= cells
    return board


def beliefs(story: Story) -> tuple[Belief, Belief]:
    """Return what a story tells about each boat.

    The answer is remembered on the story, and every later story goes on from there.
    """
    memory = vars(story)
    if "beliefs" in memory:
        count, zero, one = memory["beliefs"]
    else:
        charts = charts_of(story.map, story.side, over_islands=story.over_islands)
        count, zero, one = 0, beginning(charts, 0), beginning(charts, 1)
    for event in story.told[count:]:
        zero, one = hear(zero, event), hear(one, event)
    memory["beliefs"] = (len(story.told), zero, one)
    return zero, one
