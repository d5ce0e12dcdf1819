"""The codes of problems, with their meaning and the way out in each language."""

import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

import msgspec

from games.game import AnyGame

BLANK = re.compile(r"\{\{(\w+)\}\}")
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


def sentence(code: str, details: Mapping[str, Any], game: AnyGame | None) -> str:
    """Say in English what a code of the rules means, with the details of the refusal.

    If all matches share the code, a game's own words are used only if they have no blanks: the page
    may show details in other units.
    """
    own = "" if game is None else words(game.files.words, "en").get(code, "")
    if code in CODES and (not own or BLANK.search(own)):
        return CODES[code].en[0]
    return filled(own, details) or f"The rules refuse this: {code}."


def filled(text: str, details: Mapping[str, Any]) -> str:
    """Fill the blanks of a text; a blank without a detail becomes its name in backticks."""
    return BLANK.sub(lambda blank: str(details.get(blank[1], f"`{blank[1]}`")), text)
