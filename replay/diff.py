"""What changed between two versions: a JSON Patch (RFC 6902) of everything, or of what a viewer sees."""

from collections.abc import Iterable
from typing import Any

import jsonpatch

from replay.travel import Games, Sight, plain_at

Operation = dict[str, Any]


def patch(before: Any, after: Any) -> list[Operation]:
    """Give the operations that make `after` of `before`, both plain JSON values."""
    return jsonpatch.make_patch(before, after).patch


def diff(
    games: Games, lines: Iterable[bytes], sight: Sight, start: int, end: int
) -> list[Operation]:
    """Give what changed in a sight from one of its numbers to another, also backwards.

    Raises `NoSuchVersion`.
    """
    found = plain_at(games, lines, sight, (start, end))
    return patch(found[start], found[end])
