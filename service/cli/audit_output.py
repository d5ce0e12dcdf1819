"""Output of `shiplog audit`: a table or JSON, report by report.

No report is kept in memory: ten thousand matches take no more than one.
"""

from typing import Protocol

import msgspec
import typer
from rich.markup import escape
from rich.table import Table

from replay.report import Report
from service.cli.sources import out


class ReportWriter(Protocol):
    """Writes the reports of an audit."""

    def add(self, report: Report) -> None:
        """Write a report."""
        ...

    def end(self, *, ok: bool, audited: int, before: int, failed: int) -> None:
        """Write the end; `before` is the number of logs audited earlier."""
        ...


class JsonWriter:
    """Writes JSON: `{"reports": […], "ok": …}`, with each report as soon as it is made."""

    def __init__(self) -> None:
        """Write the start of the object."""
        self._empty = True
        typer.echo('{"reports": [', nl=False)

    def add(self, report: Report) -> None:
        """Write a report on a line."""
        text = msgspec.json.encode(report).decode()
        typer.echo(("\n" if self._empty else ",\n") + text, nl=False)
        self._empty = False

    def end(self, *, ok: bool, audited: int, before: int, failed: int) -> None:
        """Write the end of the object."""
        counts = f'"audited": {audited}, "audited_before": {before}, "failed": {failed}'
        typer.echo(f'\n], "ok": {str(ok).lower()}, {counts}}}')


class TableWriter:
    """Writes text: a row for each log or only for those with findings, and the findings."""

    def __init__(self, *, listed: bool) -> None:
        """Prepare the table; `listed` gives every log a row."""
        self._listed = listed
        self._table = Table(
            "log", "game", "status", "records", "decided", "late", "holds", box=None, pad_edge=False
        )
        self._notes: list[tuple[str, str]] = []
        self._records = 0

    def add(self, report: Report) -> None:
        """Add a row; of a long list, print the findings at once."""
        self._records += report.figures.records
        if self._listed:
            self._table.add_row(*_row(report))
        for finding in report.findings:
            where = f"record {finding.version}" if finding.version else "the log"
            self._note(f"{report.name}: {where}: {finding.check}: {finding.message}", "red")
        for gap in report.unchecked if self._listed else ():
            self._note(f"{report.name}: not checked: {gap}", "dim")

    def end(self, *, ok: bool, audited: int, before: int, failed: int) -> None:
        """Print the table, and the totals of a long list."""
        if self._listed:
            out.print(self._table)
            for text, style in self._notes:
                _print(text, style)
        if not self._listed or before:
            earlier = f" ({before} had been audited before)" if before else ""
            said = "all are valid" if ok else f"{failed} are not valid"
            _print(f"{audited} logs, {self._records} records{earlier}: {said}", "")

    def _note(self, text: str, style: str) -> None:
        if self._listed:
            self._notes.append((text, style))
        else:
            _print(text, style)


def _row(report: Report) -> tuple[str, ...]:
    figures = report.figures
    late = f"{figures.overdue_us / 1e6:.1f} s at {figures.overdue_at}" if figures.overdue_at else ""
    return (
        escape(report.name),
        report.game or "?",
        report.status or "?",
        str(figures.records),
        str(figures.decided),
        late,
        "[green]yes[/]" if report.ok else "[red]no[/]",
    )


def _print(text: str, style: str) -> None:
    out.print(text, style=style, highlight=False, markup=False, soft_wrap=True)
