"""What an undo would take back from a viewer, as that viewer may know it."""

from typing import Any

import jsonpatch
import msgspec

from games.match import states
from games.match.model import Match
from games.match.viewers import own_number
from projections.folded import Viewer


class TakenBack(msgspec.Struct, frozen=True):
    """A record that would be taken back."""

    version: int
    """The viewer's own."""
    seat: int | None
    """Whose command it was; null where the viewer may not know."""
    events: list[Any]
    """As the viewer was shown them."""


class Preview(msgspec.Struct, frozen=True):
    """What an undo would do to a viewer."""

    takes_back: list[TakenBack]
    changes: list[dict[str, Any]]
    """JSON Patch (RFC 6902) from the viewer's present view to the one it would have: what is hidden again is gone."""


def preview(match: Match, viewer: Viewer, to: int, kept: tuple[int, ...]) -> Preview:
    """Show a viewer what an undo to a version of the log, keeping these later ones, would mean for it."""
    game = match.game
    shown = frozenset(match.shown[viewer])
    entries = states.entries_until(match, to)
    then, state = (states.state_after(match, entries) for _ in range(2))
    taken: list[TakenBack] = []
    for entry in match.line[entries:]:
        events: list[Any] = []
        for event in entry.events:
            game.apply(state, event)
            if entry.version in kept:
                game.apply(then, event)
            elif (redacted := game.redact(event, viewer, state)) is not None:
                events.append(redacted)
        if entry.version not in kept and entry.version in shown:
            number = own_number(match, viewer, entry.version)
            own = entry.seat is not None and entry.seat == viewer
            taken.append(TakenBack(number, entry.seat if own or events else None, events))
    if game.recall is not None:
        game.recall(then, match.state)
    views = (msgspec.to_builtins(game.view(each, viewer)) for each in (match.state, then))
    return Preview(taken, jsonpatch.make_patch(*views).patch)
