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


def leaf(receipt: Receipt) -> bytes:
    """Return the hash of what a receipt says: its fields, each after its length."""
    fields = (
        receipt.salt, receipt.match, str(receipt.viewer), str(receipt.version),
        receipt.head, receipt.at, receipt.key,
    )  # fmt: skip
    data = b"".join(len(text := field.encode()).to_bytes(4, "big") + text for field in fields)
    return sha256(LEAF + data).digest()


def root(receipt: Receipt) -> bytes:
    """Return the root that the path of a receipt leads to. Raises `ValueError`."""
    if len(receipt.path) > DEPTH_MAX or not 0 <= receipt.index < 1 << len(receipt.path):
        raise ValueError("the path does not fit the index")
    node, index = leaf(receipt), receipt.index
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
        late = key.revoked is not None and at_micros(receipt.at) > at_micros(key.revoked.at)
    except ValueError as error:
        return f"it is malformed: {error}"
    if not signed:
        return f"the signature is not valid for key {receipt.key}"
    return f"key {receipt.key} had been revoked" if late else None


def sign_together(key: SigningKey, receipts: Sequence[Receipt]) -> list[Receipt]:
    """Sign up to `BATCH_MAX` receipts that name the key and the time. Raises `CannotSign`.

    Places without a receipt are random. Where the receipts stand is random as well.
    """
    random = os.urandom(SALT_BYTES * len(receipts) + 1)
    mask = random[-1] % BATCH_MAX
    salted = [
        msgspec.structs.replace(
            receipt,
            salt=random[place * SALT_BYTES : (place + 1) * SALT_BYTES].hex(),
            index=place ^ mask,
        )
        for place, receipt in enumerate(receipts)
    ]
    level = {receipt.index: leaf(receipt) for receipt in salted}
    paths: list[list[str]] = [[] for _ in salted]
    for height in range(DEPTH):
        for index in list(level):
            if index ^ 1 not in level:
                level[index ^ 1] = os.urandom(HASH_BYTES)
        for receipt, path in zip(salted, paths, strict=True):
            path.append(level[(receipt.index >> height) ^ 1].hex())
        level = {
            index >> 1: node_hash(node, level[index ^ 1])
            for index, node in level.items()
            if not index & 1
        }
    signature = key.sign(ROOT + level[0]).hex()
    return [
        msgspec.structs.replace(receipt, signature=signature, path=path)
        for receipt, path in zip(salted, paths, strict=True)
    ]
