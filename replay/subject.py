"""The JSON documents that blame and bisect examine: the game's state or view, or the picture."""

from typing import Any, Literal

import msgspec
from jsonpointer import EndOfList, JsonPointer, JsonPointerException

from games.match.model import Match
from projections.folded import Folded
from replay.travel import Sight, picture

Subject = Literal["game", "match"]
"""`game`: the game's state, or a viewer's view of it; null before the start. `match`: the picture
that `inspect` shows."""


NOTHING = object()
"""The value of a path that does not exist."""


def document(folded: Folded, sight: Sight, subject: Subject) -> bytes:
    """Return a subject as JSON."""
    if subject == "match":
        return msgspec.json.encode(picture(folded, sight))
    return game_document(folded.match, folded.match.state, sight)


def game_document(match: Match, state: Any, sight: Sight) -> bytes:
    """Return a state of the game as JSON, in full or as a viewer's view."""
    if state is None or sight == "full":
        return msgspec.json.encode(state)
    return msgspec.json.encode(match.game.view(state, sight))


def value_at(pointer: JsonPointer, value: Any) -> Any:
    """Return the value at a path of a JSON document, or `NOTHING`."""
    for part in pointer.parts:
        if not isinstance(value, dict | list):
            return NOTHING
        try:
            value = pointer.walk(value, part)
        except JsonPointerException:
            return NOTHING
    return NOTHING if isinstance(value, EndOfList) else value
