"""Receipts: what the service said about the head of a match, signed for whoever was told.

Receipts that are made at the same time share a signature. It covers the root of a small Merkle
tree, and each receipt carries its path to the root. The tree always looks as if it were full, and
every leaf has a salt of its own, so that a path tells nothing about the receipts of others.
"""

import os
from collections.abc import Sequence
from hashlib import sha256
from typing import Literal

import msgspec

from events.checkpoints.merkle import node_hash
from events.keyring import Keyring, is_signed_by
from events.record import at_micros
from events.signing import SigningKey

LEAF, ROOT = b"shiplog-receipt-1\n", b"shiplog-receipts-1\n"
"""Prefixes of what is hashed and of what is signed, so that neither stands for anything else."""
DEPTH = 4
BATCH_MAX = 1 << DEPTH
"""Number of receipts that share a signature."""
DEPTH_MAX = 16
HASH_BYTES, SALT_BYTES = 32, 16


class Receipt(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The head that a viewer was told with a version."""

    version: int
    """The viewer's version."""
    head: str
    """The head after that record, in hex."""
    viewer: int | Literal["spectator", "full"] = "full"
    """Who counts `version`: a seat, the spectator, or "full" for the log itself."""
    match: str = ""
    at: str = ""
    """When the service said so."""
    key: str = ""
    """Id of the signing key."""
    signature: str = ""
    """Ed25519, in hex, over the root of the receipts that were signed together."""
    salt: str = ""
    """Random bytes in hex, which keep the leaf from being guessed."""
    index: int = 0
    """Place of the leaf among those that were signed together."""
    path: Sequence[str] = ()
    """Hashes from the leaf to the root, in hex."""
    hint: bool = False
    """Whether the receipt is meant as a hint: nobody signed it."""


def _leaf(receipt: Receipt, salt: str) -> bytes:
    """Return the hash of what a receipt says: its salt and its fields, each after its length."""
    parts = [LEAF]
    for field in (
        salt, receipt.match, str(receipt.viewer), str(receipt.version),
        receipt.head, receipt.at, receipt.key,
    ):  # fmt: skip
        text = field.encode()
        parts += (len(text).to_bytes(4, "big"), text)
    return sha256(b"".join(parts)).digest()


def root(receipt: Receipt) -> bytes:
    """Return the root that the path of a receipt leads to. Raises `ValueError`."""
    if len(receipt.path) > DEPTH_MAX or not 0 <= receipt.index < 1 << len(receipt.path):
        raise ValueError("the path does not fit the index")
    node, index = _leaf(receipt, receipt.salt), receipt.index
    for sibling in map(bytes.fromhex, receipt.path):
        node = node_hash(sibling, node) if index & 1 else node_hash(node, sibling)
        index >>= 1
    return node


def objection(receipt: Receipt, keys: Keyring) -> str | None:
    """Return why a receipt proves nothing, or None if the service is bound to it."""
    if not receipt.signature:
        return "nobody signed it"
    if not keys:
        return "no public key is known"
    key = keys.find(receipt.key)
    if key is None:
        return f"it was signed with key {receipt.key}, which is not one of the known keys"
    try:
        signed = is_signed_by(key, receipt.signature, ROOT + root(receipt))
        late = key.revoked is not None and key.revoked.is_before(at_micros(receipt.at))
    except ValueError as error:
        return f"it is malformed: {error}"
    if not signed:
        return f"the signature is not valid for key {receipt.key}"
    return f"key {receipt.key} had been revoked" if late else None


def sign_together(key: SigningKey, receipts: Sequence[Receipt]) -> list[Receipt]:
    """Sign up to `BATCH_MAX` receipts that name the key and the time. Raises `CannotSign`.

    Places without a receipt are random. Where the receipts stand is random as well.
    """
    count = len(receipts)
    random = os.urandom(SALT_BYTES * count + HASH_BYTES * DEPTH + 1)
    salts = [random[place * SALT_BYTES : (place + 1) * SALT_BYTES].hex() for place in range(count)]
    paddings = random[SALT_BYTES * count :]
    mask = random[-1] % BATCH_MAX
    nodes = [_leaf(receipt, salt) for receipt, salt in zip(receipts, salts, strict=True)]
    levels: list[list[str]] = []
    for height in range(DEPTH):
        if len(nodes) & 1:
            nodes.append(paddings[height * HASH_BYTES : (height + 1) * HASH_BYTES])
        levels.append([node.hex() for node in nodes])
        pairs = zip(nodes[::2], nodes[1::2], strict=True)
        if mask >> height & 1:
            nodes = [node_hash(right, left) for left, right in pairs]
        else:
            nodes = [node_hash(left, right) for left, right in pairs]
    signature = key.sign(ROOT + nodes[0]).hex()
    return [
        Receipt(
            one.version, one.head, one.viewer, one.match, one.at, one.key, signature, salts[place],
            place ^ mask, [level[(place >> height) ^ 1] for height, level in enumerate(levels)],
        )
        for place, one in enumerate(receipts)
    ]  # fmt: skip
