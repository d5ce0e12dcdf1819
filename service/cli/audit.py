"""`shiplog audit`: check every byte of logs, decide every command again, and report differences."""

import os
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Annotated, NamedTuple

import msgspec
import typer
import uvloop
from rich.progress import Progress
from rich.text import Text

from events.checkpoints.notes import Verifier
from events.keyring import Keyring
from events.receipts import Receipt, objection
from replay.audits import audit_many
from replay.committed import compare
from replay.evidence import Evidence
from replay.proofs import BadProof, with_proofs
from replay.report import Report, Verdict, worst
from replay.witnesses import named
from service.base.environment import load
from service.base.keys import Keys
from service.base.logs import configure
from service.cli import audit_spread
from service.cli.audit_formats import Form, ShortForm, form_of, writer_of
from service.cli.audit_output import ReportWriter, Totals, status_of
from service.cli.audit_store import StoreAudit
from service.cli.options import LogKey, Logs, Proof, Secrets
from service.cli.output import FOUND, MISUSED, UNSIGNED, err, stop, why_of
from service.cli.progress import COLUMNS
from service.cli.public_keys import AllowUnsigned, PublicKeys, keyring, parse_log_key
from service.cli.receipts import read_receipts
from service.cli.sources import UNREACHABLE, Sources, is_file, sources
from service.process import auditing
from service.process.audit_journal import Audited, BadJournal, Journal, changed

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
    if follow:
        others = (every, receipts, sent, parent, proof, checkpoint, against, public_key, secrets)
        if names or any(others):
            raise typer.BadParameter("With --follow, use only --resume and --fast.")
        _follow(resume, redaction=not fast)
        return
    if every == bool(names):
        raise typer.BadParameter("Name logs, or use --all or --follow.")
    if (log_key and not proof) or (proof and (every or len(names or ()) != 1)):
        raise typer.BadParameter("--proof needs exactly one log, and --log-key needs --proof.")
    for option, given in (("--checkpoint", checkpoint), ("--against", against)):
        if given and not every:
            raise typer.BadParameter(f"{option} needs --all.")
    if spread and (not every or receipts or sent or parent or public_key or secrets):
        raise typer.BadParameter(
            "--spread needs --all. The workers audit with their own secrets, and without receipts."
        )
    form = form_of(form, json=json)
    given = () if receipts is None else read_receipts(receipts)
    with ExitStack() as stack:
        source = stack.enter_context(sources(secrets))
        keys = keyring(public_key)
        store = StoreAudit(source, checkpoint or (), against) if every else None
        chosen = list(names or ()) if store is None else store.matches
        if not all(map(is_file, chosen)):
            source.open()
        journal = None if resume is None else stack.enter_context(_journal(resume))
        resumed = Resumed(journal)
        if spread and store is not None:
            spread_out = audit_spread.spread(store, source, resumed.audited, redaction=not fast)
            audits = resumed.reports(spread_out)
        else:
            beside = Beside(given, sent or (), parent)
            logs = _logs(source, chosen, beside, store, unsigned=allow_unsigned)
            if proof is not None:
                logs = _proved(logs, proof, _verifier(log_key, source.keys))
            if not keys and source.keys is not None:
                keys = source.keys.ring
            workers = min(processes, 1 + len(chosen) // LOGS_PER_PROCESS)
            audits = _compared(
                audit_many(resumed.changed(logs), keys, redaction=not fast, processes=workers),
                given,
                keys,
            )
        verdict = _report(audits, writer_of(form, len(chosen)), len(chosen), resumed, store)
    if status := status_of(verdict, allow_unsigned=allow_unsigned):
        raise typer.Exit(status)


class Beside(NamedTuple):
    """What is compared with the logs, from the options of these names."""

    receipts: Sequence[Receipt]
    sent: Sequence[str]
    parent: Path | None


class Resumed:
    """The logs that an earlier audit has seen, if it is resumed."""

    def __init__(self, journal: Journal | None) -> None:
        """Skip the logs of a journal, if there is one."""
        self._journal = journal
        self.audited: Mapping[str, Audited] = {} if journal is None else dict(journal.audited)
        self.skipped = 0
        self.verdicts: Counter[Verdict] = Counter()
        """Verdicts on the skipped logs."""

    def changed(self, logs: Iterable[Evidence]) -> Iterator[Evidence]:
        """Yield the logs that are not as they were audited. Add what contradicts the journal."""
        for log in logs:
            if (new := changed(log, self.audited.get(log.name))) is None:
                self._skip(log.name)
            else:
                yield new

    def reports(self, reports: Iterable[tuple[str, Report | None]]) -> Iterator[Report]:
        """Yield the reports, except those that are None because the log is as it was audited."""
        for name, report in reports:
            if report is None:
                self._skip(name)
            else:
                yield report

    def note(self, report: Report) -> None:
        """Add a report to the journal, if there is one."""
        if self._journal is not None:
            self._journal.add(report)

    def _skip(self, name: str) -> None:
        self.skipped += 1
        self.verdicts[self.audited[name].verdict] += 1


def _follow(journal: Path | None, *, redaction: bool) -> None:
    try:
        settings = load()
        configure(settings.log_level)
        path = journal or settings.data / "audited.jsonl"
        uvloop.run(auditing.follow(settings, path, redaction=redaction))
    except (BadJournal, *UNREACHABLE) as error:
        stop(MISUSED, str(error))
    except BrokenPipeError:
        raise  # The reader of the output has seen enough. Typer ends the program.
    except OSError as error:
        stop(MISUSED, why_of(error))


def _journal(path: Path) -> Journal:
    try:
        return Journal(path)
    except BadJournal as error:
        stop(MISUSED, str(error))


def _logs(
    source: Sources,
    names: Sequence[str],
    beside: Beside,
    store: StoreAudit | None,
    *,
    unsigned: bool,
) -> Iterator[Evidence]:
    transcripts = dict(map(_transcript, beside.sent))
    forked = [] if beside.parent is None else source.lines(str(beside.parent))[0]
    for name in names:
        log = store.evidence(name) if store else source.evidence(name, unsigned=unsigned)
        if forked:
            log = msgspec.structs.replace(log, parent=forked)
        yield msgspec.structs.replace(log, receipts=beside.receipts, transcripts=transcripts)


def _compared(
    reports: Iterable[Report], receipts: Sequence[Receipt], keys: Keyring
) -> Iterator[Report]:
    """Yield reports, then print how many receipts they compared, and those of other matches."""
    matches: set[str | None] = set()
    for report in reports:
        matches.add(report.match)
        yield report
    if not receipts:
        return
    compared = sum(one.match in matches and not objection(one, keys) for one in receipts)
    lines = [f"receipts: {compared} of {len(receipts)} compared"]
    for one in receipts:
        if one.match and one.match not in matches:
            why = f"match {one.match} is not among the audited logs"
            lines.append(f"not checked: receipt: {named(one)}: {why}")
    err.print(Text("\n".join(lines)), soft_wrap=True)


def _verifier(text: str | None, keys: Keys | None) -> Verifier:
    """Return the key of the checkpoint log. Raises `typer.BadParameter`."""
    if text is None:
        if keys is None:
            raise typer.BadParameter("--proof needs --log-key, or the --secrets of the service.")
        return keys.checkpoint_signer(load().checkpoint_origin).verifier
    return parse_log_key(text)


def _proved(logs: Iterable[Evidence], proof: Path, key: Verifier) -> Iterator[Evidence]:
    """Yield logs with their leaves, and with findings where the leaves commit to other records."""
    for log in logs:
        nothing = f"{proof} proves nothing about {log.name}"
        try:
            proven = with_proofs(log, proof.read_bytes(), key)
        except BadProof as error:
            stop(FOUND, f"{nothing}: {error}.")
        leaves = proven.leaves or ()
        found = list(compare(leaves, proven.lines, proven.errata))
        if not found and all(one.leaf.version < len(proven.lines) for one in leaves):
            stop(UNSIGNED, f"{nothing}: it has no leaf of the last record. Ask for it again later.")
        yield msgspec.structs.replace(proven, findings=(*proven.findings, *found))


def _transcript(text: str) -> tuple[int | None, list[bytes]]:
    viewer, _, name = text.partition("=")
    if not (viewer.isdecimal() or viewer == "spectator") or not Path(name).is_file():
        raise typer.BadParameter(f"Expected SEAT=FILE with an existing file, got {text!r}.")
    lines = Path(name).read_bytes().splitlines()
    return (int(viewer) if viewer.isdecimal() else None), lines


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
