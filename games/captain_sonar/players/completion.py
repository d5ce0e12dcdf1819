"""Complete a crew's hidden sheets: draw a whole history that fits what a viewer saw."""

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from types import MappingProxyType
from typing import NamedTuple

from msgspec.structs import replace

from games.captain_sonar.components import CIRCUITS, GAUGE_GROUPS, Cell, Direction
from games.captain_sonar.events import (
    ArcherMineTriggered,
    BreakdownsCleared,
    CircuitRepaired,
    CourseOrdered,
    DamageTaken,
    DroneLaunched,
    Event,
    GaugeMarked,
    GaugeReady,
    MineDropped,
    MineTriggered,
    SilenceRun,
    SonarPinged,
    StartChosen,
    SymbolCrossed,
    TorpedoLaunched,
)
from games.captain_sonar.players.habits import preferred
from games.captain_sonar.players.minefield import draw_mines, draw_pins
from games.captain_sonar.players.sheets import (
    Activated,
    Cleared,
    Move,
    Step,
    draw_marks,
    draw_symbols,
)
from games.captain_sonar.players.tracks import Stage, Track, draw_track, stages
from games.captain_sonar.rules.belief import Charts
from games.captain_sonar.rules.tasks import crossing
from games.chance import Chance

TRIES = 12

EMPTIES: dict[type[Event], str] = {
    TorpedoLaunched: "torpedo",
    MineDropped: "mine",
    ArcherMineTriggered: "scenario",
    DroneLaunched: "drone",
    SonarPinged: "sonar",
    SilenceRun: "silence",
}
"""The gauge that an activation empties."""


class Gap(NamedTuple):
    """What a viewer does not know of a crew."""

    crew: int
    captain: bool
    """Whether the sheet of its captain is hidden; the next two likewise."""
    first_mate: bool
    engineer: bool
    heard: bool
    """Whether its full gauges were announced to the viewer."""
    owed: Sequence["Owed"]
    """What it may still owe for its last move."""
    followed: Sequence[Stage] | None
    """Where its boat can have been, if its captain's sheet is hidden."""
    orders: Mapping[int, Sequence[str]]
    """By the place of a move: its gauges in the order in which it would mark them."""


class Owed(NamedTuple):
    """What a crew owes for a move."""

    mark: bool
    symbol: bool


class Secrets(NamedTuple):
    """The drawn secrets of a crew, by the places of their events in the history."""

    track: Track | None = None
    mines: Mapping[int, Cell] = MappingProxyType({})
    marks: Mapping[int, str] = MappingProxyType({})
    symbols: Mapping[int, str] = MappingProxyType({})
    whole: bool = False
    """Whether everything fits what was seen."""


class Waters(NamedTuple):
    """What drawing needs to know of a match."""

    charts: Charts
    spaces: dict[str, int]
    damage_first: bool


def draw_secrets(waters: Waters, history: Sequence[Event], gap: Gap, chance: Chance) -> Secrets:
    """Draw the secrets of a crew. After too many failures they are incomplete."""
    secrets = Secrets()
    wanted = partial(preferred, damage_first=waters.damage_first)
    for _ in range(TRIES):
        if gap.followed is not None:
            secrets = _draw_captain(waters.charts, history, gap.crew, gap.followed, chance)
        owed = chance.choice(gap.owed)
        steps = list(_steps_of(history, gap.crew, owed, secrets.track))
        marks: dict[int, str] | None = {}
        symbols: dict[int, str] | None = {}
        if gap.first_mate:
            marks = draw_marks(steps, waters.spaces, gap.orders, chance, heard=gap.heard)
        if gap.engineer:
            symbols = draw_symbols(steps, wanted, chance, damage_first=waters.damage_first)
        fits = marks is not None and symbols is not None
        whole = fits and (secrets.whole or not gap.captain)
        secrets = secrets._replace(marks=marks or {}, symbols=symbols or {}, whole=whole)
        if fits:
            break
    return secrets


def _draw_captain(
    charts: Charts,
    history: Sequence[Event],
    crew: int,
    followed: Sequence[Stage],
    chance: Chance,
) -> Secrets:
    """Draw a track and the mines laid on it. After too many failures the mines do not fit it."""
    secrets = Secrets()
    for _ in range(TRIES):
        pins = draw_pins(charts, followed, history, crew, chance)
        cells = {drop: cell for drop, (cell, _) in pins.items()}
        narrowed = stages(charts, crew, history, cells) if cells else followed
        track = draw_track(narrowed or followed, charts, chance)
        mines = draw_mines(charts.sea, history, crew, track, pins, chance)
        secrets = Secrets(track, cells if mines is None else mines, whole=mines is not None)
        if mines is not None:
            break
    return secrets


