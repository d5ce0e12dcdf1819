"""Clocks and deadlines, derived from the times of records and stored in no event."""

from collections.abc import Iterable
from typing import NamedTuple

from games.match.commands import Bank, Clock, PerMove, Phases
from games.match.model import Match, RunningClock

MILLISECOND = 1_000
SECOND = 1_000_000
"""Microseconds."""
AT_ONCE = "at_once"
"""Name of the clock of a seat that is gone.

If the seat's default is paced, the game's own clock name follows, so that each is paced apart.
"""
MOVE = "move"
"""Name of a per-move or bank clock. It reveals nothing of what was done in secret."""
BY_MOVE = frozenset((PerMove, Bank))
"""Kinds of clocks that run for a move, not for a phase of the game."""


class Deadline(NamedTuple):
    """When the clock of a waiting seat runs out (microseconds)."""

    at: int
    seat: int


def deadlines(match: Match) -> list[Deadline]:
    """Return the deadlines in force, soonest first."""
    if not match.clocks or match.status != "running" or match.paused is not None:
        return []
    return sorted(Deadline(clock.deadline, seat) for seat, clock in match.clocks.items())


def advance(match: Match, mover: int | None) -> None:
    """Stop and start clocks after a record, at the match's time. `mover` is the seat that moved.

    Unless the match runs, there are none.
    """
    if match.status != "running":
        match.clocks.clear()
        return
    clocked = match.header.clock is not None
    for chair in match.chairs:
        clocked = clocked or chair.left or chair.away
    if not clocked and not match.clocks:
        return
    waiting = match.game.waiting(match.state) if clocked else frozenset[int]()
    for seat in [seat for seat in match.clocks if seat not in waiting]:
        _charge(match, seat, moved=seat == mover)
        del match.clocks[seat]
    for seat in sorted(waiting):
        _run(match, seat, moved=seat == mover)


def restart(match: Match, seats: Iterable[int]) -> None:
    """Restart the clocks of the seats that were shown an undo by consent."""
    for seat in seats:
        _charge(match, seat, moved=False)
        del match.clocks[seat]
    advance(match, None)


def limit(match: Match, seat: int) -> int | None:
    """Return the total time (microseconds) at which the seat's running clock runs out.

    Compared with `Match.ran`. None if no clock of the seat runs.
    """
    clock = match.clocks.get(seat)
    if clock is None or _hurried(clock):
        return None
    return match.ran.get(seat, 0) + clock.allowed


def left(match: Match, seat: int, limit: int, at: int) -> int:
    """Return the microseconds left of a `limit` at a time."""
    clock = match.clocks.get(seat)
    running = 0 if clock is None or _hurried(clock) else _now(match, at) - clock.since
    return limit - match.ran.get(seat, 0) - running


def take_back(match: Match, seat: int, limit: int | None) -> None:
    """Keep the seat's clock running across a free undo, which gains no time."""
    advance(match, None)
    clock = match.clocks.get(seat)
    if limit is None or clock is None or _hurried(clock):
        return
    allowed = limit - match.ran.get(seat, 0)
    match.clocks[seat] = RunningClock(clock.name, clock.since, allowed)
    if isinstance(match.header.clock, Bank):
        match.chairs[seat].bank = allowed


def resume(match: Match, paused_at: int) -> None:
    """Shift every clock by the length of the pause."""
    pause = match.at - paused_at
    for seat, clock in match.clocks.items():
        match.clocks[seat] = RunningClock(clock.name, clock.since + pause, clock.allowed)


def _run(match: Match, seat: int, *, moved: bool) -> None:
    running = match.clocks.get(seat)
    kind = _kind(match, seat)
    by_move = type(kind) in BY_MOVE
    phase = (MOVE, 0) if by_move else _phase(match, seat, kind)
    if running is not None:
        if phase is not None and phase[0] == running.name and not (by_move and moved):
            return
        _charge(match, seat, moved=moved)
        del match.clocks[seat]
    if phase is None:
        return
    name, allowed = phase
    if by_move:
        bank = match.chairs[seat].bank
        allowed = kind.seconds * SECOND if type(kind) is PerMove else bank
    match.clocks[seat] = RunningClock(name, _now(match, match.at), allowed)


def _now(match: Match, at: int) -> int:
    """Return the time by which clocks run: it stands still during a pause."""
    return at if match.paused is None else match.paused


def _phase(match: Match, seat: int, kind: Clock | None) -> tuple[str, int] | None:
    """Return name and time (microseconds) of a seat's clock of the game. None if none runs.

    A new name restarts the clock.
    """
    if at_once(match, seat):
        pace = _pace(match, seat)
        paced = match.game.timing.clock(match.state, seat) if pace else None
        return AT_ONCE if paced is None else f"{AT_ONCE}:{paced[0]}", pace * MILLISECOND
    clock = None if kind is None else match.game.timing.clock(match.state, seat)
    return None if clock is None or clock[1] == 0 else (clock[0], clock[1] * SECOND)


def _kind(match: Match, seat: int) -> Clock | None:
    """Return the kind of clock. A seat that is gone is on the game's own clock."""
    chair = match.chairs[seat]
    return Phases() if chair.left or chair.away else match.header.clock


def _charge(match: Match, seat: int, *, moved: bool) -> None:
    """Count the time used, deduct it from the seat's bank and add the increment for a move."""
    kind = match.header.clock
    clock = match.clocks[seat]
    if _hurried(clock):
        return
    used = _now(match, match.at) - clock.since
    match.ran[seat] = match.ran.get(seat, 0) + used
    if type(kind) is not Bank:
        return
    chair = match.chairs[seat]
    chair.bank = max(0, chair.bank - used)
    if moved:
        chair.bank += kind.increment * SECOND


def at_once(match: Match, seat: int) -> bool:
    """Return whether the seat's defaults are played as soon as their pace allows.

    So they are for a seat that has left, or is away without a stand-in bot, unless the game calls
    the clock unhurried.
    """
    chair = match.chairs[seat]
    if not (chair.left or chair.away) or match.stand_in(seat):
        return False
    clock = match.game.timing.clock(match.state, seat)
    return clock is None or clock[0] not in match.game.timing.unhurried


def _pace(match: Match, seat: int) -> int:
    """Return the milliseconds from the clock's start until a seat's default is not too fast."""
    if (pace_of := match.game.timing.pace) is None:
        return 0
    pace = pace_of(match.state, seat, match.game.default(match.state, seat))
    return 0 if pace is None else pace[1]


def _hurried(clock: RunningClock) -> bool:
    return clock.name.startswith(AT_ONCE)


def knows_clock(match: Match, seat: int, viewer: int | None) -> bool:
    """Return whether a viewer may see a seat's clock. A rival crew's clock tells who has a task."""
    teams = match.game.teams(match.state)
    alone = all(len(team) == 1 for team in teams) and not match.game.timing.secret
    if alone or len(teams) == 1:
        return True
    return any(seat in team and viewer in team for team in teams)
