"""Bisect: find the first version of a match at which a condition holds, or every change of it.

A condition is a JMESPath expression over the game's state, or over a viewer's view of it. It may
become false and true again, and an undo takes the match back, so every version is evaluated.
"""

from collections.abc import Callable, Iterable, Iterator

import msgspec

from replay.condition import evaluate
from replay.subject import Subject, document
from replay.timeline import Moment, Watch
from replay.travel import Games, Sight, steps

Evaluator = Callable[[str, Iterable[bytes]], Iterable[bool]]
"""Takes an expression and JSON documents, and returns whether it holds for each."""


class Turning(msgspec.Struct, frozen=True):
    """A record at which a condition becomes true or false."""

    record: Moment
    holds: bool


class Bisected(msgspec.Struct, frozen=True):
    """The versions of a match at which a condition holds."""

    when: str
    """The condition."""
    versions: int
    """Number of versions that were evaluated."""
    first: Turning | None
    """The first version at which the condition holds. Null if it never does."""
    changes: list[Turning]
    """Every change of the condition, if requested. Before version 1 it counts as false."""


def bisect(
    games: Games,
    lines: Iterable[bytes],
    sight: Sight,
    when: str,
    *,
    subject: Subject = "game",
    every: bool = False,
    evaluator: Evaluator = evaluate,
) -> Bisected:
    """Find where a condition holds in a log. Before the start of the game none does.

    `every` also lists all changes. Raises `BadCondition` and the errors of `Folded` and of the
    evaluator.
    """
    watch = Watch(sight)
    moments: list[Moment] = []

    def documents() -> Iterator[bytes]:
        for step in steps(games, lines, sight):
            moments.append(watch.moment(step))
            yield document(step.folded, sight, subject)

    changes: list[Turning] = []
    held = False
    for place, holds in enumerate(evaluator(when, documents())):
        if holds != held:
            held = holds
            changes.append(Turning(moments[place], holds))
    return Bisected(when, len(moments), changes[0] if changes else None, changes if every else [])
