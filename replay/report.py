"""What an audit says."""

from collections.abc import Sequence
from typing import Any, Literal

import msgspec

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
]
"""What can fail; `docs/log-format.md` explains each."""


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
        "time",
        "sender",
        "command-id",
        "decision",
        "timeout",
        "events",
        "fold",
    )
)
"""From a record with such a finding on, a log does not follow from what came before."""


class Finding(msgspec.Struct, frozen=True):
    """Something that does not hold."""

    version: int
    """The record's place in the log; 0 is the log as a whole."""
    check: Check
    message: str


class Figures(msgspec.Struct, frozen=True):
    """How much was looked at."""

    records: int
    bytes: int
    decided: int
    """Records whose events followed again from their commands."""
    sealed: int
    """Records that need dice whose seed is not known."""
    overdue_us: int
    """Most microseconds by which a record came after a deadline that still stood."""
    overdue_at: int = 0
    """Which record that was; 0: none."""


class Report(msgspec.Struct, frozen=True):
    """The outcome of an audit."""

    name: str
    """What was audited: a match's id or a file."""
    ok: bool
    findings: Sequence[Finding]
    unchecked: Sequence[str]
    """What could not be checked, and why."""
    figures: Figures
    match: str | None = None
    game: str | None = None
    rules: int | None = None
    status: str | None = None
    head: str | None = None
    result: Any = None
    """As it follows from the log."""


class Receipt(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A head that somebody was given with an answer."""

    version: int
    head: str
    viewer: Viewer | Literal["full"] = "full"
    """Whose number `version` is: a seat's, a spectator's (null), or the log's own ("full")."""
