"""Output and exit status of `shiplog audit`: a table or JSON, report by report.

`service/cli/audit_formats.py` has the formats for other programs. No report is kept in memory: ten
thousand matches take no more than one.
"""

from collections import Counter
from collections.abc import Iterator
from typing import Protocol

import msgspec
import typer
from jsonpointer import resolve_pointer
from msgspec import UNSET
from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from events.errata import Erratum
from replay.report import Finding, Report, Verdict
from service.cli.output import FOUND, UNSIGNED, out

COLOURS: dict[Verdict, str] = {"holds": "green", "broken": "red", "unauthenticated": "yellow"}
CHANGES_MAX = 3
"""Maximum number of changes that the table shows of a finding."""


class Totals(msgspec.Struct, frozen=True, tag_field="type", tag="end"):
    """The result of auditing all logs."""

    verdict: Verdict
    """The worst of all."""
    audited: int
    audited_before: int
    """Number of logs that an earlier audit had read."""
    broken: int
    unauthenticated: int


def status_of(verdict: Verdict, *, allow_unsigned: bool) -> int:
    """Return the exit status for the verdict of an audit."""
    if verdict == "unauthenticated":
        return 0 if allow_unsigned else UNSIGNED
    return FOUND if verdict == "broken" else 0


class ReportWriter(Protocol):
    """Writes the reports of an audit."""

    def add(self, report: Report) -> None:
        """Write a report."""
        ...

    def end(self, totals: Totals) -> None:
        """Write the end."""
        ...


class JsonWriter:
    """Writes JSON: `{"reports": […], "verdict": …}`, with each report as soon as it is made."""

    def __init__(self) -> None:
        """Write the start of the object."""
        self._empty = True
        typer.echo('{"reports": [', nl=False)

    def add(self, report: Report) -> None:
        """Write a report on a line."""
        text = msgspec.json.encode(report).decode()
        typer.echo(("\n" if self._empty else ",\n") + text, nl=False)
        self._empty = False

    def end(self, totals: Totals) -> None:
        """Write the end of the object."""
        counts = msgspec.structs.asdict(totals)
        typer.echo("\n], " + msgspec.json.encode(counts).decode().removeprefix("{"))


class TableWriter:
    """Writes text: a row for each log or only for those with findings, and the findings."""

    def __init__(self, *, listed: bool) -> None:
        """Prepare the table; `listed` gives every log a row."""
        self._listed = listed
        self._table = Table(
            *("log", "game", "status", "records", "decided", "late", "verdict"),
            box=None,
            pad_edge=False,
        )
        self._notes: list[RenderableType] = []
        self._records = 0

    def add(self, report: Report) -> None:
        """Add a row; of a long list, print the findings at once."""
        self._records += report.figures.records
        if self._listed:
            self._table.add_row(*_row(report))
        if report.findings:
            self._note(_findings(report))
        if report.errata:
            self._note(errata_of(report))
        for gap in report.unchecked if self._listed else ():
            self._note(Text(f"{report.name}: not checked: {gap}", "dim"))

    def end(self, totals: Totals) -> None:
        """Print the table, and the totals of a long list."""
        if self._listed:
            out.print(self._table)
            for note in self._notes:
                out.print(note, soft_wrap=isinstance(note, Text))
        if not self._listed or totals.audited_before:
            before = totals.audited_before
            earlier = f" ({before} had been audited before)" if before else ""
            said = "all hold"
            if totals.verdict != "holds":
                said = f"{totals.broken} broken, {totals.unauthenticated} unauthenticated"
            out.print(Text(f"{totals.audited} logs, {self._records} records{earlier}: {said}"))

    def _note(self, note: RenderableType) -> None:
        if self._listed:
            self._notes.append(note)
        else:
            out.print(note)


