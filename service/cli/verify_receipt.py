"""`shiplog verify-receipt`: check receipts without the service."""

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, NamedTuple

import typer

from events.chain import ChainBroken, follow
from events.checkpoints.leaves import PlacedLeaf
from events.codec import unseal_header
from events.receipts import Receipt, objection
from replay.proofs import BadProof, Contradicted, covering_leaf, with_proofs
from replay.transfer import file_evidence
from service.cli.options import LogKey, Proof
from service.cli.output import FOUND, UNSIGNED, err, out, stop
from service.cli.public_keys import PublicKeys, keyring, parse_log_key
from service.cli.receipts import read_receipts

File = Annotated[Path, typer.Argument(exists=True, dir_okay=False, help="Receipts, as kept.")]
LogFile = Annotated[
    Path | None,
    typer.Option(exists=True, dir_okay=False, help="With --proof: the exported log of the match."),
]


class ProvenLog(NamedTuple):
    """The log of a match, and its leaves in the checkpoint log."""

    match: str
    heads: Sequence[str]
    leaves: Sequence[PlacedLeaf]


def verify_receipt(
    path: File,
    *,
    public_key: PublicKeys = None,
    log: LogFile = None,
    proof: Proof = None,
    log_key: LogKey = None,
) -> None:
    """Check who signed receipts, and that no two contradict each other.

    With --proof, check also that the log has what each receipt names, and that the checkpoint log
    covers it. Exits with 1 if a receipt contradicts another, or a log that the leaves vouch for:
    that convicts the service. Exits with 3 if no known key signed a receipt, or no leaf covers it.
    """
    keys = keyring(public_key)
    proven = _proven_log(log, proof, log_key)
    signed: dict[tuple[str, object, int], Receipt] = {}
    heads: dict[tuple[str, object, str], Receipt] = {}
    status = 0
    for receipt in read_receipts(path):
        viewer = receipt.viewer if isinstance(receipt.viewer, str) else f"seat {receipt.viewer}"
        name = f"{receipt.match} version {receipt.version} of {viewer}"
        if (why := objection(receipt, keys)) is not None:
            err.print(f"{name}: {why}", style="yellow", soft_wrap=True)
            status = status or UNSIGNED
            continue
        first = signed.setdefault((receipt.match, receipt.viewer, receipt.version), receipt)
        same = heads.setdefault((receipt.match, receipt.viewer, receipt.head), receipt)
        try:
            _agree(receipt, first, same)
            covered = _covered(receipt, proven)
        except Contradicted as error:
            err.print(f"{name}: {error}", style="red", soft_wrap=True)
            status = FOUND
        except BadProof as error:
            err.print(f"{name}: {error}", style="yellow", soft_wrap=True)
            status = status or UNSIGNED
        else:
            told = f"{name}: signed by {receipt.key} at {receipt.at}{covered}"
            out.print(told, soft_wrap=True)
    if status:
        raise typer.Exit(status)


def _agree(receipt: Receipt, first: Receipt, same: Receipt) -> None:
    """Raise `Contradicted` unless each version of a viewer is that of another record.

    `first` is the first receipt that was signed for the same version, and `same` for the same head.
    """
    if first.head != receipt.head:
        raise Contradicted(f"the service signed {first.head} and {receipt.head}")
    if same.version != receipt.version:
        versions = f"{same.version} and {receipt.version}"
        raise Contradicted(f"the service signed {receipt.head} for versions {versions}")


def _covered(receipt: Receipt, log: ProvenLog | None) -> str:
    """Return which leaf of a log covers a receipt. Raises `Contradicted`, `BadProof`."""
    if log is None:
        return ""
    if receipt.match != log.match:
        raise BadProof(f"the log is of {log.match}")
    covering = covering_leaf(receipt, log.heads, log.leaves)
    return f", covered by leaf {covering.index} up to record {covering.leaf.version}"


def _proven_log(log: Path | None, proof: Path | None, key: str | None) -> ProvenLog | None:
    """Return a log with its leaves. Exits if they prove nothing; raises `typer.BadParameter`."""
    if log is None and proof is None and key is None:
        return None
    if log is None or proof is None or key is None:
        raise typer.BadParameter("--log, --proof and --log-key need each other.")
    evidence = file_evidence(log.name, log.read_bytes(), unsigned=True)
    if evidence.findings:
        stop(UNSIGNED, f"{log} proves nothing: {evidence.findings[0].message}")
    try:
        heads = list(follow(evidence.lines))
        leaves = with_proofs(evidence, proof.read_bytes(), parse_log_key(key)).leaves or ()
    except (BadProof, ChainBroken) as error:
        stop(UNSIGNED, f"{proof} proves nothing about {log}: {error}.")
    return ProvenLog(unseal_header(evidence.lines[0]).events[0].match, heads, leaves)
