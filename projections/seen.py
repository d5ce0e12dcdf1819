"""What one viewer has seen of a match, for its bot or hint: the effective line, without what was undone."""

from collections import deque
from collections.abc import Iterator, Sequence
from typing import Any

from games.game import Seen, SeenRecord
from games.match import states
from games.match.commands import TimeOut
from games.match.model import Entry, Match
from games.match.viewers import own_number
from projections.folded import Viewer


def seen(match: Match, viewer: Viewer) -> Seen:
    """Give the records of the game as a viewer was shown them, the set-up first.

    Each is redacted at the state it led to, as it was when it came. A branch begins with what its parent showed, as
    far as that is known.
    """
    last = deque(growing(match, viewer), maxlen=1)
    records = last[0][1] if last else match.past.get(viewer, ())
    return memory(match, viewer, records)


def memory(match: Match, viewer: Viewer, records: Sequence[SeenRecord]) -> Seen:
    """Give records as what a viewer has seen of a match: all of it, unless it began a branch with a clear memory."""
    whole = match.header.branch is None or bool(match.past.get(viewer))
    return Seen(viewer, match.header.seats, match.options, tuple(records), whole)


def growing(match: Match, viewer: Viewer) -> Iterator[tuple[Entry, Sequence[SeenRecord]]]:
    """Yield the entries of the effective line, each with all that the viewer has seen by then.

    It is one list that grows: copy what is to stay.
    """
    shown = frozenset(match.shown[viewer])
    records = list(match.past.get(viewer, ()))
    before = len(records)
    for entry, events in told(match, (viewer,)):
        if entry.version in shown:
            number = before + own_number(match, viewer, entry.version)
            records.append(_record(entry, viewer, number, events))
        yield entry, records


def told(match: Match, viewers: Sequence[Viewer]) -> Iterator[tuple[Entry, tuple[Any, ...]]]:
    """Yield the entries of the effective line with their events as redacted for one viewer after the other."""
    game = match.game
    state = states.first(match)
    line = match.line if match.start is None else match.line[1:]
    for entry in line:
        events: list[Any] = []
        for event in entry.events:
            game.apply(state, event)
            redacted = event
            for viewer in viewers:
                redacted = None if redacted is None else game.redact(redacted, viewer, state)
            if redacted is not None:
                events.append(redacted)
        yield entry, tuple(events)


def _record(entry: Entry, viewer: Viewer, number: int, events: tuple[object, ...]) -> SeenRecord:
    """Tell who acted to those who saw something of it, and the command to its sender alone."""
    sender = None if isinstance(entry.command, TimeOut) else entry.seat
    own = sender is not None and sender == viewer
    return SeenRecord(
        version=number,
        seat=sender if own or events else None,
        command=entry.command if own else None,
        events=events,
    )
