"""Bisect: the first version of a match at which a condition holds, or every version at which that changes.

Conditions are JMESPath over the game's state, or a viewer's view of it. They may hold, cease, and hold again, and an
undo takes the match back, so every version is looked at.
"""

from collections.abc import Callable, Iterable, Iterator

import msgspec

from replay.condition import judged
from replay.subject import Subject, document
from replay.timeline import Moment, Watch
from replay.travel import Games, Sight, steps

Judge = Callable[[str, Iterable[bytes]], Iterable[bool]]
"""(expression, documents) -> whether it holds of each."""


class Turning(msgspec.Struct, frozen=True):
    """A record at which a condition begins to hold, or ceases to."""

    record: Moment
    holds: bool


class Bisected(msgspec.Struct, frozen=True):
    """When a condition held in a match."""

    when: str
    versions: int
    """Looked at, in the sight's own numbers."""
    first: Turning | None
    """Where it holds for the first time; null if it never does."""
    changes: list[Turning]
    """Every version where it changes, if that was asked; it does not hold before version 1."""


def bisect(
    games: Games,
    lines: Iterable[bytes],
    sight: Sight,
    when: str,
    *,
    subject: Subject = "game",
    every: bool = False,
    judge: Judge = judged,
) -> Bisected:
    """Look for a condition in a sight. Before the game has begun none holds of it.

    Raises `BadCondition`, what `Folded` and what the judge raise.
    """
    watch = Watch(sight)
    moments: list[Moment] = []

    def documents() -> Iterator[bytes]:
        for step in steps(games, lines, sight):
            moments.append(watch.moment(step))
            yield document(step.folded, sight, subject)

    changes: list[Turning] = []
    held = False
    for place, holds in enumerate(judge(when, documents())):
        if holds != held:
            held = holds
            changes.append(Turning(moments[place], holds))
    return Bisected(when, len(moments), changes[0] if changes else None, changes if every else [])
