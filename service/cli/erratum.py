"""`shiplog erratum`: sign that a release decided some records of a match wrongly."""

from pathlib import Path
from typing import Annotated

import msgspec
import typer

from events.checkpoints.leaves import PlacedLeaf
from events.errata import BadErratum, decoded, encoded, leaf_of
from events.record import at_text
from events.signing import CannotSign
from games import GAMES
from replay.audit import audit, audited
from replay.errata import drafted
from replay.evidence import Evidence
from service.base.clock import now_micros
from service.base.keys import Keys
from service.cli.audit_output import errata_of
from service.cli.options import Log, Secrets
from service.cli.output import FOUND, MISUSED, err, out, stop
from service.cli.sources import is_file, sources


def erratum(
    log: Log,
    *,
    reason: Annotated[str, typer.Option(help="What was wrong, for everybody to read.")],
    unrated: Annotated[
        bool, typer.Option("--unrated", help="The match does not count for the standings.")
    ] = False,
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask before signing.")] = False,
    secrets: Secrets = None,
) -> None:
    """Sign an erratum for a match that a faulty release has decided.

    It explains everything that an audit under this release finds, and states the result to which
    the same commands lead. It is kept beside the archive, or at the end of the file.
    """
    with sources(secrets) as source:
        log_file = Path(log) if is_file(log) else None
        if log_file is not None and log_file.suffix == ".zst":
            stop(MISUSED, f"{log} is compressed. Run: shiplog export {log}")
        keys = source.keys or source.open().keys
        if log_file is None and source.open().store.archive is None:
            stop(MISUSED, "Errata are kept beside the archive: set SHIPLOG_ARCHIVE.")
        evidence = msgspec.structs.replace(source.evidence(log), row=None)
        try:
            line = _signed(evidence, keys, reason, counts=not unrated)
        except (BadErratum, CannotSign) as error:
            stop(FOUND, error)
        new = _with(evidence, line)
        report = audit(GAMES, new, keys.ring)
        if report.verdict != "holds":
            why = report.findings[0].message if report.findings else "no known key signed the head"
            stop(FOUND, f"{log} would still be {report.verdict}: {why}")
        out.print(errata_of(report))
        if not yes and not typer.confirm("Sign this erratum? It cannot be removed.", err=True):
            stop(MISUSED, "Nothing was signed.")
        if log_file is None:
            source.keep_errata(log, [line])
        else:
            with log_file.open("ab") as end:
                end.write(line + b"\n")
        err.print(f"{log} holds, with {len(new.errata)} of its errata.")


def _with(evidence: Evidence, line: bytes) -> Evidence:
    """Return the evidence with a new erratum, as if it were in the checkpoint log already."""
    leaves = evidence.leaves
    if leaves is not None:
        leaves = [*leaves, PlacedLeaf(len(leaves), leaf_of(decoded(line)))]
    return msgspec.structs.replace(evidence, errata=[*evidence.errata, line], leaves=leaves)


def _signed(evidence: Evidence, keys: Keys, reason: str, *, counts: bool) -> bytes:
    """Return the line of a new erratum. Raises `BadErratum`, `CannotSign`."""
    auditor = audited(GAMES, evidence, redaction=True)
    report = auditor.report(keys.ring)
    at = at_text(now_micros())
    made = drafted(report, auditor.subject, reason, keys.service, at, counts=counts)
    return encoded(keys.sign_erratum(made))
