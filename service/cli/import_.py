"""`shiplog import`: verify an exported file, and restore the match to the service's log."""

from pathlib import Path
from typing import Annotated

import typer

from events import file
from events.errata import encoded
from games import GAMES
from replay.report import Report
from replay.transfer import BadUpload, upload
from service.cli.audit_output import status_of
from service.cli.options import Json
from service.cli.output import FOUND, err, out, print_json, stop
from service.cli.public_keys import AllowUnsigned, PublicKeys, keyring
from service.cli.sources import sources

File = Annotated[Path, typer.Argument(exists=True, dir_okay=False, help="An exported file.")]
Keep = Annotated[
    bool,
    typer.Option(
        "--keep", help="Restore the match to the service's log, if this service has signed it."
    ),
]


def import_(
    path: File,
    *,
    keep: Keep = False,
    public_key: PublicKeys = None,
    allow_unsigned: AllowUnsigned = False,
    json: Json = False,
) -> None:
    """Verify a log from elsewhere, without trusting it. With --keep, restore it."""
    with sources() as source:
        keys = source.open().keys.ring if keep else keyring(public_key)
        try:
            replay = upload(GAMES, path.read_bytes(), keys)
        except BadUpload as error:
            stop(FOUND, f"{path}: {error}")
        report = replay.report
        if keep and report.verdict == "holds":
            _, head = file.read(path.read_bytes())
            match = replay.folded.match.header.match
            source.keep(match, replay.lines, head)
            if report.errata:
                source.keep_errata(match, map(encoded, report.errata))
    if json:
        print_json(report)
    else:
        _print(report, replay.folded.version)
    if keep and report.verdict != "holds":
        stop(FOUND, "The match was not restored: its log must be valid and signed by this service.")
    if status := status_of(report.verdict, allow_unsigned=allow_unsigned):
        raise typer.Exit(status)


def _print(report: Report, sound: int) -> None:
    out.print(
        f"{report.match or '?'}: {report.game or '?'}, {report.status or '?'}, "
        f"{sound} of {report.figures.records} records are valid: {report.verdict}"
    )
    for finding in report.findings:
        err.print(f"record {finding.record}: {finding.rule}: {finding.message}", style="red")
