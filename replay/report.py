"""The report of an audit."""

from collections.abc import Collection, Iterator, Sequence
from typing import Literal

import msgspec

from games.wire import MatchResult
from projections.folded import Viewer

Check = Literal[
    "file",
    "record",
    "number",
    "chain",
    "bytes",
    "header",
    "format-not-here",
    "game-not-here",
    "rules-version-not-here",
    "branch",
    "commitment",
    "salt",
    "digest",
    "time",
    "sender",
    "command-id",
    "decision",
    "timeout",
    "events",
    "fold",
    "redaction",
    "signature",
    "receipt",
    "transcript",
    "projection",
    "deleted",
    "cut",
    "rewritten",
    "archive",
    "checkpoint",
]
"""Names of the checks that can fail. `docs/log-format.md` explains each."""


BROKEN: frozenset[Check] = frozenset(
    (
        "record",
        "number",
        "chain",
        "bytes",
        "header",
        "format-not-here",
        "game-not-here",
        "salt",
        "digest",
        "time",
        "sender",
        "command-id",
        "decision",
        "timeout",
        "events",
        "fold",
    )
)
"""Checks that concern the log itself. A log is sound up to the first record that fails one."""


Verdict = Literal["holds", "broken", "unauthenticated"]
"""`broken`: there are findings. `unauthenticated`: there are none, but no known key signed the head
of the log, so anybody may have made it. `holds`: a known key did."""
WORST_FIRST: tuple[Verdict, ...] = ("broken", "unauthenticated", "holds")


def worst(verdicts: Collection[Verdict]) -> Verdict:
    """Return the worst of some verdicts."""
    found: Iterator[Verdict] = (verdict for verdict in WORST_FIRST if verdict in verdicts)
    return next(found, "holds")


class Finding(msgspec.Struct, frozen=True):
    """A check that failed."""

    version: int
    """Line of the record in the log. 0 stands for the log as a whole."""
    check: Check
    message: str


class Figures(msgspec.Struct, frozen=True):
    """Counts of what was audited."""

    records: int
    bytes: int
    decided: int
    """Number of records whose commands were decided again with the same events."""
    sealed: int
    """Number of records that could not be decided, because the match seed is not known."""
    overdue_us: int
    """Longest delay of a game command after its deadline (microseconds)."""
    overdue_at: int = 0
    """Version of the record with that delay. 0 if there is none."""


class Report(msgspec.Struct, frozen=True):
    """The result of an audit."""

    name: str
    """The audited match's id or file."""
    verdict: Verdict
    findings: Sequence[Finding]
    unchecked: Sequence[str]
    """Checks that could not be made, with the reason."""
    figures: Figures
    match: str | None = None
    game: str | None = None
    rules: int | None = None
    """Rules version."""
    status: str | None = None
    head: str | None = None
    result: MatchResult | None = None
    """Result of the match as computed from the log."""


class Receipt(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A head that a player was given with an answer."""

    version: int
    head: str
    viewer: Viewer | Literal["full"] = "full"
    """Who counts `version`: a seat, the spectator (null), or "full" for the log itself."""
