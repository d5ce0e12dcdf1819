"""The events. A field that is hidden from a viewer is None for that viewer."""

from typing import Literal

from msgspec.structs import replace

from games.captain_sonar.components import Cell, Circuit, Direction
from games.game import Tagged

Role = Literal["captain", "first_mate", "engineer", "radio_operator"]
Cause = Literal["torpedo", "mine", "archer_mine", "ice", "breakdown"]
Impact = Literal["clear", "indirect", "direct"]
Kind = Literal["column", "row", "sector"]
Sheet = Literal["crew"] | Role
"""A part of a crew's knowledge. `crew` is seen by every seat of the crew, the others by one role."""


class SetupDone(Tagged, frozen=True):
    """The chosen game and all of its chance (SON-4, SON-8). Pads and default starts are hidden until the end."""

    mode: str
    map: str
    side: str
    size: int
    crew_seats: tuple[tuple[int, ...], tuple[int, ...]]
    roles: tuple[tuple[Role, ...], ...]
    first_crew: int
    pads: tuple[tuple[int, ...], tuple[int, ...]] | None
    default_starts: tuple[Cell, Cell] | None


class StartChosen(Tagged, frozen=True):
    """A captain chose the start (SON-6). The cell is the crew's."""

    crew: int
    cell: Cell | None


class Dived(Tagged, frozen=True):
    """A boat is under way, at the start (SON-7) or after repairs (SON-90). Public."""

    crew: int


class TurnStarted(Tagged, frozen=True):
    """A crew's turn, the first of `turns_left` in a row (SON-82). Public."""

    crew: int
    turns_left: int
    bonus: bool


class CourseOrdered(Tagged, frozen=True):
    """A boat moved one cell (SON-10, SON-11). The cell is the crew's."""

    crew: int
    direction: Direction
    cell: Cell | None


class GaugeMarked(Tagged, frozen=True):
    """The first mate marked a space (SON-20). The crew's."""

    crew: int
    gauge: str
    marks: int


class GaugeReady(Tagged, frozen=True):
    """A gauge is full (SON-24). Public, or the crew's by the option."""

    crew: int
    gauge: str


class SymbolCrossed(Tagged, frozen=True):
    """The engineer crossed a symbol (SON-26). The crew's."""

    crew: int
    symbol: str


class CircuitRepaired(Tagged, frozen=True):
    """A whole circuit repaired itself (SON-31). The crew's."""

    crew: int
    circuit: Circuit


class DamageTaken(Tagged, frozen=True):
    """A boat is damaged. Which breakdown it was is the crew's (SON-36)."""

    crew: int
    amount: int
    """Nominal: 1 or 2."""
    total: int
    """At most 4."""
    cause: Cause
    detail: Literal["radiation", "area", "both", ""] | None


class BreakdownsCleared(Tagged, frozen=True):
    """All symbols of a board are erased (SON-32, SON-33, SON-81, SON-89). Public."""

    crew: int


class StopCalled(Tagged, frozen=True):
    """An activation stops both crews (SON-43). Public."""

    crew: int
    role: Literal["captain", "first_mate"]
    system: str
    """The gauge, or `trigger`."""


class Resumed(Tagged, frozen=True):
    """The stop called by `crew` is lifted (SON-43). Public."""

    crew: int


class TorpedoLaunched(Tagged, frozen=True):
    """A torpedo went off; it removes all mines at its target (SON-51 to SON-53)."""

    crew: int
    target: Cell
    own_mine: bool | None
    """A mine of the firing crew was there: told to that crew."""
    enemy_mine: bool | None
    """A mine of the other crew was there: told to the other crew."""
    archer_mine: bool


class MineDropped(Tagged, frozen=True):
    """A mine was laid (SON-63). The cell is the crew's."""

    crew: int
    cell: Cell | None


class MineTriggered(Tagged, frozen=True):
    """A crew's own mine went off (SON-65). Public."""

    crew: int
    cell: Cell


class ArcherMineTriggered(Tagged, frozen=True):
    """A mine of Archer's went off (SON-94). Public."""

    crew: int
    cell: Cell


class Blast(Tagged, frozen=True):
    """What a blast did to either boat (SON-54 to SON-56). Public."""

    cell: Cell
    source: Literal["torpedo", "mine", "archer_mine"]
    results: tuple[Impact, Impact]
    """By crew."""


class DroneLaunched(Tagged, frozen=True):
    """A drone's question and the true answer (SON-68). Public."""

    crew: int
    sector: int
    answer: bool


