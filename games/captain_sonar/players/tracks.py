"""Draw a hidden track: where a boat may have been all along, given what a viewer saw.

The belief after each event is worked out first. The track is then drawn backwards, so that it
cannot run into a dead end.
"""

from collections.abc import Sequence
from typing import NamedTuple

from games.captain_sonar.components import DIRECTIONS, SILENCE_RANGE, STEPS, Cell, Direction
from games.captain_sonar.events import (
    BEARING,
    CourseOrdered,
    DamageTaken,
    Event,
    GaugeMarked,
    GaugeReady,
    MineDropped,
    SilenceOver,
    SilenceRun,
    Surfaced,
    SymbolCrossed,
)
from games.captain_sonar.rules.belief import Belief, Charts, Way, beginning, hear, shifted, silence
from games.chance import Chance


class Track(NamedTuple):
    """The way of a boat through a history."""

    start: Cell
    entered: dict[int, tuple[Cell, ...]]
    """Cells that a move entered, by the place of its event in the history."""
    headings: dict[int, Direction]
    """Directions of the moves, by place. A silent run that stayed has none."""

    def heading(self, place: int) -> Direction | None:
        """Return the direction of a move; None if the boat stayed."""
        return self.headings.get(place)


class Stage(NamedTuple):
    """An event of a history, with the beliefs before and after it."""

    place: int
    event: Event
    before: Belief
    after: Belief
    runs: "Runs"


class Runs(NamedTuple):
    """What a silent run may have been."""

    directions: Sequence[Direction] = DIRECTIONS
    stays: bool = True


class Standing(NamedTuple):
    """One hypothesis: the shape and the start of its route, and its cell as a bit."""

    shape: int
    start: int
    bit: int


def stages(
    charts: Charts, boat: int, history: Sequence[Event], mines: dict[int, Cell]
) -> list[Stage] | None:
    """Follow a boat through a history; None if nothing fits.

    `mines` has the cells of dropped mines by the places of their events.
    """
    moved = _surely_moved(history, boat)
    belief = beginning(charts, boat)
    followed: list[Stage] = []
    for place, event in enumerate(history):
        if type(event) is not MineDropped and type(event) not in BEARING:
            continue
        runs = Runs()
        if isinstance(event, SilenceRun) and event.crew == boat:
            runs = _runs_of(event, moved=place in moved)
            after = silence(belief, runs.directions, stays=runs.stays)
        elif place in mines:
            cell = mines[place]
            after = belief.within(charts.beside[cell] & ~charts.bits((cell,)))
        else:
            after = hear(belief, event)
        if after is not belief:
            followed.append(Stage(place, event, belief, after, runs))
        belief = after
        if not belief.ways:
            return None
    return followed


def _surely_moved(history: Sequence[Event], boat: int) -> set[int]:
    """Return the silent runs that must have moved, because a task or a breakdown followed."""
    moved: set[int] = set()
    running: int | None = None
    for place, event in enumerate(history):
        match event:
            case SilenceRun(crew=crew) if crew == boat:
                running = place
            case SilenceOver(crew=crew) if crew == boat:
                running = None
            case (
                GaugeMarked(crew=crew)
                | GaugeReady(crew=crew)
                | SymbolCrossed(crew=crew)
                | DamageTaken(crew=crew, cause="breakdown")
            ) if crew == boat and running is not None:
                moved.add(running)
            case _:
                pass
    return moved


def _runs_of(event: SilenceRun, *, moved: bool) -> Runs:
    """Return what a silent run may have been. Its own crew knows the direction."""
    if event.direction is None:
        return Runs(DIRECTIONS, not moved)
    return Runs((event.direction,), stays=False) if event.direction else Runs((), stays=True)


