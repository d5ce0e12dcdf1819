"""Legal commands as a player names them: by number, by short code, or by a part of their words."""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from service.cli.wording import Speaker

WORD = re.compile(r"[^\W_]+")
PASSING = frozenset(("a", "an", "and", "at", "by", "for", "from", "in", "of", "on", "the", "to"))
"""Words that codes leave out."""


class Choice(NamedTuple):
    """A legal command."""

    number: int
    """Number in the list, from 1."""
    code: str
    """First letters of its words, with numbers and cells in full: "Lay 34 on C2" is `l34c2`."""
    words: str
    command: Mapping[str, Any]


def choices(commands: Sequence[Mapping[str, Any]], speaker: Speaker) -> list[Choice]:
    """Name legal commands. Every code occurs once."""
    found: list[Choice] = []
    seen: Counter[str] = Counter()
    for number, command in enumerate(commands, start=1):
        words = speaker.command(command)
        code = _code(words)
        seen[code] += 1
        if seen[code] > 1:
            code = f"{code}-{seen[code]}"
        found.append(Choice(number, code, words, command))
    return found


def chosen(offered: Sequence[Choice], text: str) -> list[Choice]:
    """Return the commands that a text may mean.

    A number or a code means one command. Other texts mean all commands that have every word of the
    text, or a word that begins with it.
    """
    exact = [one for one in offered if text.lower() in (str(one.number), one.code)]
    if exact:
        return exact
    parts = _words(text)
    found = [one for one in offered if parts and _has(_words(one.words), parts)]
    same = [one for one in found if _words(one.words) == parts]
    return same or found


def _has(words: Sequence[str], parts: Sequence[str]) -> bool:
    return all(any(word.startswith(part) for word in words) for part in parts)


def _words(text: str) -> list[str]:
    return [word.lower() for word in WORD.findall(text)]


def _code(text: str) -> str:
    words = [word for word in _words(text) if word not in PASSING]
    return "".join(word if any(letter.isdigit() for letter in word) else word[0] for word in words)