class SonarPinged(Tagged, frozen=True):
    """The other captain owes two facts (SON-69). Public."""

    crew: int


class SonarAnswered(Tagged, frozen=True):
    """Two facts, one of them true (SON-72). Which one is the answering crew's."""

    crew: int
    kinds: tuple[Kind, Kind]
    values: tuple[int, int]
    true_kind: Kind | None


class SilenceRun(Tagged, frozen=True):
    """A boat moved unheard (SON-73). All but the crew is the crew's."""

    crew: int
    direction: Literal["n", "e", "s", "w", ""] | None
    distance: int | None
    cells: tuple[Cell, ...] | None


class SilenceOver(Tagged, frozen=True):
    """The silent run is confirmed (SON-79). Public."""

    crew: int


class Surfaced(Tagged, frozen=True):
    """A boat came up (SON-80). That no course was left is the crew's."""

    crew: int
    sector: int
    forced: bool | None


class SectionTraced(Tagged, frozen=True):
    """A hull section was traced (SON-86). The crew's."""

    crew: int
    seat: int
    section: int
    path: tuple[Cell, ...]
    clean: bool


class RepairsInspected(Tagged, frozen=True):
    """All four sections were looked at (SON-89). Public."""

    crew: int
    ok: bool


class ReadyToDive(Tagged, frozen=True):
    """The captain may dive (SON-89). Public."""

    crew: int


class TurnEnded(Tagged, frozen=True):
    """A crew's turn is over (SON-46). Public."""

    crew: int


class OverlaySet(Tagged, frozen=True):
    """The radio operator assumed a start (SON-98). The crew's."""

    crew: int
    origin: Cell


class OverlayWiped(Tagged, frozen=True):
    """The radio operator forgot the heard track (SON-99). The crew's."""

    crew: int


class SubmarineDestroyed(Tagged, frozen=True):
    """A boat is sunk (SON-102); `both` by one blast (SON-104). Public."""

    crew: int
    both: bool


class LimitReached(Tagged, frozen=True):
    """The option's limit ends the game (SON-107). Public."""


PlayEvent = (
    SetupDone | TurnStarted | TurnEnded | StopCalled | Resumed | SubmarineDestroyed | LimitReached
)
"""The course of play."""

BoatEvent = (
    StartChosen
    | Dived
    | CourseOrdered
    | SilenceRun
    | SilenceOver
    | Surfaced
    | SectionTraced
    | RepairsInspected
    | ReadyToDive
)
"""Where a boat goes, and its station."""

SheetEvent = (
    GaugeMarked
    | GaugeReady
    | SymbolCrossed
    | CircuitRepaired
    | DamageTaken
    | BreakdownsCleared
    | OverlaySet
    | OverlayWiped
)
"""What first mate, engineer and radio operator write down."""

SystemEvent = (
    TorpedoLaunched
    | MineDropped
    | MineTriggered
    | ArcherMineTriggered
    | Blast
    | DroneLaunched
    | SonarPinged
    | SonarAnswered
)
"""Activations and what they show."""

Event = PlayEvent | BoatEvent | SheetEvent | SystemEvent

CREW_FIELDS: dict[type[Event], dict[str, Sheet]] = {
    StartChosen: {"cell": "captain"},
    CourseOrdered: {"cell": "captain"},
    DamageTaken: {"detail": "engineer"},
    MineDropped: {"cell": "captain"},
    SonarAnswered: {"true_kind": "captain"},
    SilenceRun: {"direction": "crew", "distance": "captain", "cells": "captain"},
    Surfaced: {"forced": "captain"},
    TorpedoLaunched: {"own_mine": "captain", "enemy_mine": "captain"},
}
"""Fields of public events that only a crew knows, and the sheet that shows them."""

CREW_EVENTS: dict[type[Event], Sheet] = {
    GaugeMarked: "first_mate",
    SymbolCrossed: "engineer",
    CircuitRepaired: "engineer",
    SectionTraced: "crew",
    OverlaySet: "radio_operator",
    OverlayWiped: "radio_operator",
}
"""Events that only a crew knows, and the sheet that shows them."""

BEARING = (
    CourseOrdered,
    SilenceRun,
    Surfaced,
    DamageTaken,
    TorpedoLaunched,
    SonarAnswered,
    DroneLaunched,
    Blast,
)
"""The events that tell something about where a boat can be."""


def public(event: Event) -> Event:
    """Return a public event without the fields that only a crew knows."""
    fields = CREW_FIELDS.get(type(event))
    return replace(event, **dict.fromkeys(fields)) if fields else event
