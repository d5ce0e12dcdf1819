"""Who is to act, for how long, and what the clock plays for them."""

from collections.abc import Sequence

from games.captain_sonar.commands import (
    ChooseStart,
    Command,
    ConfirmSilence,
    CrossSymbol,
    Dive,
    EndTurn,
    MarkGauge,
    OrderCourse,
    Surface,
    TraceSection,
)
from games.captain_sonar.components import CIRCUITS, RADIATION, SYMBOLS
from games.captain_sonar.model import Crew, State
from games.captain_sonar.rules.crews import crew_of, sea, seat_of, sees
from games.captain_sonar.rules.detection import answers
from games.captain_sonar.rules.movement import headings
from games.captain_sonar.rules.repairs import canonical, tracers, untraced
from games.captain_sonar.rules.tasks import crossable, crossing, markable

MARK_ORDER = ("torpedo", "mine", "drone", "sonar", "silence", "scenario")


def waiting(state: State) -> frozenset[int]:
    """Return the seats on the clock."""
    if state.phase == "over" or not state.roles:
        return frozenset()
    return frozenset((*_waiting_of(state, 0), *_waiting_of(state, 1)))


def _waiting_of(state: State, crew: int) -> Sequence[int]:
    """Return the seats of a crew that are on the clock."""
    boat = state.crews[crew]
    if state.phase == "deploy":
        return () if boat.position else (seat_of(state, crew, "captain"),)
    if state.sonar_asker is not None:
        return () if crew == state.sonar_asker else (seat_of(state, crew, "captain"),)
    if state.mode == "turns" and crew != state.active_crew:
        return ()
    if state.stop is not None and crew != state.stop.crew:
        return ()
    if boat.station == "surfaced":
        return tracers(state, crew)
    if boat.need_mark or boat.need_symbol:
        return _owing(state, crew)
    return (seat_of(state, crew, "captain"),)


def awaited_by(state: State, viewer: int | None) -> frozenset[int]:
    """Return the seats on the clock as far as a viewer may know.

    If an outsider's view hides what a crew at work does, all seats of the crew stand for those
    that act.
    """
    seats = waiting(state)
    if state.sonar_asker is not None:
        return seats
    for crew, boat in enumerate(state.crews):
        whole = state.crew_seats[crew]
        veiled = boat.station in ("tasks", "silent", "surfaced")
        if veiled and not sees(state, viewer, crew, "crew") and not seats.isdisjoint(whole):
            seats = seats.union(whole)
    return seats


def _owing(state: State, crew: int) -> list[int]:
    """List the seats that owe a task for a move."""
    boat = state.crews[crew]
    mates = [seat_of(state, crew, "first_mate")] if boat.need_mark else []
    return mates + ([seat_of(state, crew, "engineer")] if boat.need_symbol else [])


def teams(state: State) -> list[frozenset[int]]:
    """Return the two crews (SON-106)."""
    return [frozenset(seats) for seats in state.crew_seats]


def clock(state: State, seat: int) -> tuple[str, int] | None:
    """Return name and seconds of a waiting seat's clock, never less than its pace allows."""
    if seat not in waiting(state):
        return None
    options, live = state.options, state.mode == "real_time"
    boat = state.crews[crew_of(state, seat)]
    task = options.clock_task_rt_s if live else options.clock_task_s
    if state.phase == "deploy":
        return "deploy", options.clock_deploy_s
    if state.sonar_asker is not None:
        return "answer", options.clock_answer_rt_s if live else options.clock_answer_s
    if boat.need_mark or boat.need_symbol:
        return "task", task
    match boat.station:
        case "silent":
            return "confirm", task
        case "surfaced":
            name = f"trace:{len(boat.traces)}"
            return name, max(options.clock_trace_s, _seconds(options.min_trace_ms))
        case "dive_ready":
            return "dive", options.clock_trace_s
        case _ if live:
            return "idle", max(options.clock_idle_s, _seconds(options.min_course_gap_ms))
        case _:
            return "system" if state.phase == "system" else "course", options.clock_course_s


def _seconds(milliseconds: int) -> int:
    """Convert milliseconds to seconds, rounded up."""
    return -(-milliseconds // 1000)


def pace(state: State, seat: int, command: Command) -> tuple[str, int] | None:
    """Return the bucket of a command and the least milliseconds between two (real time only)."""
    if state.mode == "turns":
        return None
    crew = crew_of(state, seat)
    match command:
        case OrderCourse():
            return f"course:{crew}", state.options.min_course_gap_ms
        case TraceSection():
            return f"trace:{crew}", state.options.min_trace_ms
        case Surface():
            return f"trace:{crew}", 0
        case _:
            return None


def default(state: State, seat: int) -> Command:
    """Return the command that the clock plays for a waiting seat."""
    crew = crew_of(state, seat)
    boat, roles = state.crews[crew], state.roles[seat]
    if state.phase == "deploy":
        return ChooseStart(state.default_starts[crew])
    pads = state.pads[crew]
    pad = pads[state.version % len(pads)]
    if state.sonar_asker is not None:
        assert boat.position is not None, "under way"
        known = sorted(answers(sea(state), boat.position))
        return known[pad % len(known)].command()
    if boat.need_mark and "first_mate" in roles:
        return MarkGauge(_default_mark(state, boat))
    if boat.need_symbol and "engineer" in roles:
        return CrossSymbol(_default_symbol(state, boat))
    if boat.station == "silent":
        return ConfirmSilence()
    if boat.station == "surfaced":
        return canonical(state, untraced(state, crew)[0])
    if boat.station == "dive_ready":
        return Dive()
    if state.phase == "system":
        return EndTurn()
    ways = headings(state, boat)
    return OrderCourse(ways[pad % len(ways)]) if ways else Surface()


def _default_mark(state: State, boat: Crew) -> str:
    """Return the first gauge with space, weapons first."""
    open_gauges = markable(state, boat)
    return next(gauge for gauge in MARK_ORDER if gauge in open_gauges)


def _default_symbol(state: State, boat: Crew) -> str:
    """Return the symbol that does the least harm."""
    crossed, open_symbols = boat.crossed, crossable(boat)
    for symbol in open_symbols:
        circuit = SYMBOLS[symbol].circuit
        if circuit and CIRCUITS[circuit] <= {*crossed, symbol}:
            return symbol
    completes_panel = len(open_symbols) == 1
    if len(RADIATION.intersection(crossed)) < len(RADIATION) - 1 and not completes_panel:
        for symbol in open_symbols:
            if symbol in RADIATION:
                return symbol
    for symbol in open_symbols:
        if not crossing(crossed, symbol, damage_first=state.options.damage_first)[1]:
            return symbol
    return open_symbols[0]
