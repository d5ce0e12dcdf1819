"""Repairs on the surface in real time (SON-85 to SON-91)."""

from games.captain_sonar.commands import TraceSection
from games.captain_sonar.components import OUTLINES, SECTIONS, Cell
from games.captain_sonar.events import (
    BreakdownsCleared,
    Dived,
    ReadyToDive,
    RepairsInspected,
    SectionTraced,
)
from games.captain_sonar.fold import Draft
from games.captain_sonar.model import State
from games.captain_sonar.rules.crews import seat_of
from games.game import Illegal

PATH_MAX = 64
MARGIN = 2
"""Cells by which a path may leave the grid of a section."""


def tracers(state: State, crew: int) -> list[int]:
    """List the seats that may trace next (SON-88)."""
    traced = [seat for _, seat, _ in state.crews[crew].traces]
    if not traced:
        return [seat_of(state, crew, "engineer")]
    seats = state.crew_seats[crew]
    return [seat for seat in seats if seat not in traced] or list(seats)


def untraced(state: State, crew: int) -> list[int]:
    """List the sections still to trace, ascending."""
    traced = [section for section, _, _ in state.crews[crew].traces]
    return [section for section in SECTIONS if section not in traced]


def canonical(state: State, section: int) -> TraceSection:
    """Return the clean trace of a section that represents all others (SON-87)."""
    simple = state.options.trace_mode == "simple"
    return TraceSection(section, () if simple else OUTLINES[section])


def well_formed(state: State, command: TraceSection) -> bool:
    """Return whether a path has a possible length and stays near the grid (SON-87)."""
    if state.options.trace_mode == "simple":
        return not command.path
    section = SECTIONS[command.section]
    columns = range(-MARGIN, section.width + MARGIN)
    rows = range(-MARGIN, section.height + MARGIN)
    return 1 <= len(command.path) <= PATH_MAX and all(
        column in columns and row in rows for column, row in command.path
    )


def is_clean(path: tuple[Cell, ...], outline: tuple[Cell, ...]) -> bool:
    """Return whether a path goes once around the outline, from any cell, either way (SON-87)."""
    if len(path) != len(outline) or path[0] not in outline:
        return False
    at = outline.index(path[0])
    onward = (*outline[at:], *outline[:at])
    back = (onward[0], *onward[:0:-1])
    return path in (onward, back)


def trace_section(draft: Draft, seat: int, crew: int, command: TraceSection) -> None:
    """Trace a section; the fourth trace ends the attempt (SON-86 to SON-89)."""
    state, section = draft.state, command.section
    boat = state.crews[crew]
    if boat.station != "surfaced":
        raise Illegal("not-surfaced")
    if section not in SECTIONS:
        raise Illegal("section-unknown")
    if section not in untraced(state, crew):
        raise Illegal("section-already-traced")
    if seat not in tracers(state, crew):
        raise Illegal("already-initialled" if boat.traces else "engineer-traces-first")
    if not well_formed(state, command):
        raise Illegal("trace-malformed")
    simple = state.options.trace_mode == "simple"
    clean = simple or is_clean(command.path, OUTLINES[section])
    draft.add(SectionTraced(crew, seat, section, command.path, clean))
    if len(boat.traces) == len(SECTIONS):
        ok = all(done for _, _, done in boat.traces)
        draft.add(RepairsInspected(crew, ok))
        if ok:
            draft.add(BreakdownsCleared(crew))
            draft.add(ReadyToDive(crew))


def dive(draft: Draft, crew: int) -> None:
    """Leave the surface (SON-90)."""
    if draft.state.crews[crew].station != "dive_ready":
        raise Illegal("not-ready-to-dive")
    draft.add(Dived(crew))
