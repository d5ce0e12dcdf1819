"""Compare two versions of a match, in full or as a viewer sees them, as a JSON Patch (RFC 6902)."""

from typing import Any

import jsonpatch
import msgspec

from games.wire import PatchOperation
from replay.history import History
from replay.travel import Sight, plain
from replay.words import words


def patch(before: Any, after: Any) -> list[PatchOperation]:
    """Return the operations that turn `before` into `after`, both in plain JSON values."""
    return jsonpatch.make_patch(before, after).patch


class Difference(msgspec.Struct, frozen=True):
    """The changes between two versions, as numbered in a sight."""

    start: int
    end: int
    words: list[str]
    """Text for people, such as `seat 2's hand: −seal; deck: 14→13`. The wording may change."""
    patch: list[PatchOperation]
    """JSON Patch (RFC 6902) from the picture at `start` to the picture at `end`."""


def diff(history: History, sight: Sight, start: int, end: int) -> Difference:
    """Compare two versions. `start` may be after `end`. Raises `NoSuchVersion`."""
    folded = history.at(sight, start)
    before, after = plain(folded, sight), history.plain(sight, end)
    text = words(folded.match.game, before, after)
    return Difference(start, end, text, patch(before, after))
