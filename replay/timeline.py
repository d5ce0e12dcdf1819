"""The timeline: all records with actor, time, thinking time, and the undo that removed them.

A viewer's timeline is computed only from what that viewer was shown: the times are those of the
shown records, and clocks appear only if the viewer may see them.
"""

from collections.abc import Iterable, Sequence

import msgspec
from msgspec import UNSET

from events.record import at_micros
from games.match.clocks import knows_clock
from games.match.commands import Actor
from games.match.events import TimedOut, Undone
from games.match.model import Match, RunningClock
from games.wire import RecordedCommand, RecordedEvent, Time
from projections.folded import ToldRecord
from replay.travel import Games, Sight, Step, steps


class Moment(msgspec.Struct, omit_defaults=True):
    """One record of the timeline."""

    v: int
    """Version as numbered in the sight."""
    game: str
    at: Time
    by: Actor | None
    """None if the actor is hidden from this viewer."""
    command: RecordedCommand | None
    """The command. A viewer is shown only commands that it sent itself."""
    events: list[RecordedEvent]
    turn: int
    """Number of the turn. It increases when another seat moves. 0 before the first move."""
    seat: int | None = None
    """The seat that moved, or for which the clock moved."""
    think_us: int | None = None
    """Time for which the seat had been to move (microseconds)."""
    clock_left_us: int | None = None
    """Time left on the seat's clock (microseconds). 0 if it ran out."""
    undone_by: int | None = None
    """Version of the record that undid this one. None if this record still counts."""


class Watch:
    """Follows the seats to move and their clocks, as far as the sight may know them."""

    def __init__(self, sight: Sight) -> None:
        """Start before the first record."""
        self._sight: Sight = sight
        self._since: dict[int, int] = {}
        """Time from which each seat has been to move (microseconds since 1970)."""
        self._clocks: dict[int, RunningClock] = {}
        self._mover: int | None = None
        self._turn = 0
        self._line: list[tuple[int, Moment]] = []
        """The shown part of the effective line: versions of the log with their moments."""

    def moment(self, step: Step) -> Moment:
        """Return the moment of the next record, and mark the moments that it undoes."""
        told, match = step.told, step.folded.match
        moment = Moment(told.v, told.game, told.at, told.by, told.command, told.events, self._turn)
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
        """Return whether this viewer may see who moved. A rival crew's clock may be hidden."""
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
    """Return all records as shown in a sight, in order. Raises the errors of `Folded`."""
    watch = Watch(sight)
    return [watch.moment(step) for step in steps(games, lines, sight)]


def turn_from(moments: Sequence[Moment], place: int, step: int) -> int:
    """Return the index of the first record of the next turn (`step` 1) or a turn back (-1).

    A turn back goes to the start of the current turn or, if that is `place` itself, of the turn
    before. At the ends of the match it returns the last or the first record.
    """
    turn = moments[place].turn
    if step > 0:
        later = (index for index in range(place, len(moments)) if moments[index].turn > turn)
        return next(later, len(moments) - 1)
    index = max(place - 1, 0)
    while index > 0 and moments[index - 1].turn == moments[index].turn:
        index -= 1
    return index