def _steps_of(
    history: Sequence[Event], crew: int, owed: Owed, track: Track | None
) -> Iterator[Step]:
    """Yield what first mate and engineer had to do, and what is known of it."""
    moves: list[tuple[int, Direction]] = [
        (place, direction)
        for place, event in enumerate(history)
        if (direction := _moved(event, place, crew, track))
    ]
    following = [*(place for place, _ in moves[1:]), len(history)]
    tasks = {
        place: _move_of(history, crew, owed, range(place, until), direction)
        for (place, direction), until in zip(moves, following, strict=False)
    }
    for place, event in enumerate(history):
        if getattr(event, "crew", None) != crew:
            continue
        if gauge := EMPTIES.get(type(event)):
            yield Activated(gauge, GAUGE_GROUPS[gauge])
        elif isinstance(event, MineTriggered):
            yield Activated("", GAUGE_GROUPS["mine"])
        elif isinstance(event, BreakdownsCleared):
            yield Cleared()
        if place in tasks:
            yield tasks[place]


def _moved(event: Event, place: int, crew: int, track: Track | None) -> Direction | None:
    """Return the direction in which an event moved a crew's boat; None if it did not."""
    if isinstance(event, CourseOrdered) and event.crew == crew:
        return event.direction
    if not isinstance(event, SilenceRun) or event.crew != crew:
        return None
    if event.direction is not None:
        return event.direction or None
    assert track is not None, "drawn where the direction is hidden"
    return track.heading(place)


def _move_of(
    history: Sequence[Event], crew: int, owed: Owed, places: range, direction: Direction
) -> Move:
    """Return what is known of the tasks of a move, from the events until the next move."""
    filled, broke = "", False
    for event in history[places.start : places.stop]:
        if isinstance(event, GaugeReady) and event.crew == crew:
            filled = event.gauge
        elif isinstance(event, DamageTaken) and event.crew == crew:
            broke = broke or event.cause == "breakdown"
    last = places.stop == len(history)
    return Move(
        place=places.start,
        direction=direction,
        silent=isinstance(history[places.start], SilenceRun),
        marked=not (last and owed.mark),
        crossed=not (last and owed.symbol),
        filled=filled,
        broke=broke,
    )


def completed(
    waters: Waters, history: Sequence[Event], drawn: Sequence[tuple[Gap, Secrets]]
) -> Iterator[tuple[int, Event]]:
    """Yield the history with the secrets of the crews filled in.

    Each event comes with its place; a task comes with the place of its move.
    """
    sheets = [
        Sheet(gap.crew, secrets, dict.fromkeys(waters.spaces, 0), []) for gap, secrets in drawn
    ]
    for place, event in enumerate(history):
        for sheet in sheets:
            sheet.read(event)
        filled = event
        for gap, secrets in drawn:
            filled = _filled_in(filled, place, gap, secrets)
        yield place, filled
        for sheet in sheets:
            for task in sheet.tasks(place, damage_first=waters.damage_first):
                yield place, task


class Sheet(NamedTuple):
    """The gauges and symbols of a crew while its history is written."""

    crew: int
    secrets: Secrets
    gauges: dict[str, int]
    crossed: list[str]

    def read(self, event: Event) -> None:
        """Empty what an event empties."""
        if getattr(event, "crew", None) != self.crew:
            return
        if gauge := EMPTIES.get(type(event)):
            self.gauges[gauge] = 0
        if isinstance(event, BreakdownsCleared):
            self.crossed.clear()

    def tasks(self, place: int, *, damage_first: bool) -> Iterator[Event]:
        """Yield the tasks of the move at a place."""
        if gauge := self.secrets.marks.get(place):
            self.gauges[gauge] += 1
            yield GaugeMarked(self.crew, gauge, self.gauges[gauge])
        if symbol := self.secrets.symbols.get(place):
            circuit, _ = crossing(self.crossed, symbol, damage_first=damage_first)
            self.crossed.append(symbol)
            yield SymbolCrossed(self.crew, symbol)
            if circuit:
                self.crossed[:] = [s for s in self.crossed if s not in CIRCUITS[circuit]]
                yield CircuitRepaired(self.crew, circuit)


def _filled_in(event: Event, place: int, gap: Gap, secrets: Secrets) -> Event:
    """Return an event with the secrets of a crew filled in."""
    track = secrets.track
    if track is None or getattr(event, "crew", None) != gap.crew:
        return event
    match event:
        case StartChosen():
            return replace(event, cell=track.start)
        case CourseOrdered():
            return replace(event, cell=track.entered[place][0])
        case SilenceRun():
            cells = track.entered[place]
            heading = track.heading(place) or ""
            return replace(event, direction=heading, distance=len(cells), cells=cells)
        case MineDropped():
            return replace(event, cell=secrets.mines.get(place))
        case _:
            return event
