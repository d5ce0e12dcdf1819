"""Draw hidden mines: where a crew may have laid them, given its track and its explosions."""

from collections.abc import Sequence
from typing import NamedTuple

from games.captain_sonar.components import Cell, Sea
from games.captain_sonar.events import Event, MineDropped, MineTriggered, Surfaced, TorpedoLaunched
from games.captain_sonar.players.tracks import Stage, Track
from games.captain_sonar.rules.belief import Charts
from games.chance import Chance

Pins = dict[int, tuple[Cell, int]]
"""By the place of a drop: the cell of the mine, and the place at which it went off."""


class Lain(NamedTuple):
    """A mine on the map, from its drop to its removal."""

    cell: Cell
    since: int
    until: int


def draw_pins(
    charts: Charts, followed: Sequence[Stage], history: Sequence[Event], crew: int, chance: Chance
) -> Pins:
    """Draw which dropped mine each triggered mine was, among those dropped near enough."""
    pins: Pins = {}
    drops: dict[int, int] = {}
    board = charts.all
    changes = {stage.place: stage.after.board for stage in followed}
    for place, event in enumerate(history):
        board = changes.get(place, board)
        if isinstance(event, MineDropped) and event.crew == crew:
            drops[place] = board
        elif isinstance(event, MineTriggered) and event.crew == crew:
            near = [drop for drop, then in drops.items() if then & charts.beside[event.cell]]
            drop = chance.choice(near or list(drops))
            pins[drop] = (event.cell, place)
            del drops[drop]
    return pins


def draw_mines(
    sea: Sea,
    history: Sequence[Event],
    crew: int,
    track: Track,
    pins: Pins,
    chance: Chance,
) -> dict[int, Cell] | None:
    """Draw the cells of all dropped mines, by place; None if the track does not allow it."""
    near = _cells_near(sea, history, crew, track)
    torpedoes = [
        (place, event.target)
        for place, event in enumerate(history)
        if isinstance(event, TorpedoLaunched)
    ]
    lain: list[Lain] = []
    mines: dict[int, Cell] = {}
    for drop in sorted(near, key=lambda drop: drop not in pins):
        options = [pins[drop][0]] if drop in pins else near[drop]
        chance.shuffle(options)
        for cell in options:
            hits = (at for at, target in torpedoes if target == cell and at > drop)
            mine = _lain(cell, drop, min(hits, default=len(history)), pins.get(drop))
            if mine is not None and cell in near[drop] and _is_clear(track, lain, mine):
                lain.append(mine)
                mines[drop] = cell
                break
        else:
            return None
    return mines


def _lain(cell: Cell, drop: int, hit: int, pin: tuple[Cell, int] | None) -> Lain | None:
    """Return how long a mine lies in a cell. None if a torpedo hits it before it goes off."""
    if pin is None:
        return Lain(cell, drop, hit)
    _, triggered = pin
    return None if hit < triggered else Lain(cell, drop, triggered)


def _is_clear(track: Track, lain: Sequence[Lain], mine: Lain) -> bool:
    """Return whether a mine never meets its boat or another mine of its crew."""
    if any(
        mine.since < place < mine.until and mine.cell in cells
        for place, cells in track.entered.items()
    ):
        return False
    return all(
        other.cell != mine.cell or other.until <= mine.since or mine.until <= other.since
        for other in lain
    )


def _cells_near(
    sea: Sea, history: Sequence[Event], crew: int, track: Track
) -> dict[int, list[Cell]]:
    """List the cells beside the boat and off its route, by the place of each drop."""
    near: dict[int, list[Cell]] = {}
    route = [track.start]
    for place, event in enumerate(history):
        route += track.entered.get(place, ())
        if isinstance(event, Surfaced) and event.crew == crew:
            del route[:-1]
        elif isinstance(event, MineDropped) and event.crew == crew:
            near[place] = [cell for cell in sea.around[route[-1]] if cell not in route]
    return near
