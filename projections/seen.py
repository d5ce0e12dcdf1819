"""What a viewer has seen of a match, for bots and hints: the records of the effective line."""

from collections import deque
from collections.abc import Iterator, Sequence
from typing import Any

from games.game import Seen, SeenRecord
from games.match import states
from games.match.commands import TimeOut
from games.match.line import Entry
from games.match.model import Match
from games.match.viewers import own_number
from projections.folded import Viewer


def seen(match: Match, viewer: Viewer) -> Seen:
    """Return the records of the game as a viewer was shown them, starting with the set-up.

    Each record is redacted at the state that it led to. A branch begins with the records that its
    parent showed, if they are known.
    """
    last = deque(growing(match, viewer), maxlen=1)
    records = last[0][1] if last else match.past.get(viewer, ())
    return memory(match, viewer, records)


def memory(match: Match, viewer: Viewer, records: Sequence[SeenRecord]) -> Seen:
    """Build what a viewer has seen from its records.

    The memory is whole unless the match is a branch and nothing is known of its parent.
    """
    whole = match.header.branch is None or bool(match.past.get(viewer))
    return Seen(viewer, match.header.seats, match.options, tuple(records), whole)


def growing(match: Match, viewer: Viewer) -> Iterator[tuple[Entry, Sequence[SeenRecord]]]:
    """Yield each entry of the effective line with all records that the viewer had seen by then.

    The same list grows from entry to entry, so copy what you keep.
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
    """Yield each entry of the effective line with its events, redacted for all of the viewers."""
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
    """Build a record as seen: the actor only if some event is shown, the command for its sender."""
    sender = None if isinstance(entry.command, TimeOut) else entry.seat
    own = sender is not None and sender == viewer
    return SeenRecord(
        version=number,
        seat=sender if own or events else None,
        command=entry.command if own else None,
        events=events,
    )
