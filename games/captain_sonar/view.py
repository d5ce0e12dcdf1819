"""What a viewer may know of a match; `redaction.py` does the same for events."""

from games.captain_sonar.board import Cell
from games.captain_sonar.clocks import waiting
from games.captain_sonar.model import CrewView, State, View
from games.captain_sonar.redaction import sees

OUTSIDE = {
    "ashore": "ashore",
    "ready": "idle",
    "tasks": "busy",
    "silent": "busy",
    "surfaced": "surfaced",
    "dive_ready": "dive_ready",
}
"""A crew's station as outsiders read it."""


def view(state: State, viewer: int | None) -> View:
    """Build what `viewer` may know; None is a spectator."""
    over = state.phase == "over"
    busy = state.phase in ("tasks", "silence") and not sees(
        state, viewer, state.active_crew, "crew"
    )
    return View(
        mode=state.mode,
        map=state.map,
        side=state.side,
        size=state.size,
        options=state.options,
        crew_seats=state.crew_seats,
        roles=state.roles,
        first_crew=state.first_crew,
        pads=state.pads if over else None,
        default_starts=state.default_starts if over else None,
        phase="busy" if busy else state.phase,
        active_crew=state.active_crew,
        turns_left=state.turns_left,
        bonus=state.bonus,
        turn_no=state.turn_no,
        stop=state.stop,
        sonar_asker=state.sonar_asker,
        archer_mines=tuple(state.archer_mines),
        damage=(state.damage[0], state.damage[1]),
        courses_total=state.courses_total,
        winner=state.winner,
        draw=state.draw,
        crews=(crew_view(state, viewer, 0), crew_view(state, viewer, 1)),
        waiting=tuple(sorted(awaited(state, viewer))),
    )


def crew_view(state: State, viewer: int | None, crew: int) -> CrewView:
    """Build what `viewer` may know of a crew: its sheets, by role with strict stations."""
    boat = state.crews[crew]
    aboard = sees(state, viewer, crew, "crew")
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
        station=boat.station if aboard else OUTSIDE[boat.station],  # pyright: ignore[reportArgumentType]
        need_mark=boat.need_mark if first_mate else None,
        mark_excluded=boat.mark_excluded if first_mate else None,
        need_symbol=boat.need_symbol if engineer else None,
        may_activate=boat.may_activate if aboard else None,
        traces=tuple(boat.traces) if aboard else None,
        heard=tuple(boat.heard) if radio_operator else None,
        overlay=boat.overlay if radio_operator else None,
        candidates=candidates(state, crew) if radio_operator else None,
    )


def candidates(state: State, crew: int) -> tuple[Cell, ...] | None:
    """List the cells where a crew's enemy can be, if the option asks for it."""
    if state.story is None or state.phase == "deploy":
        return None
    return state.story.beliefs[1 - crew].candidates()


def awaited(state: State, viewer: int | None) -> frozenset[int]:
    """Give the seats on the clock; of an outsider's busy or surfaced crew all seats, if any."""
    seats = waiting(state)
    if state.sonar_asker is not None:
        return seats
    for crew, boat in enumerate(state.crews):
        whole = frozenset(state.crew_seats[crew])
        veiled = boat.station in ("tasks", "silent", "surfaced")
        if veiled and seats & whole and not sees(state, viewer, crew, "crew"):
            seats |= whole
    return seats
