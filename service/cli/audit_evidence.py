"""What an audit compares logs with: receipts, records as sent, a branch's parent, and leaves."""

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import msgspec
import typer
from rich.text import Text

from events.checkpoints.notes import Verifier
from events.keyring import Keyring
from events.receipts import Receipt, objection
from replay.committed import compare
from replay.evidence import Evidence
from replay.proofs import BadProof, with_proofs
from replay.report import Report
from replay.witnesses import named
from service.base.environment import load
from service.base.keys import Keys
from service.cli.output import FOUND, UNSIGNED, err, stop
from service.cli.public_keys import parse_log_key
from service.cli.sources import Sources


class Beside(NamedTuple):
    """What is compared with the logs, from the options of these names."""

    receipts: Sequence[Receipt]
    sent: Sequence[str]
    parent: Path | None


def with_beside(logs: Iterable[Evidence], beside: Beside, source: Sources) -> Iterator[Evidence]:
    """Yield logs with what is to be compared with them."""
    transcripts = dict(map(_transcript, beside.sent))
    forked = [] if beside.parent is None else source.lines(str(beside.parent))[0]
    for log in logs:
        parent = forked or log.parent
        yield msgspec.structs.replace(
            log, parent=parent, receipts=beside.receipts, transcripts=transcripts
        )


def _transcript(text: str) -> tuple[int | None, list[bytes]]:
    viewer, _, name = text.partition("=")
    if not (viewer.isdecimal() or viewer == "spectator") or not Path(name).is_file():
        raise typer.BadParameter(f"Expected SEAT=FILE with an existing file, got {text!r}.")
    lines = Path(name).read_bytes().splitlines()
    return (int(viewer) if viewer.isdecimal() else None), lines


def compared_receipts(
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


def proved(logs: Iterable[Evidence], proof: Path, key: Verifier) -> Iterator[Evidence]:
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


def verifier_of(text: str | None, keys: Keys | None) -> Verifier:
    """Return the key of the checkpoint log, by default that of keys. Raises `BadParameter`."""
    if text is None:
        if keys is None:
            raise typer.BadParameter("--proof needs --log-key, or the --secrets of the service.")
        return keys.checkpoint_signer(load().checkpoint_origin).verifier
    return parse_log_key(text)
