"""What the seats may send."""

from typing import Literal

from games.captain_sonar.components import Cell, Direction
from games.game import Tagged


class ChooseStart(Tagged, frozen=True):
    """The captain's secret start cell (SON-6)."""

    cell: Cell


class OrderCourse(Tagged, frozen=True):
    """One cell on a course that everybody hears (SON-10)."""

    direction: Direction


class MarkGauge(Tagged, frozen=True):
    """The first mate's mark for a move (SON-20)."""

    gauge: str


class CrossSymbol(Tagged, frozen=True):
    """The engineer's breakdown for a move (SON-26)."""

    symbol: str


class LaunchTorpedo(Tagged, frozen=True):
    """A torpedo at a cell within range (SON-48)."""

    target: Cell


class DropMine(Tagged, frozen=True):
    """A mine beside the boat (SON-59)."""

    cell: Cell


class TriggerMine(Tagged, frozen=True):
    """An own mine goes off (SON-65)."""

    cell: Cell


class TriggerArcherMine(Tagged, frozen=True):
    """A mine of Archer's goes off (SON-94)."""

    cell: Cell


class LaunchDrone(Tagged, frozen=True):
    """Ask whether the enemy is in a sector (SON-68)."""

    sector: int


class PingSonar(Tagged, frozen=True):
    """Ask for one true and one false fact (SON-69)."""


class AnswerSonar(Tagged, frozen=True):
    """The asked captain's two facts: kinds `column`, `row`, `sector` (SON-69 to SON-71)."""

    kind_a: str
    value_a: int
    kind_b: str
    value_b: int


class RunSilent(Tagged, frozen=True):
    """Move straight and unheard; distance 0 has the direction "" (SON-73)."""

    direction: Literal["n", "e", "s", "w", ""]
    distance: int


class ConfirmSilence(Tagged, frozen=True):
    """The captain ends the silent run (SON-79)."""


class Surface(Tagged, frozen=True):
    """Come up: the route is forgotten, the sector told (SON-80)."""


class TraceSection(Tagged, frozen=True):
    """Trace a hull section's outline; the path is empty in the mode `simple` (SON-86, SON-87)."""

    section: int
    path: tuple[Cell, ...]


class Dive(Tagged, frozen=True):
    """Leave the surface once repaired (SON-90)."""


class EndTurn(Tagged, frozen=True):
    """End the turn without an activation (SON-46)."""


class SetOverlay(Tagged, frozen=True):
    """The radio operator's assumed start of the heard track (SON-98)."""

    origin: Cell


class WipeOverlay(Tagged, frozen=True):
    """The radio operator starts the heard track anew (SON-99)."""


Activation = (
    LaunchTorpedo | DropMine | TriggerMine | TriggerArcherMine | LaunchDrone | PingSonar | RunSilent
)

Command = (
    ChooseStart
    | OrderCourse
    | MarkGauge
    | CrossSymbol
    | LaunchTorpedo
    | DropMine
    | TriggerMine
    | TriggerArcherMine
    | LaunchDrone
    | PingSonar
    | AnswerSonar
    | RunSilent
    | ConfirmSilence
    | Surface
    | TraceSection
    | Dive
    | EndTurn
    | SetOverlay
    | WipeOverlay
)
