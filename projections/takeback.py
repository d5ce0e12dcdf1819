"""Preview of an undo: what a viewer would lose, as far as that viewer may know it."""

from typing import Any

import jsonpatch
import msgspec

from games.match import states
from games.match.model import Match
from games.match.viewers import own_number, was_shown
from games.wire import GameEvent, PatchOperation
from projections.folded import Viewer


class TakenBack(msgspec.Struct, frozen=True):
    """A record that an undo would take back."""

    version: int
    """The viewer's version of the record."""
    seat: int | None
    """The seat that sent the command. Null if it is hidden from this viewer."""
    events: list[GameEvent]
    """Events as redacted for the viewer."""


class Preview(msgspec.Struct, frozen=True):
    """The effect of an undo on a viewer."""

    takes_back: list[TakenBack]
    changes: list[PatchOperation]
    """JSON Patch (RFC 6902) from the current view to the view after the undo. Anything that the
    undo hides again is removed."""


def preview(match: Match, viewer: Viewer, to: int, kept: tuple[int, ...]) -> Preview:
    """Preview an undo for a viewer.

    `to` is the version of the log to go back to. `kept` are later versions that stay on the
    effective line. Those that the viewer was not shown are left out: the preview, like a view,
    follows from what the viewer was shown.
    """
    game = match.game
    entries, standing = match.line.until(to), frozenset(kept)
    then, state = (states.state_after(match, entries) for _ in range(2))
    taken: list[TakenBack] = []
    for entry in match.line[entries:]:
        stays, own = entry.version in standing, entry.seat is not None and entry.seat == viewer
        shown = own or was_shown(match, viewer, entry.version)
        events: list[Any] = []
        for event in entry.events:
            game.apply(state, event)
            if not stays and (redacted := game.redact(event, viewer, state)) is not None:
                events.append(redacted)
            elif stays and shown:
                game.apply(then, event)
        if not stays and was_shown(match, viewer, entry.version):
            number = own_number(match, viewer, entry.version)
            taken.append(TakenBack(number, entry.seat if own or events else None, events))
    if game.recall is not None:
        game.recall(then, match.state)
    views = (msgspec.to_builtins(game.view(each, viewer)) for each in (match.state, then))
    return Preview(taken, jsonpatch.make_patch(*views).patch)
