"""Which sheet shows what of an event, and what a viewer may know of it (specification sections 7 and 12)."""

from typing import Literal

from msgspec.structs import replace

from games.captain_sonar.events import (
    CircuitRepaired,
    CourseOrdered,
    DamageTaken,
    Event,
    GaugeMarked,
    GaugeReady,
    MineDropped,
    OverlaySet,
    OverlayWiped,
    Role,
    SectionTraced,
    SetupDone,
    SilenceRun,
    SonarAnswered,
    StartChosen,
    Surfaced,
    SymbolCrossed,
    TorpedoLaunched,
)
from games.captain_sonar.model import State

Sheet = Literal["crew"] | Role
"""`crew` is what every seat of a crew sees, even with strict stations."""

FIELDS: dict[type[Event], dict[str, Sheet]] = {
    StartChosen: {"cell": "captain"},
    CourseOrdered: {"cell": "captain"},
    DamageTaken: {"detail": "engineer"},
    MineDropped: {"cell": "captain"},
    SonarAnswered: {"true_kind": "captain"},
    SilenceRun: {"direction": "crew", "distance": "captain", "cells": "captain"},
    Surfaced: {"forced": "captain"},
    TorpedoLaunched: {"own_mine": "captain", "enemy_mine": "captain"},
}
"""The fields of public events that only a crew's sheet shows."""

WHOLE: dict[type[Event], Sheet] = {
    GaugeMarked: "first_mate",
    SymbolCrossed: "engineer",
    CircuitRepaired: "engineer",
    SectionTraced: "crew",
    OverlaySet: "radio_operator",
    OverlayWiped: "radio_operator",
}
"""The events that only a crew's sheet shows."""


def sees(state: State, viewer: int | None, crew: int, sheet: Sheet) -> bool:
    """Tell whether a viewer has a crew's sheet before it."""
    if state.phase == "over":
        return True
    if viewer is None or viewer not in state.crew_seats[crew]:
        return False
    return sheet == "crew" or not state.options.strict_stations or sheet in state.roles[viewer]


def redact(event: Event, viewer: int | None, state: State) -> Event | None:
    """Give what a viewer may know of an event; `state` is as of after it."""
    kind = type(event)
    if state.phase == "over":
        return event
    if isinstance(event, SetupDone):
        return replace(event, pads=None, default_starts=None)
    if isinstance(event, GaugeReady):
        shown = state.options.ready_announcements == "public"
        return event if shown or sees(state, viewer, event.crew, "crew") else None
    if kind in WHOLE:
        return event if sees(state, viewer, acting(event), WHOLE[kind]) else None
    if kind not in FIELDS:
        return event
    hidden = {
        field: None
        for field, sheet in FIELDS[kind].items()
        if not sees(
            state, viewer, 1 - acting(event) if field == "enemy_mine" else acting(event), sheet
        )
    }
    return replace(event, **hidden) if hidden else event


def public(event: Event) -> Event:
    """Give what everybody knows of a public event."""
    fields = FIELDS.get(type(event))
    return replace(event, **dict.fromkeys(fields)) if fields else event


def acting(event: Event) -> int:
    """Give the crew that an event is about."""
    crew: int = getattr(event, "crew")  # noqa: B009
    return crew
