"""Check proofs that leaves of a match are in the checkpoint log, without the log."""

from collections.abc import Sequence

import msgspec

from events.checkpoints.leaves import PlacedLeaf, commitment, parse_text
from events.checkpoints.merkle import ProofFailed, leaf_hash, verify_inclusion
from events.checkpoints.notes import BadNote, Verifier, parse_proof, verified
from events.codec import MALFORMED, Unreadable, unseal_header
from events.receipts import Receipt
from games.match.seed import leaf_secret
from replay.evidence import Evidence
from replay.header import reveal


class BadProof(Exception):
    """Not a proof about this match, or one that proves nothing. The message says why."""


class Contradicted(Exception):
    """The service signed something else than it committed to. The message says what."""


class Provided(msgspec.Struct, frozen=True):
    """A leaf in the answer of `GET /matches/{match}/leaves`. Other fields are ignored."""

    proof: str


class ProvidedLeaves(msgspec.Struct, frozen=True):
    """The answer of `GET /matches/{match}/leaves`. Other fields are ignored."""

    leaves: tuple[Provided, ...]


PROVIDED = msgspec.json.Decoder(ProvidedLeaves)
HEADS = ("opening", "head", "end")
"""Kinds of leaves that commit to the head of a match."""


def with_proofs(evidence: Evidence, data: bytes, log: Verifier) -> Evidence:
    """Return evidence with the leaves that an answer of the service proves.

    `log` is the key of the checkpoint log. Raises `BadProof`.
    """
    secret = evidence.secret or reveal(evidence.lines).service_seed
    if not secret:
        raise BadProof("the match has not ended, so what its leaves commit to is not known")
    try:
        match = unseal_header(evidence.lines[0]).events[0].match
        leaves = [
            _proved(one.proof.encode(), log, match, leaf_secret(secret))
            for one in PROVIDED.decode(data).leaves
        ]
    except (BadNote, ProofFailed, Unreadable, *MALFORMED) as error:
        raise BadProof(str(error)) from None
    return msgspec.structs.replace(evidence, leaves=leaves)


def covering_leaf(
    receipt: Receipt, heads: Sequence[str], leaves: Sequence[PlacedLeaf]
) -> PlacedLeaf:
    """Return the first leaf of a log that covers what a receipt names.

    `heads` are those of the log of the same match. The signature of the receipt is not checked.
    Raises `Contradicted` if leaves vouch for a log without what the receipt names, and `BadProof`
    if no leaf covers it, or if the log is not the one that the leaves commit to.
    """
    vouching = [one for one in leaves if one.leaf.kind in HEADS]
    for one in vouching:
        if [one.leaf.head] != list(heads[one.leaf.version - 1 : one.leaf.version]):
            raise BadProof(f"leaf {one.index} commits to another record {one.leaf.version}")
    if receipt.head not in heads:
        if any(one.leaf.version == len(heads) for one in vouching):
            raise Contradicted("the log does not have the head that was signed")
        raise BadProof("the log does not have the head, and no leaf vouches for the whole log")
    version = heads.index(receipt.head) + 1
    covering = [one for one in vouching if one.leaf.version >= version]
    if not covering:
        raise BadProof("no leaf covers the record")
    if version < receipt.version or (receipt.viewer == "full" and version > receipt.version):
        raise Contradicted(f"the log has the head that was signed after record {version}")
    return min(covering, key=lambda one: one.leaf.version)


def _proved(data: bytes, log: Verifier, match: str, secret: bytes) -> PlacedLeaf:
    proof = parse_proof(data)
    checkpoint = verified(proof.checkpoint, log)[0]
    leaf = parse_text(proof.extra, match)
    found = leaf_hash(commitment(secret, leaf))
    verify_inclusion(found, proof.place, checkpoint.size, proof.hashes, checkpoint.root)
    return PlacedLeaf(proof.place, leaf)
