"""`shiplog import`: verify an exported file, and restore the match to the service's log."""

from pathlib import Path
from typing import Annotated

import typer

from games import GAMES
from replay.report import Report
from replay.transfer import BadUpload, upload
from service.cli.sources import FOUND, Json, err, out, print_json, sources, stop

File = Annotated[Path, typer.Argument(exists=True, dir_okay=False, help="An exported file.")]
Keep = Annotated[
    bool,
    typer.Option(
        "--keep", help="Restore the match to the service's log, if this service has signed it."
    ),
]


def import_(path: File, *, keep: Keep = False, json: Json = False) -> None:
    """Verify a log from elsewhere, without trusting it. With --keep, restore it."""
    with sources() as source:
        key = source.open().keys.public if keep else None
        try:
            replay = upload(GAMES, path.read_bytes(), key)
        except BadUpload as error:
            stop(FOUND, f"{path}: {error}")
        report = replay.report
        if keep and _whole(report):
            source.keep(replay.folded.match.header.match, replay.lines)
    if json:
        print_json(report)
    else:
        _print(report, replay.folded.version)
    if keep and not _whole(report):
        stop(FOUND, "The match was not restored: its log must be valid and signed by this service.")
    if not report.ok:
        raise typer.Exit(FOUND)


def _whole(report: Report) -> bool:
    """Return whether a log may be restored: it has no findings, and its signature was checked."""
    return report.ok and not any(gap.startswith("signature") for gap in report.unchecked)


def _print(report: Report, sound: int) -> None:
    out.print(
        f"{report.match or '?'}: {report.game or '?'}, {report.status or '?'}, "
        f"{sound} of {report.figures.records} records are valid",
        highlight=False,
    )
    for finding in report.findings:
        err.print(
            f"record {finding.record}: {finding.rule}: {finding.message}",
            style="red",
            markup=False,
        )