def draw_track(followed: Sequence[Stage], charts: Charts, chance: Chance) -> Track:
    """Draw a track backwards through the stages."""
    final = followed[-1].after if followed else beginning(charts, 0)
    standing = _draw(final.ways, chance)
    entered: dict[int, tuple[Cell, ...]] = {}
    headings: dict[int, Direction] = {}
    for stage in reversed(followed):
        match stage.event:
            case CourseOrdered(direction=direction):
                entered[stage.place] = tuple(charts.cells(standing.bit))
                headings[stage.place] = direction
                standing = _back(charts, standing, direction, 1)
            case SilenceRun():
                standing, direction, cells = _unsilent(stage, standing, chance)
                entered[stage.place] = cells
                if cells:
                    headings[stage.place] = direction
            case Surfaced():
                ways = [way for way in stage.before.ways if way.cells & standing.bit]
                way = chance.choice(ways)
                standing = Standing(way.shape, way.start, standing.bit)
            case _:
                pass
    (start,) = charts.cells(standing.bit)
    return Track(start, entered, headings)


def _draw(ways: Sequence[Way], chance: Chance) -> Standing:
    """Draw one of all hypotheses."""
    place = chance.randbelow(sum(way.cells.bit_count() for way in ways))
    for shape, start, cells in ways:
        count = cells.bit_count()
        if place < count:
            rest = cells
            for _ in range(place):
                rest &= rest - 1
            return Standing(shape, start, rest & -rest)
        place -= count
    raise AssertionError("a hypothesis less than counted")


def _back(charts: Charts, standing: Standing, direction: Direction, distance: int) -> Standing:
    """Return the hypothesis some steps earlier. The cells of these steps leave the route."""
    shape, start, bit = standing
    _, shift, slide = charts.steps[direction]
    for _ in range(distance):
        shape = shifted(shape & ~(1 << charts.boat), slide)
        start, bit = start + slide, shifted(bit, -shift)
    return Standing(shape, start, bit)


def _unsilent(
    stage: Stage, standing: Standing, chance: Chance
) -> tuple[Standing, Direction, tuple[Cell, ...]]:
    """Draw the hypothesis before a silent run, its direction and the cells that it entered."""
    charts = stage.before.charts
    here = 1 << charts.boat
    known = {(way.shape, way.start): way.cells for way in stage.before.ways}
    shrunk = len(stage.after.ways) == 1 and standing.shape == here
    found: list[tuple[Standing, Direction, tuple[Cell, ...]]] = []
    for direction, distance in _lines(stage.runs):
        cells = _line(charts, standing.bit, direction, distance)
        if cells is None:
            continue
        if shrunk:
            starts = _origins(charts, stage.before, standing.bit, direction, distance)
        else:
            start = _origin_of(charts, standing, direction, distance)
            exists = start is not None and known.get((start.shape, start.start), 0) & start.bit
            starts = [start] if start is not None and exists else []
        found.extend((start, direction, cells) for start in starts)
    return chance.choice(found)


def _lines(runs: Runs) -> list[tuple[Direction, int]]:
    """List the directions and distances of a silent run. Staying is 0 to the north."""
    moves: list[tuple[Direction, int]] = []
    if runs.stays:
        moves.append(("n", 0))
    for direction in runs.directions:
        moves.extend((direction, distance) for distance in range(1, SILENCE_RANGE + 1))
    return moves


def _line(charts: Charts, bit: int, direction: Direction, distance: int) -> tuple[Cell, ...] | None:
    """Return the cells entered on a straight line to a cell; None if the line leaves the sea."""
    ((column, row),) = charts.cells(bit)
    right, down = STEPS[direction]
    cells = tuple((column - right * back, row - down * back) for back in range(distance, -1, -1))
    return cells[1:] if all(cell in charts.sea.next for cell in cells) else None


def _origin_of(
    charts: Charts, standing: Standing, direction: Direction, distance: int
) -> Standing | None:
    """Return the hypothesis before a straight line; None if the route does not end with one."""
    slide = charts.steps[direction][2]
    trail = sum(1 << charts.boat - slide * step for step in range(distance))
    if standing.shape & trail != trail:
        return None
    return _back(charts, standing, direction, distance)


def _origins(
    charts: Charts, before: Belief, bit: int, direction: Direction, distance: int
) -> list[Standing]:
    """List the hypotheses from which a straight line leads to a cell, whatever the route."""
    _, shift, slide = charts.steps[direction]
    origin = shifted(bit, -shift * distance)
    ahead = sum(1 << charts.boat + slide * step for step in range(1, distance + 1))
    return [
        Standing(way.shape, way.start, origin)
        for way in before.ways
        if way.cells & origin and not way.shape & ahead
    ]