def _findings(report: Report) -> RenderableType:
    """Return the first causes with their values, cut to the terminal, and counts of the rest."""
    follow = Counter(finding.caused_by for finding in report.findings)
    first = [finding for finding in report.findings if finding.caused_by is None]
    laid = Table.grid(padding=(0, 2))
    laid.add_column(no_wrap=True)
    laid.add_column(overflow="fold")
    for finding in first or report.findings[:1]:
        where = f"record {finding.record}" if finding.record else "the log"
        laid.add_row(where, Text(f"{finding.rule}: {finding.message}", "red"))
        for line in values_of(finding):
            laid.add_row("", Text(line, no_wrap=True, overflow="ellipsis"))
        if finding.record and (count := follow.pop(finding.record, 0)):
            laid.add_row("", Text(f"and {count} that follow", "dim"))
    title = Text(f"{report.name}: {len(first)} {'cause' if len(first) == 1 else 'causes'}")
    return Group(title, Padding(laid, (0, 0, 0, 2), expand=False))


def errata_of(report: Report) -> RenderableType:
    """Return what each erratum says and explains."""
    laid = Table.grid(padding=(0, 2))
    laid.add_column(no_wrap=True)
    laid.add_column(overflow="fold")
    for number, given in enumerate(report.errata, start=1):
        erratum = given.erratum
        laid.add_row(f"erratum {number}", Text(erratum.reason))
        releases = f"decided by release {erratum.wrong or '?'}, mended by {erratum.mended}"
        laid.add_row("", Text(f"{releases}; signed at {erratum.at} with key {erratum.key}", "dim"))
        for line in effects(erratum):
            laid.add_row("", Text(line))
        for one in report.explained:
            if one.erratum == number:
                where = f"record {one.finding.record}"
                laid.add_row(where, Text(f"{one.finding.rule}: {one.finding.message}", "yellow"))
                for line in values_of(one.finding):
                    laid.add_row("", Text(line, no_wrap=True, overflow="ellipsis"))
    title = Text(f"{report.name}: explained by {counted(len(report.errata))}")
    return Group(title, Padding(laid, (0, 0, 0, 2), expand=False))


def counted(errata: int) -> str:
    """Return a number of errata as words."""
    return "1 erratum" if errata == 1 else f"{errata} errata"


def effects(erratum: Erratum) -> Iterator[str]:
    """Yield the effects of an erratum on the result and on the standings."""
    ending = erratum.ending
    if ending is None:
        yield "the recorded result stands"
    else:
        scores = f", scores {_json(ending.scores)}" if ending.scores else ""
        seats = f"winners {_json(ending.winners)}, places {_json(ending.places)}{scores}"
        yield f"the corrected result is {ending.reason}: {seats}"
    if not erratum.counts:
        yield "the match does not count for the standings"


def values_of(finding: Finding) -> Iterator[str]:
    """Yield the changed parts of two objects or lists, or else both values."""
    for operation in finding.patch[:CHANGES_MAX]:
        path, was = operation["path"], resolve_pointer(finding.expected, operation["path"], None)
        now = operation.get("value", operation.get("from", "nothing"))
        how = "expected" if operation["op"] == "replace" else f"{operation['op']}:"
        shown = f"{_json(was)}, found {_json(now)}" if how == "expected" else _json(now)
        yield f"{finding.path}{path}: {how} {shown}"
    if finding.patch[CHANGES_MAX:]:
        yield f"{finding.path}: and {len(finding.patch) - CHANGES_MAX} more changes"
    if not finding.patch:
        for name in ("expected", "actual"):
            if (value := getattr(finding, name)) is not UNSET:
                yield f"{finding.path}: {name} {_json(value)}"


def _json(value: object) -> str:
    return msgspec.json.encode(value).decode()


def _with_errata(report: Report) -> str:
    return f", with {counted(len(report.errata))}" if report.errata else ""


def _row(report: Report) -> tuple[str | Text, ...]:
    figures = report.figures
    late = f"{figures.overdue_us / 1e6:.1f} s at {figures.overdue_at}" if figures.overdue_at else ""
    return (
        report.name,
        report.game or "?",
        report.status or "?",
        str(figures.records),
        str(figures.decided),
        late,
        Text.assemble((report.verdict, COLOURS[report.verdict]), _with_errata(report)),
    )
