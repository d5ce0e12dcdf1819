"""Clocks and deadlines: derived from the records' times alone, stored in no event."""

from collections.abc import Iterable
from typing import NamedTuple

from games.match.commands import Bank, Clock, PerMove, Phases
from games.match.model import Match, RunningClock

MILLISECOND = 1_000
SECOND = 1_000_000
"""Microseconds."""
AT_ONCE = "at_once"
"""The clock of a seat that is gone; where its default is paced, the game's own name follows, so that each has its pace."""
MOVE = "move"
"""The clock of a seat that has seconds for every command, or a bank. It tells nothing of what was done in hiding."""


class Deadline(NamedTuple):
    """When the clock of a waiting seat runs out, in microseconds."""

    at: int
    seat: int


def deadlines(match: Match) -> list[Deadline]:
    """Give the deadlines that stand, soonest first."""
    if match.status != "running" or match.paused is not None:
        return []
    return sorted(Deadline(clock.deadline, seat) for seat, clock in match.clocks.items())


def advance(match: Match, mover: int | None) -> None:
    """Stop and start clocks after a record, at the match's time; `mover` is the seat that moved."""
    if match.status != "running":
        return
    chairs = match.chairs
    clocked = match.header.clock is not None or any(c.left or c.away for c in chairs)
    if not clocked and not match.clocks:
        return
    waiting = match.game.waiting(match.state) if clocked else frozenset[int]()
    for seat in [seat for seat in match.clocks if seat not in waiting]:
        _charge(match, seat, moved=seat == mover)
        del match.clocks[seat]
    for seat in sorted(waiting):
        _run(match, seat, moved=seat == mover)


def restart(match: Match, seats: Iterable[int]) -> None:
    """Start the clocks of seats anew: after an undo by consent, those of whom it was told."""
    for seat in seats:
        _charge(match, seat, moved=False)
        del match.clocks[seat]
    advance(match, None)


def limit(match: Match, seat: int) -> int | None:
    """Tell how long the seat's clocks may run altogether until the one that it is on runs out; None if it is on none."""
    clock = match.clocks.get(seat)
    if clock is None or _hurried(clock):
        return None
    return match.ran.get(seat, 0) + clock.allowed


def left(match: Match, seat: int, limit: int, at: int) -> int:
    """Give the microseconds that are left of such a limit at a time."""
    clock = match.clocks.get(seat)
    running = 0 if clock is None or _hurried(clock) else _now(match, at) - clock.since
    return limit - match.ran.get(seat, 0) - running


def take_back(match: Match, seat: int, limit: int | None) -> None:
    """After a free undo, let the seat's clock go on as if nothing had been sent: that buys no time."""
    advance(match, None)
    clock = match.clocks.get(seat)
    if limit is None or clock is None or _hurried(clock):
        return
    allowed = limit - match.ran.get(seat, 0)
    match.clocks[seat] = RunningClock(clock.name, clock.since, allowed)
    if isinstance(match.header.clock, Bank):
        match.chairs[seat].bank = allowed


def resume(match: Match, paused_at: int) -> None:
    """Move every clock by the length of the pause."""
    pause = match.at - paused_at
    for seat, clock in match.clocks.items():
        match.clocks[seat] = RunningClock(clock.name, clock.since + pause, clock.allowed)


def _run(match: Match, seat: int, *, moved: bool) -> None:
    running = match.clocks.get(seat)
    named = _name(match, seat)
    if running is not None:
        again = moved and isinstance(_kind(match, seat), PerMove | Bank)
        if named == running.name and not again:
            return
        _charge(match, seat, moved=moved)
        del match.clocks[seat]
    if named is not None and (allowed := _allowed(match, seat)) is not None:
        match.clocks[seat] = RunningClock(named, _now(match, match.at), allowed)


def _now(match: Match, at: int) -> int:
    """Give the time by which clocks go: in a pause it stands."""
    return at if match.paused is None else match.paused


def _name(match: Match, seat: int) -> str | None:
    """Name the clock that the seat is on now: a new name restarts it."""
    if at_once(match, seat):
        paced = match.game.timing.clock(match.state, seat) if _pace(match, seat) else None
        return AT_ONCE if paced is None else f"{AT_ONCE}:{paced[0]}"
    kind = _kind(match, seat)
    if kind is None:
        return None
    if isinstance(kind, PerMove | Bank):
        return MOVE
    clock = match.game.timing.clock(match.state, seat)
    return None if clock is None or clock[1] == 0 else clock[0]


def _allowed(match: Match, seat: int) -> int | None:
    if at_once(match, seat):
        return _pace(match, seat) * MILLISECOND
    kind = _kind(match, seat)
    if isinstance(kind, PerMove):
        return kind.seconds * SECOND
    if isinstance(kind, Bank):
        return match.chairs[seat].bank
    clock = match.game.timing.clock(match.state, seat)
    return None if clock is None else clock[1] * SECOND


def _kind(match: Match, seat: int) -> Clock | None:
    """Give the clock's kind; a seat that is gone is always on the game's own, lest the match hang."""
    chair = match.chairs[seat]
    return Phases() if chair.left or chair.away else match.header.clock


def _charge(match: Match, seat: int, *, moved: bool) -> None:
    """Count the time used, take it from the seat's bank and, for a move, add the increment."""
    kind = match.header.clock
    clock = match.clocks[seat]
    if _hurried(clock):
        return
    used = _now(match, match.at) - clock.since
    match.ran[seat] = match.ran.get(seat, 0) + used
    if not isinstance(kind, Bank):
        return
    chair = match.chairs[seat]
    chair.bank = max(0, chair.bank - used)
    if moved:
        chair.bank += kind.increment * SECOND


def at_once(match: Match, seat: int) -> bool:
    """Tell whether the seat's defaults come as soon as their pace allows: it has left, or is away and no bot stands in.

    A clock that the game calls unhurried stays as it is.
    """
    chair = match.chairs[seat]
    if not (chair.left or chair.away) or match.stand_in(seat):
        return False
    clock = match.game.timing.clock(match.state, seat)
    return clock is None or clock[0] not in match.game.timing.unhurried


def _pace(match: Match, seat: int) -> int:
    """Give the milliseconds after which a seat's default is not too fast, counted from when its clock starts."""
    pace = match.game.timing.pace(match.state, seat, match.game.default(match.state, seat))
    return 0 if pace is None else pace[1]


def _hurried(clock: RunningClock) -> bool:
    return clock.name.startswith(AT_ONCE)


def knows_clock(match: Match, seat: int, viewer: int | None) -> bool:
    """Tell whether a viewer may see a seat's clock: rival crews' clocks tell who has a task."""
    teams = match.game.teams(match.state)
    alone = all(len(team) == 1 for team in teams) and not match.game.timing.secret
    if alone or len(teams) == 1:
        return True
    return any(seat in team and viewer in team for team in teams)
