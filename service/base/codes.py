"""The codes of problems, with their meaning and the way out in each language."""

from functools import cache
from pathlib import Path

import msgspec

from games.game import AnyGame

Explanation = tuple[str, str]
"""What a code means, and the way out."""


class Code(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A code of the service, or of the rules that all matches share."""

    status: int
    en: Explanation
    cs: Explanation


CODES: dict[str, Code] = msgspec.toml.decode(
    Path(__file__).with_name("problems.toml").read_bytes(), type=dict[str, Code]
)


class Words(msgspec.Struct):
    """The part of a game's catalogue that explains codes."""

    refusals: dict[str, str] = {}


@cache
def words(folder: Path | None, language: str) -> dict[str, str]:
    """Return what the words of a game in a folder say of the codes of its rules."""
    path = None if folder is None else folder / f"{language}.json"
    if path is None or not path.exists():
        return {}
    return msgspec.json.decode(path.read_bytes(), type=Words).refusals


def sentence(code: str, game: AnyGame | None) -> str:
    """Say in English what a code of the rules means. Empty if that is not known."""
    if game is not None and (own := words(game.files.words, "en").get(code)) and "{{" not in own:
        return own
    return CODES[code].en[0] if code in CODES else ""
