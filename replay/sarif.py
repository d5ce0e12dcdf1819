"""Reports of audits as results in SARIF 2.1.0, which code hosts and editors show.

A log is an artifact, and a record is a line of it. What could not be checked is a result of the
kind `open`, or `review` for a signature. What an erratum explains is suppressed, with its reason.
"""

from collections.abc import Iterator
from hashlib import sha256
from typing import Any, Literal, get_args
from urllib.parse import quote

import msgspec
from msgspec import UNSET, UnsetType

from replay.report import Finding, Report, Rule

SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
VERSION = "2.1.0"
FINGERPRINT = "shiplog/v1"
UNCHECKED = "unchecked"
NOT_HERE: frozenset[Rule] = frozenset(
    ("format-not-here", "game-not-here", "rules-version-not-here")
)
"""Rules that say that this release cannot check a log."""


class _Sarif(msgspec.Struct, frozen=True, rename="camel"):
    """Names as in SARIF."""


class Text(_Sarif, frozen=True):
    """A message."""

    text: str


class Artifact(_Sarif, frozen=True):
    """A log."""

    uri: str


class Region(_Sarif, frozen=True):
    """A record."""

    start_line: int


class Place(_Sarif, frozen=True):
    """A record of a log."""

    artifact_location: Artifact
    region: Region | UnsetType = UNSET


class LogicalPlace(_Sarif, frozen=True):
    """A value: match, record, event and path."""

    fully_qualified_name: str


class Location(_Sarif, frozen=True):
    """A place that a result is about."""

    physical_location: Place
    logical_locations: list[LogicalPlace]
    message: Text | UnsetType = UNSET


class Step(_Sarif, frozen=True):
    """A step from the cause to the finding."""

    location: Location


class ThreadFlow(_Sarif, frozen=True):
    """Steps in their order."""

    locations: list[Step]


class CodeFlow(_Sarif, frozen=True):
    """The way from the cause to the finding."""

    thread_flows: list[ThreadFlow]


class Suppression(_Sarif, frozen=True):
    """An erratum that explains the finding."""

    kind: Literal["external"]
    justification: str


class Result(_Sarif, frozen=True):
    """A finding, or something that could not be checked."""

    rule_id: str
    level: Literal["error", "none"]
    kind: Literal["fail", "open", "review"]
    message: Text
    locations: list[Location]
    partial_fingerprints: dict[str, str]
    related_locations: list[Location] | UnsetType = UNSET
    code_flows: list[CodeFlow] | UnsetType = UNSET
    suppressions: list[Suppression] | UnsetType = UNSET
    properties: dict[str, Any] | UnsetType = UNSET


class Descriptor(_Sarif, frozen=True):
    """A rule."""

    id: str


class Driver(_Sarif, frozen=True):
    """The program that made the results."""

    name: str
    version: str
    rules: list[Descriptor]


def driver(release: str) -> Driver:
    """Return the description of the program, with all its rules."""
    rules = (*get_args(Rule), UNCHECKED)
    return Driver("shiplog audit", release, [Descriptor(rule) for rule in rules])


def results(report: Report) -> Iterator[Result]:
    """Yield the results of a report."""
    for finding in report.findings:
        yield _result(report, finding)
    for one in report.explained:
        erratum = report.errata[one.erratum - 1].erratum
        suppressed = [Suppression("external", erratum.reason)]
        found = _result(report, one.finding)
        yield msgspec.structs.replace(found, suppressions=suppressed)
    for gap in report.unchecked:
        signature = gap.startswith("signature")
        rule = "signature" if signature else UNCHECKED
        yield Result(
            rule, "none", "review" if signature else "open", Text(gap),
            [_location(report, 0)], {FINGERPRINT: _hash(report.name, rule, gap)},
        )  # fmt: skip


def _result(report: Report, finding: Finding) -> Result:
    here = _location(report, finding.record, finding)
    cause = finding.caused_by
    first = UNSET if cause is None else _location(report, cause, text="first cause")
    values = {
        name: value
        for name in ("expected", "actual", "patch")
        if (value := getattr(finding, name)) is not UNSET and value != ()
    }
    opened = finding.rule in NOT_HERE
    identity = (report.match or report.name, finding.record, finding.rule, finding.path)
    return Result(
        finding.rule,
        "none" if opened else "error",
        "open" if opened else "fail",
        Text(finding.message),
        [here],
        {FINGERPRINT: _hash(*identity)},
        UNSET if first is UNSET else [first],
        UNSET if first is UNSET else [CodeFlow([ThreadFlow([Step(first), Step(here)])])],
        properties=values or UNSET,
    )


def _location(
    report: Report, record: int, finding: Finding | None = None, text: str = ""
) -> Location:
    parts: list[object] = [report.match or report.name]
    if record:
        parts.append(record)
    if finding is not None and finding.event is not None:
        parts.append(finding.event)
    path = "" if finding is None or finding.path is None else finding.path
    return Location(
        Place(Artifact(quote(report.name)), Region(record) if record else UNSET),
        [LogicalPlace("/".join(map(str, parts)) + path)],
        Text(text) if text else UNSET,
    )


def _hash(*parts: object) -> str:
    return sha256("\n".join(map(str, parts)).encode()).hexdigest()
