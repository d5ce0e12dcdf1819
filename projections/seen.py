"""What one viewer has seen of a match, for its bot or hint: the effective line, without what was undone."""

from games.game import Seen, SeenRecord
from games.match.commands import TimeOut
from games.match.model import Entry, Match
from games.match.viewers import own_number
from projections.folded import Viewer


def seen(match: Match, viewer: Viewer) -> Seen:
    """Give the records of the game as a viewer was shown them, the set-up first.

    Each is redacted at the state it led to, as it was when it came.
    """
    game = match.game
    state = game.initial(match.header.seats, match.options)
    shown = frozenset(match.shown[viewer])
    records: list[SeenRecord] = []
    for entry in match.line:
        events: list[object] = []
        for event in entry.events:
            game.apply(state, event)
            if (redacted := game.redact(event, viewer, state)) is not None:
                events.append(redacted)
        if entry.version in shown:
            number = own_number(match, viewer, entry.version)
            records.append(_record(entry, viewer, number, tuple(events)))
    return Seen(viewer, match.header.seats, match.options, tuple(records))


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
