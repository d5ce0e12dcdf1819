"""The commands."""

from typing import Literal

from games.captain_sonar.components import Cell, Direction
from games.game import Tagged


class ChooseStart(Tagged, frozen=True):
    """Choose the secret start (SON-6)."""

    cell: Cell


class OrderCourse(Tagged, frozen=True):
    """Move one cell in a direction that everybody hears (SON-10)."""

    direction: Direction


class MarkGauge(Tagged, frozen=True):
    """Mark a gauge for a move (SON-20)."""

    gauge: str


class CrossSymbol(Tagged, frozen=True):
    """Cross a symbol for a move (SON-26)."""

    symbol: str


class LaunchTorpedo(Tagged, frozen=True):
    """Fire a torpedo at a cell within range (SON-48)."""

    target: Cell


class DropMine(Tagged, frozen=True):
    """Drop a mine beside the boat (SON-59)."""

    cell: Cell


class TriggerMine(Tagged, frozen=True):
    """Blow up an own mine (SON-65)."""

    cell: Cell


class TriggerArcherMine(Tagged, frozen=True):
    """Blow up a mine of Archer's (SON-94)."""

    cell: Cell


class LaunchDrone(Tagged, frozen=True):
    """Ask whether the enemy is in a sector (SON-68)."""

    sector: int


class PingSonar(Tagged, frozen=True):
    """Ask the enemy captain for one true and one false fact (SON-69)."""


class AnswerSonar(Tagged, frozen=True):
    """Name two facts of the kinds `column`, `row`, `sector` (SON-69 to SON-71)."""

    kind_a: str
    value_a: int
    kind_b: str
    value_b: int


class RunSilent(Tagged, frozen=True):
    """Move straight and unheard. Distance 0 has the direction "" (SON-73)."""

    direction: Literal["n", "e", "s", "w", ""]
    distance: int


class ConfirmSilence(Tagged, frozen=True):
    """End the silent run (SON-79)."""


class Surface(Tagged, frozen=True):
    """Come up: the route is forgotten, and the sector announced (SON-80)."""


class TraceSection(Tagged, frozen=True):
    """Trace the outline of a hull section (SON-86, SON-87).

    The path is empty if `trace_mode` is `simple`.
    """

    section: int
    path: tuple[Cell, ...]


class Dive(Tagged, frozen=True):
    """Leave the surface after repairs (SON-90)."""


class EndTurn(Tagged, frozen=True):
    """End the turn without an activation (SON-46)."""


class SetOverlay(Tagged, frozen=True):
    """Lay the heard track on the map from an assumed start (SON-98)."""

    origin: Cell


class WipeOverlay(Tagged, frozen=True):
    """Erase the heard track and start anew (SON-99)."""


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
