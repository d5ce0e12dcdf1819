"""`shiplog audit`: check every byte of logs, decide every command again, and report differences."""

import os
from collections import Counter
from collections.abc import Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Annotated

import typer
from rich.progress import Progress

from replay.audits import audit_many
from replay.report import Report, Verdict, worst
from service.cli import audit_follow, audit_spread
from service.cli.audit_evidence import Beside, compared_receipts, proved, verifier_of, with_beside
from service.cli.audit_formats import Form, ShortForm, form_of, writer_of
from service.cli.audit_output import ReportWriter, Totals, status_of
from service.cli.audit_resume import Resumed, resumed_from
from service.cli.audit_store import StoreAudit
from service.cli.options import LogKey, Logs, Proof, Secrets
from service.cli.output import err
from service.cli.progress import COLUMNS
from service.cli.public_keys import AllowUnsigned, PublicKeys, keyring
from service.cli.receipts import read_receipts
from service.cli.sources import is_file, sources

Receipts = Annotated[
    Path | None,
    typer.Option(
        exists=True, dir_okay=False, help="Receipts of players, as kept: one per line, or a list."
    ),
]
Sent = Annotated[
    list[str] | None,
    typer.Option(
        metavar="SEAT=FILE", help="Records as sent to a seat (or `spectator`), one per line."
    ),
]
Parent = Annotated[
    Path | None,
    typer.Option(exists=True, dir_okay=False, help="Log of the match that a branch comes from."),
]
Saved = Annotated[
    list[Path] | None,
    typer.Option(
        exists=True,
        dir_okay=False,
        help="With --all: a checkpoint that somebody kept, which the log must extend.",
    ),
]
Against = Annotated[
    Path | None,
    typer.Option(
        metavar="BACKUP",
        exists=True,
        file_okay=False,
        help="With --all: name every log that a backup has and the service has lost or changed.",
    ),
]

LOGS_PER_PROCESS = 50
"""Number of audits that take as long as starting a process."""


def audit(
    names: Logs = None,
    *,
    every: Annotated[bool, typer.Option("--all", help="All matches in the service's log.")] = False,
    follow: Annotated[
        bool, typer.Option("--follow", help="Audit all matches and go on until SIGTERM.")
    ] = False,
    spread: Annotated[
        bool, typer.Option("--spread", help="With --all: let the workers of the service audit.")
    ] = False,
    resume: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            dir_okay=False,
            help="Append each report to this file as a line of JSON; skip logs whose head has one.",
        ),
    ] = None,
    secrets: Secrets = None,
    public_key: PublicKeys = None,
    allow_unsigned: AllowUnsigned = False,
    receipts: Receipts = None,
    sent: Sent = None,
    parent: Parent = None,
    proof: Proof = None,
    log_key: LogKey = None,
    checkpoint: Saved = None,
    against: Against = None,
    fast: Annotated[bool, typer.Option("--fast", help="Skip the check of the redaction.")] = False,
    processes: Annotated[int, typer.Option(min=1, help="Number of processes.")] = os.cpu_count()
    or 1,
    form: Form = None,
    json: ShortForm = False,
) -> None:
    """Audit logs. Exits with 0 if all hold, with 1 if one is broken.

    Exits with 3 if none is broken, but no known key signed one of them.

    With --all, the store, the archive and the checkpoint log are compared as well. With --follow,
    matches are audited while they are played. Findings are then log lines, metrics, and lines of
    the journal (--resume; by default `audited.jsonl` in the data folder).
    """
    beside = (receipts, sent, parent)
    own = (public_key, secrets)
    if follow:
        if names or any((every, *beside, *own, proof, checkpoint, against)):
            raise typer.BadParameter("With --follow, use only --resume and --fast.")
        audit_follow.follow(resume, redaction=not fast)
        return
    _check_chosen(names, proof, log_key, every=every)
    _check_needs_all({"--checkpoint": checkpoint, "--against": against}, every=every)
    if spread and (not every or any((*beside, *own))):
        raise typer.BadParameter(
            "--spread needs --all. The workers audit with their own secrets, and without receipts."
        )
    form = form_of(form, json=json)
    kept = () if receipts is None else read_receipts(receipts)
    with sources(secrets) as source:
        keys = keyring(public_key)
        store = StoreAudit(source, checkpoint or (), against) if every else None
        chosen = list(names or ()) if store is None else store.matches
        if not all(map(is_file, chosen)):
            source.open()
        with resumed_from(resume) as resumed:
            if spread and store is not None:
                told = audit_spread.spread(store, source, resumed.audited, redaction=not fast)
                audits = resumed.reports(told)
            else:
                read = partial(source.evidence, unsigned=allow_unsigned)
                logs = map(read if store is None else store.evidence, chosen)
                logs = with_beside(logs, Beside(kept, sent or (), parent), source)
                if proof is not None:
                    logs = proved(logs, proof, verifier_of(log_key, source.keys))
                keys = keys or source.ring
                workers = min(processes, 1 + len(chosen) // LOGS_PER_PROCESS)
                new = resumed.changed(logs)
                audits = audit_many(new, keys, redaction=not fast, processes=workers)
                audits = compared_receipts(audits, kept, keys)
            verdict = _report(audits, writer_of(form, len(chosen)), len(chosen), resumed, store)
    if status := status_of(verdict, allow_unsigned=allow_unsigned):
        raise typer.Exit(status)


def _check_chosen(
    names: list[str] | None, proof: Path | None, log_key: str | None, *, every: bool
) -> None:
    """Raise `BadParameter` unless the logs are chosen in one way, and one for a proof."""
    if every == bool(names):
        raise typer.BadParameter("Name logs, or use --all or --follow.")
    if (log_key and not proof) or (proof and (every or len(names or ()) != 1)):
        raise typer.BadParameter("--proof needs exactly one log, and --log-key needs --proof.")


def _check_needs_all(options: Mapping[str, object], *, every: bool) -> None:
    """Raise `BadParameter` for options that need --all."""
    for option, given in options.items():
        if given and not every:
            raise typer.BadParameter(f"{option} needs --all.")


def _report(
    audits: Iterator[Report],
    shown: ReportWriter,
    total: int,
    resumed: Resumed,
    store: StoreAudit | None,
) -> Verdict:
    """Show the reports and their totals; return the worst verdict."""
    verdicts: Counter[Verdict] = Counter()
    for report in _watched(audits, total, resumed):
        verdicts[report.verdict] += 1
        shown.add(report if store is None else store.noted(report))
        resumed.note(report)
    verdicts += resumed.verdicts
    for report in () if store is None else store.reports(resumed.audited):
        verdicts[report.verdict] += 1
        shown.add(report)
    verdict = worst(verdicts)
    broken, unauthenticated = verdicts["broken"], verdicts["unauthenticated"]
    shown.end(Totals(verdict, total - resumed.skipped, resumed.skipped, broken, unauthenticated))
    return verdict


def _watched(audits: Iterator[Report], total: int, resumed: Resumed) -> Iterator[Report]:
    """Yield the reports while showing the progress."""
    with Progress(
        *COLUMNS, console=err, transient=True, disable=total < 2 or not err.is_terminal
    ) as progress:
        task = progress.add_task("auditing", total=total)
        for done, report in enumerate(audits, start=1):
            yield report
            progress.update(task, completed=done + resumed.skipped)
