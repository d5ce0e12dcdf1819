"""The types of a match: options, state, view and result."""

from typing import Annotated, Literal

import msgspec

from games.captain_sonar.components import Cell
from games.captain_sonar.events import BEARING, Event, Role, public
from games.structs import Copyable, Public

TurnSeconds = Annotated[int, msgspec.Meta(ge=5, le=86400)]
LiveSeconds = Annotated[int, msgspec.Meta(ge=3, le=600)]
Milliseconds = Annotated[int, msgspec.Meta(ge=0, le=60000)]
BoatName = Literal[
    "Yellow",
    "Blue",
    "Marlin",
    "Orca",
    "Narwhal",
    "Kraken",
    "Triton",
    "Thetis",
    "Scylla",
    "Borealis",
    "Abyss",
    "Tempest",
]
Assignment = tuple[tuple[int | str, ...], ...]
"""The crew and the roles of each seat. The set-up refuses any other text, so none enters a log."""


class Options(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The options of a match."""

    mode: Literal["turns", "real_time"] = "turns"
    map: Literal["alpha", "bravo", "charlie", "delta", "echo"] = "alpha"
    board_side: Literal["auto", "light", "dark"] = "auto"
    """`auto` is light in turns and dark in real time (SON-4)."""
    first_crew: Literal[-1, 0, 1] = -1
    """-1 if the opening crew is drawn (SON-8)."""
    role_assignment: Assignment = ()
    """The crew and the roles of each seat; empty for the table of the rulebook (SON-3)."""
    damage_first: bool = False
    """Whether the damage of a panel comes before the repair of its circuit (SON-34)."""
    bonus_surface: Literal["alternate", "three"] = "alternate"
    """The turns that follow when a crew surfaces within its bonus turns (SON-83)."""
    torpedo_over_islands: bool = False
    """Whether the range of a torpedo is counted across islands (SON-49)."""
    ready_announcements: Literal["public", "crew"] = "public"
    """Who is told that a gauge is full (SON-24)."""
    strict_stations: bool = False
    """Whether each seat sees only the sheets of its roles."""
    trace_mode: Literal["drawn", "simple"] = "drawn"
    """How hull sections are traced (SON-87)."""
    radio_assist: Literal["none", "overlay", "inference"] = "overlay"
    """Help for the radio operator: none, the overlay, or the overlay and the exact enemy cells."""
    max_turns: Annotated[int, msgspec.Meta(ge=0, le=2000)] = 0
    """Turns (in real time: moves) after which damage decides; 0 is no limit (SON-107)."""
    clock_deploy_s: TurnSeconds = 120
    clock_course_s: TurnSeconds = 120
    clock_task_s: TurnSeconds = 60
    clock_answer_s: TurnSeconds = 60
    clock_idle_s: LiveSeconds = 60
    clock_task_rt_s: LiveSeconds = 20
    clock_answer_rt_s: LiveSeconds = 30
    clock_trace_s: LiveSeconds = 30
    min_course_gap_ms: Milliseconds = 3000
    """Real time: least time between two moves of a crew."""
    min_trace_ms: Milliseconds = 4000
    """Real time: least time between surfacing or a trace and the next trace of a crew."""
    boat_names: tuple[BoatName, BoatName] = ("Yellow", "Blue")


Phase = Literal["deploy", "course", "tasks", "system", "sonar", "silence", "live", "over"]
Station = Literal["ashore", "ready", "tasks", "silent", "surfaced", "dive_ready"]
Trace = tuple[int, int, bool]
"""Section, seat, and whether the trace is clean."""


class Stop(msgspec.Struct, frozen=True):
    """A stop of both crews in real time (SON-43)."""

    crew: int
    system: str


class Story(msgspec.Struct, frozen=True, dict=True):
    """The public events that tell where the boats can be, oldest first.

    `rules/belief.py` draws the conclusions and remembers them on the story.
    """

    map: str
    side: str
    over_islands: bool
    told: tuple[Event, ...] = ()

    def after(self, event: Event) -> "Story":
        """Return the story with an event added; the same story if the event tells nothing."""
        if type(event) not in BEARING:
            return self
        later = Story(self.map, self.side, self.over_islands, (*self.told, public(event)))
        vars(later).update(vars(self))
        return later


class Crew(Copyable):
    """A boat and the sheets of its crew."""

    gauges: dict[str, int]
    """Marks by gauge, in the order of the sheet."""
    position: Cell | None = None
    route: list[Cell] = msgspec.field(default_factory=list[Cell])
    """The cell of the start or the last surfacing, then the cells entered; the position is last."""
    mines: list[Cell] = msgspec.field(default_factory=list[Cell])
    """Oldest first."""
    crossed: list[str] = msgspec.field(default_factory=list[str])
    """Symbols in the order of crossing."""
    station: Station = "ashore"
    need_mark: bool = False
    mark_excluded: Literal["", "silence"] = ""
    need_symbol: Literal["", "n", "e", "s", "w"] = ""
    """The panel from which the engineer still owes a symbol."""
    may_activate: bool = False
    """Whether the boat has moved since the last activation or dive (SON-40, SON-41)."""
    traces: list[Trace] = msgspec.field(default_factory=list[Trace])
    heard: list[str] = msgspec.field(default_factory=list[str])
    """What was heard of the enemy since the last wipe."""
    overlay: Cell | None = None


class State(Copyable):
    """A match."""

    options: Public[Options]
    mode: Public[Literal["turns", "real_time"]]
    map: Public[Literal["alpha", "bravo", "charlie", "delta", "echo"]]
    side: Public[Literal["light", "dark"]]
    size: Public[int]
    crews: tuple[Crew, Crew]
    archer_mines: Public[list[Cell]]
    """Mines of Archer's that are still active."""
    crew_seats: Public[tuple[tuple[int, ...], tuple[int, ...]]] = ((), ())
    roles: Public[tuple[tuple[Role, ...], ...]] = ()
    first_crew: Public[int] = -1
    pads: tuple[tuple[int, ...], tuple[int, ...]] = ((), ())
    """Random numbers behind the default commands, by crew. Hidden."""
    default_starts: tuple[Cell, ...] = ()
    phase: Phase = "deploy"
    active_crew: Public[int] = -1
    turns_left: Public[int] = 0
    bonus: Public[bool] = False
    turn_no: Public[int] = 0
    stop: Public[Stop | None] = None
    sonar_asker: Public[int | None] = None
    damage: list[int] = msgspec.field(default_factory=lambda: [0, 0])
    courses_total: Public[int] = 0
    version: int = 0
    """Number of events folded."""
    winner: Public[int | None] = None
    draw: Public[bool] = False
    story: Story | None = None
    """The source of the candidates; kept if `radio_assist` is `inference`."""


class CrewView(msgspec.Struct, frozen=True):
    """What a viewer may know of a crew. A hidden field is None, as is a cell not yet chosen."""

    position: Cell | None
    route: tuple[Cell, ...] | None
    mines: tuple[Cell, ...] | None
    gauges: dict[str, int] | None
    crossed: tuple[str, ...] | None
    station: Literal["ashore", "ready", "tasks", "silent", "surfaced", "dive_ready", "idle", "busy"]
    """Outsiders read `idle` for `ready`, and `busy` for `tasks` and `silent`."""
    need_mark: bool | None
    mark_excluded: str | None
    need_symbol: str | None
    may_activate: bool | None
    traces: tuple[Trace, ...] | None
    heard: tuple[str, ...] | None
    overlay: Cell | None
    candidates: tuple[Cell, ...] | None
    """Where the enemy of this crew can be, if `radio_assist` is `inference`."""


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
    """How a match ended."""

    outcome: Literal["win", "draw"]
    winner_crew: int | None
    winners: tuple[int, ...]
    losers: tuple[int, ...]
    damage: tuple[int, int]
    reason: Literal["sunk", "both_sunk", "limit"]
    turns: int
    courses: int

    def places(self, seats: int) -> list[int]:
        """Return place 1 for the winning crew; in a draw all seats share it."""
        below = len(self.winners) + 1
        return [below if seat in self.losers else 1 for seat in range(seats)]
