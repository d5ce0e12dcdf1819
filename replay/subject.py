"""What blame and bisect look at: the game of a match, as a sight has it, or the whole picture."""

from typing import Any, Literal

import msgspec

from games.match.model import Match
from projections.folded import Folded
from replay.travel import Sight, picture

Subject = Literal["game", "match"]
"""`game`: the game's state, or a viewer's view of it; null before the start. `match`: all that `inspect` shows."""


def document(folded: Folded, sight: Sight, subject: Subject) -> bytes:
    """Give a subject as JSON."""
    if subject == "match":
        return msgspec.json.encode(picture(folded, sight))
    return game_document(folded.match, folded.match.state, sight)


def game_document(match: Match, state: Any, sight: Sight) -> bytes:
    """Give a state of a match's game as a sight has it, as JSON."""
    if state is None or sight == "full":
        return msgspec.json.encode(state)
    return msgspec.json.encode(match.game.view(state, sight))
