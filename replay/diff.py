"""What changed between two versions: a JSON Patch (RFC 6902) of everything, or of what a viewer sees."""

from typing import Any

import jsonpatch
import msgspec

from replay.history import History
from replay.travel import Sight, plain
from replay.words import words

Operation = dict[str, Any]


def patch(before: Any, after: Any) -> list[Operation]:
    """Give the operations that make `after` of `before`, both plain JSON values."""
    return jsonpatch.make_patch(before, after).patch


class Difference(msgspec.Struct, frozen=True):
    """What changed in a sight from one of its numbers to another."""

    start: int
    end: int
    words: list[str]
    """For people: `seat 2's hand: −seal; deck: 14→13`. Not an interface."""
    patch: list[Operation]
    """JSON Patch (RFC 6902) from the picture at `start` to the one at `end`."""


def diff(history: History, sight: Sight, start: int, end: int) -> Difference:
    """Give what changed, also backwards; raises `NoSuchVersion`."""
    folded = history.at(sight, start)
    before, after = plain(folded, sight), history.plain(sight, end)
    said = words(folded.match.game, before, after)
    return Difference(start, end, said, patch(before, after))
