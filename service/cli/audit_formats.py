"""The formats of `shiplog audit` and `shiplog compare`; here NDJSON, SARIF and JUnit."""

from collections import defaultdict
from collections.abc import Sequence
from typing import Annotated, Literal
from xml.etree import ElementTree as ET

import msgspec
import typer

from events.errata import SignedErratum
from events.release import RELEASE
from replay.report import Figures, Finding, Report, Verdict
from replay.sarif import NOT_HERE, SCHEMA, VERSION, driver, results
from service.cli.audit_output import JsonWriter, ReportWriter, TableWriter, Totals

Format = Literal["table", "json", "ndjson", "sarif", "junit"]
Form = Annotated[
    Format | None,
    typer.Option(
        "--format", help="`table`, `json`, `ndjson` (while it runs), `sarif` (2.1.0) or `junit`."
    ),
]
ShortForm = Annotated[bool, typer.Option("--json", help="Short for --format json.")]

LISTED_MAX = 20
"""With up to this many logs, print a row for each; with more, only those with findings."""


class FindingLine(msgspec.Struct, frozen=True, tag_field="type", tag="finding"):
    """A line of NDJSON: a finding, which `shiplog explain` takes as its argument."""

    log: str
    match: str | None
    finding: Finding
    erratum: int | None = None
    """Place of the erratum that explains the finding in `errata` of the report, from 1."""


class ReportLine(msgspec.Struct, frozen=True, tag_field="type", tag="report"):
    """The line of NDJSON that ends a log: its report without the findings."""

    log: str
    verdict: Verdict
    unchecked: list[str]
    figures: Figures
    match: str | None
    game: str | None
    status: str | None
    head: str | None
    errata: Sequence[SignedErratum]


class NdjsonWriter:
    """Writes a line for each finding and each log, as soon as the log is audited."""

    def add(self, report: Report) -> None:
        """Write the findings of a log, and then its report."""
        for finding in report.findings:
            self._write(FindingLine(report.name, report.match, finding))
        for one in report.explained:
            self._write(FindingLine(report.name, report.match, one.finding, one.erratum))
        self._write(
            ReportLine(
                report.name,
                report.verdict,
                [*report.unchecked],
                report.figures,
                report.match,
                report.game,
                report.status,
                report.head,
                report.errata,
            )
        )

    def end(self, totals: Totals) -> None:
        """Write the last line."""
        self._write(totals)

    def _write(self, line: msgspec.Struct) -> None:
        typer.echo(msgspec.json.encode(line))


class SarifWriter:
    """Writes SARIF 2.1.0, with each result as soon as its log is audited."""

    def __init__(self) -> None:
        """Write the start of the run."""
        tool = msgspec.json.encode(driver(RELEASE)).decode()
        typer.echo(
            f'{{"$schema": "{SCHEMA}", "version": "{VERSION}", '
            f'"runs": [{{"tool": {{"driver": {tool}}}, "results": [',
            nl=False,
        )
        self._empty = True

    def add(self, report: Report) -> None:
        """Write the results of a log."""
        for result in results(report):
            text = msgspec.json.encode(result).decode()
            typer.echo(("\n" if self._empty else ",\n") + text, nl=False)
            self._empty = False

    def end(self, totals: Totals) -> None:
        """Write the end of the run."""
        properties = msgspec.json.encode(msgspec.structs.asdict(totals)).decode()
        typer.echo(f'\n], "columnKind": "unicodeCodePoints", "properties": {properties}}}]}}')


class JunitWriter:
    """Writes JUnit XML at the end: a suite for each game, and a test case for each log."""

    def __init__(self) -> None:
        """Start without a case."""
        self._suites: defaultdict[str, list[ET.Element]] = defaultdict(list)

    def add(self, report: Report) -> None:
        """Add the case of a log."""
        game = report.game or "unknown"
        case = ET.Element("testcase", name=report.name, classname=game)
        about = {
            "head": report.head,
            "rules": report.rules,
            "records": report.figures.records,
            "errata": len(report.errata) or None,
        }
        known = ET.SubElement(case, "properties")
        for name, value in about.items():
            if value is not None:
                ET.SubElement(known, "property", name=name, value=str(value))
        if report.findings:
            self._add_findings(case, report)
        elif report.verdict == "unauthenticated":
            why = "no known key signed the head"
            ET.SubElement(case, "failure", type=report.verdict, message=why)
        self._suites[game].append(case)

    def _add_findings(self, case: ET.Element, report: Report) -> None:
        first = report.findings[0]
        if all(finding.rule in NOT_HERE for finding in report.findings):
            ET.SubElement(case, "skipped", message=first.message)
            return
        outcome = "failure" if report.game else "error"
        problem = ET.SubElement(case, outcome, type=first.rule, message=_said(first))
        problem.text = "\n".join(
            msgspec.json.encode(finding).decode() for finding in report.findings
        )

    def end(self, totals: Totals) -> None:
        """Write the document."""
        suites = ET.Element("testsuites", name="shiplog audit", tests=str(totals.audited))
        for game, cases in sorted(self._suites.items()):
            suite = ET.SubElement(suites, "testsuite", name=game, tests=str(len(cases)))
            for outcome, name in (
                ("failure", "failures"), ("error", "errors"), ("skipped", "skipped"),
            ):  # fmt: skip
                suite.set(name, str(sum(case.find(outcome) is not None for case in cases)))
            suite.extend(cases)
        ET.indent(suites)
        typer.echo(ET.tostring(suites, encoding="unicode", xml_declaration=False))


def _said(finding: Finding) -> str:
    where = f"record {finding.record}: " if finding.record else ""
    return where + finding.message


def form_of(form: Format | None, *, json: bool) -> Format:
    """Return the format for the options. Raises `typer.BadParameter`."""
    if json and form not in (None, "json"):
        raise typer.BadParameter(f"--json is short for --format json: leave out --format {form}.")
    return form or ("json" if json else "table")


def writer_of(form: Format, logs: int) -> ReportWriter:
    """Return the writer of a format for a number of logs."""
    match form:
        case "json":
            return JsonWriter()
        case "ndjson":
            return NdjsonWriter()
        case "sarif":
            return SarifWriter()
        case "junit":
            return JunitWriter()
        case "table":
            return TableWriter(listed=logs <= LISTED_MAX)
