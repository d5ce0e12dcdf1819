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
"""A part of what a crew knows. Every seat of the crew sees `crew`; a role sees its own sheet."""


class SetupDone(Tagged, frozen=True):
    """The game was set up, with all of its chance (SON-4, SON-8).

    Pads and default starts are hidden until the end.
    """

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
    """A captain chose the start (SON-6). Only the crew sees the cell."""

    crew: int
    cell: Cell | None


class Dived(Tagged, frozen=True):
    """A boat is under way, at the start (SON-7) or after repairs (SON-90). Public."""

    crew: int


class TurnStarted(Tagged, frozen=True):
    """A crew's turn began, the first of `turns_left` in a row (SON-82). Public."""

    crew: int
    turns_left: int
    bonus: bool


class CourseOrdered(Tagged, frozen=True):
    """A boat moved one cell (SON-10, SON-11). Only the crew sees the cell."""

    crew: int
    direction: Direction
    cell: Cell | None


class GaugeMarked(Tagged, frozen=True):
    """The first mate marked a space (SON-20). Only the crew sees it."""

    crew: int
    gauge: str
    marks: int


class GaugeReady(Tagged, frozen=True):
    """A gauge is full (SON-24). Public, unless an option shows it to the crew only."""

    crew: int
    gauge: str


class SymbolCrossed(Tagged, frozen=True):
    """The engineer crossed a symbol (SON-26). Only the crew sees it."""

    crew: int
    symbol: str


class CircuitRepaired(Tagged, frozen=True):
    """A whole circuit repaired itself (SON-31). Only the crew sees it."""

    crew: int
    circuit: Circuit


class DamageTaken(Tagged, frozen=True):
    """A boat was damaged. Only the crew sees by which breakdown (SON-36)."""

    crew: int
    amount: int
    """Nominal: 1 or 2."""
    total: int
    """At most 4."""
    cause: Cause
    detail: Literal["radiation", "area", "both", ""] | None


class BreakdownsCleared(Tagged, frozen=True):
    """All symbols of a board were erased (SON-32, SON-33, SON-81, SON-89). Public."""

    crew: int


class StopCalled(Tagged, frozen=True):
    """An activation stopped both crews (SON-43). Public."""

    crew: int
    role: Literal["captain", "first_mate"]
    system: str
    """The gauge, or `trigger`."""


class Resumed(Tagged, frozen=True):
    """The stop called by `crew` was lifted (SON-43). Public."""

    crew: int


class TorpedoLaunched(Tagged, frozen=True):
    """A torpedo went off and removed all mines at its target (SON-51 to SON-53)."""

    crew: int
    target: Cell
    own_mine: bool | None
    """Whether a mine of the firing crew was there. Only that crew sees it."""
    enemy_mine: bool | None
    """Whether a mine of the other crew was there. Only that crew sees it."""
    archer_mine: bool


class MineDropped(Tagged, frozen=True):
    """A mine was dropped (SON-63). Only the crew sees the cell."""

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
    """The impact of a blast on each boat (SON-54 to SON-56). Public."""

    cell: Cell
    source: Literal["torpedo", "mine", "archer_mine"]
    results: tuple[Impact, Impact]
    """By crew."""


class DroneLaunched(Tagged, frozen=True):
    """A drone was asked and answered truly (SON-68). Public."""

    crew: int
    sector: int
    answer: bool


class SonarPinged(Tagged, frozen=True):
    """The other captain owes two facts (SON-69). Public."""

    crew: int


class SonarAnswered(Tagged, frozen=True):
    """A captain named two facts, one of them true (SON-72). Only the crew sees which one."""

    crew: int
    kinds: tuple[Kind, Kind]
    values: tuple[int, int]
    true_kind: Kind | None


class SilenceRun(Tagged, frozen=True):
    """A boat moved unheard (SON-73). Only the crew sees where to."""

    crew: int
    direction: Literal["n", "e", "s", "w", ""] | None
    distance: int | None
    cells: tuple[Cell, ...] | None


class SilenceOver(Tagged, frozen=True):
    """The captain ended the silent run (SON-79). Public."""

    crew: int


class Surfaced(Tagged, frozen=True):
    """A boat surfaced (SON-80). Only the crew sees whether no direction was left."""

    crew: int
    sector: int
    forced: bool | None


class SectionTraced(Tagged, frozen=True):
    """A hull section was traced (SON-86). Only the crew sees it."""

    crew: int
    seat: int
    section: int
    path: tuple[Cell, ...]
    clean: bool


class RepairsInspected(Tagged, frozen=True):
    """All four sections were inspected (SON-89). Public."""

    crew: int
    ok: bool


class ReadyToDive(Tagged, frozen=True):
    """The captain may dive (SON-89). Public."""

    crew: int


class TurnEnded(Tagged, frozen=True):
    """A crew's turn ended (SON-46). Public."""

    crew: int


class OverlaySet(Tagged, frozen=True):
    """The radio operator assumed a start (SON-98). Only the crew sees it."""

    crew: int
    origin: Cell


class OverlayWiped(Tagged, frozen=True):
    """The radio operator erased the heard track (SON-99). Only the crew sees it."""

    crew: int


class SubmarineDestroyed(Tagged, frozen=True):
    """A boat sank (SON-102). `both`: the other one as well (SON-104). Public."""

    crew: int
    both: bool


class LimitReached(Tagged, frozen=True):
    """The limit of the options ended the game (SON-107). Public."""


PlayEvent = (
    SetupDone | TurnStarted | TurnEnded | StopCalled | Resumed | SubmarineDestroyed | LimitReached
)
"""Set-up, turns, stops and the end."""

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
"""Movement and station of a boat."""

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
"""Entries on the sheets of first mate, engineer and radio operator."""

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
"""Activations and their outcomes."""

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

BEARING = frozenset(
    (
        CourseOrdered,
        SilenceRun,
        Surfaced,
        DamageTaken,
        TorpedoLaunched,
        SonarAnswered,
        DroneLaunched,
        Blast,
    )
)
"""The public events that tell where a boat can be."""


def public(event: Event) -> Event:
    """Return a public event without the fields that only a crew knows."""
    fields = CREW_FIELDS.get(type(event))
    return replace(event, **dict.fromkeys(fields)) if fields else event
