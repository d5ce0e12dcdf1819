"""`shiplog audit`: check logs to the last byte, decide every command again, and say what does not hold."""

import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Annotated

import msgspec
import typer
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from rich.markup import escape
from rich.progress import Progress
from rich.table import Table

from replay.audit import Evidence
from replay.audits import audit_many
from replay.report import Receipt, Report
from service.cli.sources import FOUND, Json, Sources, err, is_file, out, print_json, sources

Names = Annotated[
    list[str] | None, typer.Argument(metavar="LOG…", help="Matches' ids, or exported files.")
]
Secrets = Annotated[
    Path | None,
    typer.Option(
        exists=True, dir_okay=False, help="Secret file of the service: running matches' dice."
    ),
]
PublicKey = Annotated[
    str | None, typer.Option(metavar="HEX", help="Key that the heads are signed with.")
]
Receipts = Annotated[
    Path | None,
    typer.Option(
        exists=True, dir_okay=False, help='Heads given out: [{"version", "head", "viewer"}, …].'
    ),
]
Sent = Annotated[
    list[str] | None,
    typer.Option(
        metavar="SEAT=FILE", help="Records as sent to a seat (or `spectator`), one a line."
    ),
]


Parent = Annotated[
    Path | None,
    typer.Option(exists=True, dir_okay=False, help="The log that a branch was forked from."),
]

LOGS_PER_PROCESS = 50
"""To start a process takes as long as to audit so many."""
GAPS_MAX = 20
"""Logs up to which what could not be checked is printed."""


class Audited(msgspec.Struct, frozen=True):
    """What `--json` prints."""

    ok: bool
    reports: list[Report]


def audit(
    names: Names = None,
    *,
    every: Annotated[bool, typer.Option("--all", help="All matches in the service's log.")] = False,
    secrets: Secrets = None,
    public_key: PublicKey = None,
    receipts: Receipts = None,
    sent: Sent = None,
    parent: Parent = None,
    fast: Annotated[bool, typer.Option("--fast", help="Leave the redaction out.")] = False,
    processes: Annotated[int, typer.Option(min=1, help="To audit with.")] = os.cpu_count() or 1,
    json: Json = False,
) -> None:
    """Audit logs: exit with 0 if all hold, with 1 if one does not."""
    if every == bool(names):
        raise typer.BadParameter("name logs, or give --all")
    with sources(secrets) as source:
        key = None if public_key is None else _key(public_key)
        chosen = source.matches() if every else list(names or ())
        if not all(map(is_file, chosen)):
            source.open()
        logs = _logs(source, chosen, receipts, sent or (), parent)
        key = key or (source.keys and source.keys.public)
        workers = min(processes, 1 + len(chosen) // LOGS_PER_PROCESS)
        audits = audit_many(logs, key, redaction=not fast, processes=workers)
        reports = _watched(audits, len(chosen))
    ok = all(report.ok for report in reports)
    if json:
        print_json(Audited(ok, reports))
    else:
        _print(reports)
    if not ok:
        raise typer.Exit(FOUND)


def _key(text: str) -> Ed25519PublicKey:
    try:
        return Ed25519PublicKey.from_public_bytes(bytes.fromhex(text))
    except ValueError:
        raise typer.BadParameter("a public key is 32 bytes in hex") from None


def _logs(
    source: Sources,
    names: Sequence[str],
    receipts: Path | None,
    sent: Sequence[str],
    parent: Path | None,
) -> Iterator[Evidence]:
    given = () if receipts is None else _decoded(receipts.read_bytes())
    transcripts = dict(_transcript(text) for text in sent)
    forked = [] if parent is None else source.lines(str(parent))[0]
    for name in names:
        log = source.evidence(name)
        if forked:
            log = msgspec.structs.replace(log, parent=forked)
        yield msgspec.structs.replace(log, receipts=given, transcripts=transcripts)


def _decoded(data: bytes) -> list[Receipt]:
    try:
        return msgspec.json.decode(data, type=list[Receipt])
    except msgspec.DecodeError as error:
        raise typer.BadParameter(f"receipts: {error}") from None


def _transcript(text: str) -> tuple[int | None, list[bytes]]:
    viewer, _, name = text.partition("=")
    if not (viewer.isdigit() or viewer == "spectator") or not Path(name).is_file():
        raise typer.BadParameter(f"not SEAT=FILE: {text}")
    lines = Path(name).read_bytes().splitlines()
    return (int(viewer) if viewer.isdigit() else None), lines


def _watched(audits: Iterator[Report], total: int) -> list[Report]:
    reports: list[Report] = []
    with Progress(
        console=err, transient=True, disable=total < 2 or not err.is_terminal
    ) as progress:
        task = progress.add_task("auditing", total=total)
        for report in audits:
            reports.append(report)
            progress.advance(task)
    return reports


def _print(reports: Sequence[Report]) -> None:
    table = Table("log", "game", "status", "records", "decided", "holds", box=None, pad_edge=False)
    for report in reports:
        figures = report.figures
        holds = "[green]yes[/]" if report.ok else "[red]no[/]"
        table.add_row(
            escape(report.name),
            report.game or "?",
            report.status or "?",
            str(figures.records),
            str(figures.decided),
            holds,
        )
    out.print(table)
    for report in reports:
        for finding in report.findings:
            where = f"record {finding.version}" if finding.version else "the log"
            text = f"{report.name}: {where}: {finding.check}: {finding.message}"
            out.print(text, style="red", highlight=False, markup=False, soft_wrap=True)
        for gap in report.unchecked if len(reports) <= GAPS_MAX else ():
            text = f"{report.name}: not checked: {gap}"
            out.print(text, style="dim", highlight=False, markup=False, soft_wrap=True)
