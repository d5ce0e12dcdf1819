"""What a viewer may know of a match and of its events."""

from functools import cache
from typing import Literal

from msgspec.structs import replace

from games.captain_sonar.components import Cell
from games.captain_sonar.events import CREW_EVENTS, CREW_FIELDS, Event, GaugeReady, Role, SetupDone
from games.captain_sonar.model import CrewView, State, Station, View
from games.captain_sonar.rules.belief import beliefs
from games.captain_sonar.rules.crews import crew_of, sees
from games.captain_sonar.turns import awaited_by
from games.structs import projector

OUTSIDE: dict[Station, Literal["ashore", "idle", "busy", "surfaced", "dive_ready"]] = {
    "ashore": "ashore",
    "ready": "idle",
    "tasks": "busy",
    "silent": "busy",
    "surfaced": "surfaced",
    "dive_ready": "dive_ready",
}
"""The station of a crew as outsiders read it."""

WITHHELD = frozenset((*CREW_EVENTS, GaugeReady))
"""Events of which an outsider may be shown nothing."""

_project = projector(State, View)


def view(state: State, viewer: int | None) -> View:
    """Return what a viewer may know; None is a spectator."""
    over = state.phase == "over"
    busy = state.phase in ("tasks", "silence") and not sees(
        state, viewer, state.active_crew, "crew"
    )
    return _project(
        state,
        pads=state.pads if over else None,
        default_starts=state.default_starts if over else None,
        phase="busy" if busy else state.phase,
        damage=(state.damage[0], state.damage[1]),
        crews=(_crew_view(state, viewer, 0), _crew_view(state, viewer, 1)),
        waiting=tuple(sorted(awaited_by(state, viewer))),
    )


def view_key(state: State, viewer: int | None) -> tuple[int, tuple[tuple[Role, ...], ...]] | None:
    """Return what a view depends on: the viewer's crew and, with strict stations, its roles."""
    if viewer is None:
        return None
    roles = state.roles[viewer : viewer + 1] if state.options.strict_stations else ()
    return crew_of(state, viewer), roles


def _crew_view(state: State, viewer: int | None, crew: int) -> CrewView:
    """Return what a viewer may know of a crew: the sheets that the viewer sees."""
    boat = state.crews[crew]
    if not sees(state, viewer, crew, "crew"):
        return _from_outside(boat.station)
    captain = sees(state, viewer, crew, "captain")
    first_mate = sees(state, viewer, crew, "first_mate")
    engineer = sees(state, viewer, crew, "engineer")
    radio_operator = sees(state, viewer, crew, "radio_operator")
    return CrewView(
        position=boat.position if captain else None,
        route=tuple(boat.route) if captain else None,
        mines=tuple(boat.mines) if captain else None,
        gauges=boat.gauges.copy() if first_mate else None,
        crossed=tuple(boat.crossed) if engineer else None,
        station=boat.station,
        need_mark=boat.need_mark if first_mate else None,
        mark_excluded=boat.mark_excluded if first_mate else None,
        need_symbol=boat.need_symbol if engineer else None,
        may_activate=boat.may_activate,
        traces=tuple(boat.traces),
        heard=tuple(boat.heard) if radio_operator else None,
        overlay=boat.overlay if radio_operator else None,
        candidates=_candidates(state, crew) if radio_operator else None,
    )


@cache
def _from_outside(station: Station) -> CrewView:
    """Return what everybody else may know of a crew: its station, and that not exactly."""
    hidden = dict.fromkeys(CrewView.__struct_fields__)
    return CrewView(**{**hidden, "station": OUTSIDE[station]})  # type: ignore[arg-type]


def _candidates(state: State, crew: int) -> tuple[Cell, ...] | None:
    """List the cells where the enemy of a crew can be; None unless the option asks for it."""
    if state.story is None or state.phase == "deploy":
        return None
    return beliefs(state.story)[1 - crew].candidates()


def redact(event: Event, viewer: int | None, state: State) -> Event | None:
    """Return what a viewer may know of an event, given the state after it; None if nothing."""
    kind = type(event)
    if state.phase == "over":
        return event
    if type(event) is SetupDone:
        return replace(event, pads=None, default_starts=None)
    if type(event) is GaugeReady:
        shown = state.options.ready_announcements == "public"
        return event if shown or sees(state, viewer, event.crew, "crew") else None
    if kind in CREW_EVENTS:
        return event if sees(state, viewer, _acting(event), CREW_EVENTS[kind]) else None
    if kind not in CREW_FIELDS:
        return event
    hidden = {
        field: None
        for field, sheet in CREW_FIELDS[kind].items()
        if not sees(
            state, viewer, 1 - _acting(event) if field == "enemy_mine" else _acting(event), sheet
        )
    }
    return replace(event, **hidden) if hidden else event


def _acting(event: Event) -> int:
    """Return the crew that an event is about."""
    crew: int = getattr(event, "crew")  # noqa: B009
    return crew
