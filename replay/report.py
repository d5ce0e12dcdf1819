"""The report of an audit."""

from collections.abc import Collection, Sequence
from typing import Any, Literal

import msgspec
from msgspec import UNSET

from events.errata import SignedErratum
from games.wire import MatchResult, PatchOperation
from replay.diff import patch

Rule = Literal[
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
    "erratum",
]
"""Names of the rules that a log can break. `docs/log-format.md` explains each."""


COMPARED_MAX = 64 << 10
"""Maximum size of two values to make a patch of (bytes of JSON)."""

BROKEN: frozenset[Rule] = frozenset(
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
"""Rules about the log itself. A log is sound up to the first record that breaks one."""


Verdict = Literal["holds", "broken", "unauthenticated"]
"""`broken`: there are findings that no erratum explains. `unauthenticated`: there are none, but no
known key signed the head of the log, so anybody may have made it. `holds`: a known key did."""


def worst(verdicts: Collection[Verdict]) -> Verdict:
    """Return the worst of some verdicts."""
    if "broken" in verdicts:
        return "broken"
    return "unauthenticated" if "unauthenticated" in verdicts else "holds"


class Finding(msgspec.Struct, frozen=True, omit_defaults=True):
    """A rule that a log breaks."""

    rule: Rule
    """Name of the rule. `docs/log-format.md` explains each."""
    record: int
    """Line of the record in the log. 0 stands for the log as a whole."""
    message: str
    event: int | None = None
    """Place of the event in the record, counted from 1. None unless one event is wrong."""
    path: str | None = None
    """JSON Pointer (RFC 6901) to the wrong value: in the record or, for rules about another
    document (a signed head, a row of the projections), in that document."""
    expected: Any = UNSET
    """The value that should be at `path`. Left out if there should be none, or if no single value
    would be right."""
    actual: Any = UNSET
    """The value that is at `path`. Left out if there is none."""
    patch: Sequence[PatchOperation] = ()
    """JSON Patch (RFC 6902) that turns `expected` into `actual`, if both are objects or lists."""
    caused_by: int | None = None
    """Record whose finding may be the only reason for this one. None for a first cause."""


def difference(
    rule: Rule,
    record: int,
    message: str,
    path: str,
    expected: Any,
    actual: Any,
    event: int | None = None,
) -> Finding:
    """Return a finding about a value that is not the expected one. `UNSET` stands for no value."""
    should, found = (plain(value) for value in (expected, actual))
    changes = patch(should, found) if _comparable(should, found) else ()
    return Finding(rule, record, message, event, path, should, found, changes)


def _comparable(expected: Any, actual: Any) -> bool:
    if type(expected) is not type(actual) or not isinstance(expected, dict | list):
        return False
    encode = msgspec.json.encode
    return len(encode(expected)) + len(encode(actual)) <= COMPARED_MAX


def plain(value: Any) -> Any:
    """Return a value as plain JSON values. `UNSET` stays."""
    return value if value is UNSET else msgspec.json.decode(msgspec.json.encode(value))


class ExplainedFinding(msgspec.Struct, frozen=True):
    """A finding that an erratum explains. It does not break the log."""

    erratum: int
    """Place of the erratum among those of the report, counted from 1."""
    finding: Finding
    """What the erratum explains."""


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
    """`broken` if there are findings that no erratum explains, `unauthenticated` if there are none
    but no known key signed the head, else `holds`."""
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
    errata: Sequence[SignedErratum] = ()
    """The valid errata of the match."""
    explained: Sequence[ExplainedFinding] = ()
    """Findings that these errata explain. They are not among `findings`."""
