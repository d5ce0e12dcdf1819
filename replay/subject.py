"""The JSON documents that blame and bisect examine: the game's state or view, or the picture."""

from typing import Any, Literal

import msgspec

from games.match.model import Match
from projections.folded import Folded
from replay.travel import Sight, picture

Subject = Literal["game", "match"]
"""`game`: the game's state, or a viewer's view of it; null before the start. `match`: the picture
that `inspect` shows."""


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
