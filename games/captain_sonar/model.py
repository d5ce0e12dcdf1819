"""What a match is made of: state, view and result."""

from typing import Literal

import msgspec

from games.captain_sonar.belief import Story
from games.captain_sonar.board import Cell
from games.captain_sonar.events import Role
from games.captain_sonar.options import Options

Phase = Literal["deploy", "course", "tasks", "system", "sonar", "silence", "live", "over"]
Station = Literal["ashore", "ready", "tasks", "silent", "surfaced", "dive_ready"]
Trace = tuple[int, int, bool]
"""Section, seat, clean."""


class Stop(msgspec.Struct, frozen=True):
    """A stop of both crews in real time (SON-43)."""

    crew: int
    system: str


class Crew(msgspec.Struct):
    """One boat and its sheets."""

    gauges: dict[str, int]
    """Marks, in the order of the sheet."""
    position: Cell | None = None
    route: list[Cell] = []
    """Start or surfacing cell and all cells entered since; the last is the position."""
    mines: list[Cell] = []
    """Oldest first."""
    crossed: list[str] = []
    """Symbols in the order of crossing."""
    station: Station = "ashore"
    need_mark: bool = False
    mark_excluded: Literal["", "silence"] = ""
    need_symbol: Literal["", "n", "e", "s", "w"] = ""
    """The panel that the engineer still owes a symbol of."""
    may_activate: bool = False
    """A course was ordered since the last activation or dive (SON-40, SON-41)."""
    traces: list[Trace] = []
    heard: list[str] = []
    """What was heard of the enemy since the last wipe."""
    overlay: Cell | None = None

    def copy(self) -> "Crew":
        """Give an independent copy."""
        return Crew(
            self.gauges.copy(),
            self.position,
            self.route.copy(),
            self.mines.copy(),
            self.crossed.copy(),
            self.station,
            self.need_mark,
            self.mark_excluded,
            self.need_symbol,
            self.may_activate,
            self.traces.copy(),
            self.heard.copy(),
            self.overlay,
        )


class State(msgspec.Struct):
    """A match."""

    options: Options
    mode: Literal["turns", "real_time"]
    map: Literal["alpha", "bravo", "charlie", "delta", "echo"]
    side: Literal["light", "dark"]
    size: int
    crews: tuple[Crew, Crew]
    archer_mines: list[Cell]
    """Still active."""
    crew_seats: tuple[tuple[int, ...], tuple[int, ...]] = ((), ())
    roles: tuple[tuple[Role, ...], ...] = ()
    first_crew: int = -1
    pads: tuple[tuple[int, ...], tuple[int, ...]] = ((), ())
    """Hidden chance of the default actions."""
    default_starts: tuple[Cell, ...] = ()
    phase: Phase = "deploy"
    active_crew: int = -1
    turns_left: int = 0
    bonus: bool = False
    turn_no: int = 0
    stop: Stop | None = None
    sonar_asker: int | None = None
    damage: list[int] = msgspec.field(default_factory=lambda: [0, 0])
    courses_total: int = 0
    version: int = 0
    """Events folded so far."""
    winner: int | None = None
    draw: bool = False
    story: Story | None = None
    """Public events behind the candidates; kept with `radio_assist` = `inference`."""

    def copy(self) -> "State":
        """Give an independent copy."""
        return State(
            self.options,
            self.mode,
            self.map,
            self.side,
            self.size,
            (self.crews[0].copy(), self.crews[1].copy()),
            self.archer_mines.copy(),
            self.crew_seats,
            self.roles,
            self.first_crew,
            self.pads,
            self.default_starts,
            self.phase,
            self.active_crew,
            self.turns_left,
            self.bonus,
            self.turn_no,
            self.stop,
            self.sonar_asker,
            self.damage.copy(),
            self.courses_total,
            self.version,
            self.winner,
            self.draw,
            self.story,
        )


class CrewView(msgspec.Struct, frozen=True):
    """What a viewer may know of a crew; None is hidden (or, for cells, none yet)."""

    position: Cell | None
    route: tuple[Cell, ...] | None
    mines: tuple[Cell, ...] | None
    gauges: dict[str, int] | None
    crossed: tuple[str, ...] | None
    station: Literal["ashore", "ready", "tasks", "silent", "surfaced", "dive_ready", "idle", "busy"]
    """Outsiders read `idle` for ready and `busy` for tasks and silent."""
    need_mark: bool | None
    mark_excluded: str | None
    need_symbol: str | None
    may_activate: bool | None
    traces: tuple[Trace, ...] | None
    heard: tuple[str, ...] | None
    overlay: Cell | None
    candidates: tuple[Cell, ...] | None
    """With `radio_assist` = `inference`: where this crew's enemy can be."""


class View(msgspec.Struct, frozen=True):
    """What one viewer may know."""

    mode: str
    map: str
    side: str
    size: int
    options: Options
    crew_seats: tuple[tuple[int, ...], tuple[int, ...]]
    roles: tuple[tuple[Role, ...], ...]
    first_crew: int
    pads: tuple[tuple[int, ...], tuple[int, ...]] | None
    default_starts: tuple[Cell, ...] | None
    phase: Literal[
        "deploy", "course", "tasks", "system", "sonar", "silence", "live", "over", "busy"
    ]
    active_crew: int
    turns_left: int
    bonus: bool
    turn_no: int
    stop: Stop | None
    sonar_asker: int | None
    archer_mines: tuple[Cell, ...]
    damage: tuple[int, int]
    courses_total: int
    winner: int | None
    draw: bool
    crews: tuple[CrewView, CrewView]
    waiting: tuple[int, ...]


class Result(msgspec.Struct, frozen=True):
    """How a match ended (specification section 11)."""

    outcome: Literal["win", "draw"]
    winner_crew: int | None
    winners: tuple[int, ...]
    losers: tuple[int, ...]
    damage: tuple[int, int]
    reason: Literal["sunk", "both_sunk", "limit"]
    turns: int
    courses: int

    def places(self, seats: int) -> list[int]:
        """Give the winning crew place 1; in a draw all share it."""
        below = len(self.winners) + 1
        return [below if seat in self.losers else 1 for seat in range(seats)]
