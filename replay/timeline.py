"""The timeline: who did what and when, how long it took, and which records were taken back.

Everything a viewer's timeline holds follows from what that viewer was shown: times are those of its own records, and
a clock is told only to those who may see it.
"""

from collections.abc import Iterable, Sequence
from typing import Any

import msgspec
from msgspec import UNSET

from events.record import at_micros
from games.match.clocks import knows_clock
from games.match.commands import By
from games.match.events import TimedOut, Undone
from games.match.model import Match, RunningClock
from projections.folded import ToldRecord
from replay.travel import Games, Sight, Step, steps


class Moment(msgspec.Struct, omit_defaults=True):
    """One record of the timeline."""

    v: int
    """The sight's own number."""
    at: str
    by: By | None
    """None where the viewer may not know whose doing it is."""
    command: Any
    """In a viewer's sight only the viewer's own."""
    events: list[Any]
    turn: int
    """Counts on whenever another seat moves than before, as far as the sight knows; 0 before the first move."""
    seat: int | None = None
    """Whose move it was, also when the clock played it."""
    think_us: int | None = None
    """Microseconds for which the seat had been on the move."""
    clock_left_us: int | None = None
    """Microseconds that its clock still had; 0 when it ran out."""
    undone_by: int | None = None
    """Number of the record that took this one back: it lies on an abandoned line."""


class Watch:
    """What a sight has seen of who is on the move, and on which clock."""

    def __init__(self, sight: Sight) -> None:
        """Start before the first record."""
        self._sight: Sight = sight
        self._since: dict[int, int] = {}
        """Since when a seat has been on the move, in microseconds."""
        self._clocks: dict[int, RunningClock] = {}
        self._mover: int | None = None
        self._turn = 0
        self._line: list[tuple[int, Moment]] = []
        """The effective line as far as shown: the log's versions and the moments."""

    def moment(self, step: Step) -> Moment:
        """Take the next record in; mark those that it takes back."""
        told, match = step.told, step.folded.match
        moment = Moment(told.v, told.at, told.by, told.command, told.events, self._turn)
        now = at_micros(told.at)
        moved = bool(match.line) and match.line[-1].version == match.version
        if moved and self._knows_mover(told):
            moment.seat = match.line[-1].seat
            if moment.seat not in (None, self._mover):
                self._mover, self._turn = moment.seat, self._turn + 1
                moment.turn = self._turn
        if moment.seat in self._since:
            moment.think_us = now - self._since[moment.seat]
        if moment.seat in self._clocks:
            moment.clock_left_us = max(0, self._clocks[moment.seat].deadline - now)
        self._take_back(step, moment)
        if moved:
            self._line.append((match.version, moment))
        self._look(match, moment.seat, now)
        return moment

    def _knows_mover(self, told: ToldRecord) -> bool:
        """Tell whether the sight may know whose move it was: a rival crew's clock may be hidden from it."""
        if self._sight == "full":
            return True
        if told.by is None or not told.by.clock:
            return told.by is not None
        return any(isinstance(event, TimedOut) for event in told.events)

    def _take_back(self, step: Step, moment: Moment) -> None:
        for event in step.record.events:
            if isinstance(event, Undone):
                kept = () if event.kept is UNSET else event.kept
                line, self._line = self._line, []
                for version, earlier in line:
                    if version > event.to and version not in kept:
                        earlier.undone_by = moment.v
                    else:
                        self._line.append((version, earlier))

    def _look(self, match: Match, mover: int | None, now: int) -> None:
        sight = self._sight
        awaited: frozenset[int] = frozenset()
        if match.status == "running":
            game, state = match.game, match.state
            awaited = game.waiting(state) if sight == "full" else game.awaited(state, sight)
        self._since = {
            seat: now if seat == mover else self._since.get(seat, now) for seat in awaited
        }
        self._clocks = {
            seat: clock
            for seat, clock in match.clocks.items()
            if sight == "full" or knows_clock(match, seat, sight)
        }


def timeline(games: Games, lines: Iterable[bytes], sight: Sight) -> list[Moment]:
    """Give every record as shown in a sight, in the order of the log; raises what `Folded` raises."""
    watch = Watch(sight)
    return [watch.moment(step) for step in steps(games, lines, sight)]


def turn_from(moments: Sequence[Moment], place: int, step: int) -> int:
    """Give the place of the first record of the next turn (`step` 1), or of this one or the one before (-1).

    At either end it is the last or the first record.
    """
    turn = moments[place].turn
    if step > 0:
        later = (at for at in range(place, len(moments)) if moments[at].turn > turn)
        return next(later, len(moments) - 1)
    at = max(place - 1, 0)
    while at > 0 and moments[at - 1].turn == moments[at].turn:
        at -= 1
    return at
