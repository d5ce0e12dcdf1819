"""Names that look the same, as in UTS 39: which mix scripts, and how to tell the others apart."""

from collections.abc import Iterable, Iterator
from functools import cache, lru_cache
from typing import Any, NamedTuple
from unicodedata import normalize

ANY_SCRIPT = frozenset(("COMMON", "INHERITED", "UNKNOWN"))
"""What signs are in that all scripts share, and those that the table does not know yet."""
TOGETHER = (
    frozenset(("LATIN", "HAN", "HIRAGANA", "KATAKANA")),
    frozenset(("LATIN", "HAN", "BOPOMOFO")),
    frozenset(("LATIN", "HAN", "HANGUL")),
)
"""Scripts that are written together (UTS 39, "highly restrictive")."""
LOOKS_KEPT = 20_000


class Tables(NamedTuple):
    """The tables of Unicode: what looks alike, and scripts."""

    confusables: dict[str, list[dict[str, Any]]]
    script: Any


@cache
def tables() -> Tables:
    """Load the tables, which takes a while, when the first name is looked at."""
    from confusable_homoglyphs import categories, confusables  # noqa: PLC0415

    return Tables(confusables.confusables_data, categories.alias)


def mixed_scripts(name: str) -> list[str]:
    """Return the scripts of a name, sorted, if they are not written together; else none."""
    script = tables().script
    found = {script(character) for character in name} - ANY_SCRIPT
    if len(found) <= 1 or any(found <= together for together in TOGETHER):
        return []
    return sorted(found)


def told_apart(names: Iterable[str]) -> Iterator[str]:
    """Yield names, numbered if they look like one before: Ada, Ada (2)."""
    taken: set[str] = set()
    for name in names:
        shown, number = name, 1
        while not taken.isdisjoint(looks(shown)):
            number += 1
            shown = f"{name} ({number})"
        taken |= looks(shown)
        yield shown


@lru_cache(LOOKS_KEPT)
def looks(name: str) -> frozenset[str]:
    """Return what a name looks like. Names that look alike have one of these in common.

    Either names differ in case alone, or they have the same skeleton.
    """
    return frozenset((name.casefold(), _skeleton(_skeleton(name).casefold())))


def _skeleton(text: str) -> str:
    """Return the skeleton of a text (UTS 39, section 4)."""
    plain = "".join(map(_prototype, normalize("NFD", text)))
    return normalize("NFD", "".join(map(_prototype, plain)))


@cache
def _prototype(character: str) -> str:
    """Return what stands for all that looks like a character.

    The table has each pair in both directions. A prototype has many partners, and whatever else
    looks like it has one: the prototype. Of a pair on its own, the longer or lower one counts.
    """
    confusables = tables().confusables
    partners = [one["c"] for one in confusables.get(character, ())]
    if len(partners) != 1:
        return character
    (other,) = partners
    if len(confusables.get(other, ())) > 1 or len(other) > 1:
        return other
    return min(character, other)
