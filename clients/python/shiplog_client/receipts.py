"""Receipts: what the service signed, kept to prove later that a log was not rewritten."""

import json
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import Any

Receipt = dict[str, Any]
"""A signed receipt, as docs/log-format.md describes it."""

SIGNED = ("salt", "match", "viewer", "version", "head", "at", "key")
PATH_MAX = 16


@dataclass
class Receipts:
    """All receipts that one player was given."""

    every_s: float = 5.0
    """Commands to a match ask for a receipt only if the last one is older than this (seconds)."""
    _kept: dict[tuple[object, ...], str] = field(default_factory=dict[tuple[object, ...], str])
    _last: dict[str, float] = field(default_factory=dict[str, float])

    def __iter__(self) -> Iterator[Receipt]:
        """Iterate over the receipts in the order in which they came."""
        return map(json.loads, self._kept.values())

    def __len__(self) -> int:
        """Count the receipts."""
        return len(self._kept)

    def of(self, match: str) -> list[Receipt]:
        """Return the receipts of a match."""
        return [receipt for receipt in self if receipt["match"] == match]

    def keep(self, text: str) -> None:
        """Keep a receipt as it came. Only the first of the same content is kept."""
        receipt = json.loads(text)
        self._last[receipt["match"]] = time.monotonic()
        same = tuple(receipt[name] for name in ("match", "viewer", "version", "head", "key"))
        self._kept.setdefault(same, text)

    def is_due(self, match: str) -> bool:
        """Return whether the next command to a match should ask for a receipt."""
        last = self._last.get(match)
        return last is None or time.monotonic() - last >= self.every_s

    def save(self, path: str | Path, match: str | None = None) -> None:
        """Write the receipts, of one match or of all, as `shiplog audit --receipts` reads them."""
        chosen = self if match is None else self.of(match)
        Path(path).write_text("".join(f"{json.dumps(receipt)}\n" for receipt in chosen))

    def objections(self, keys: Iterable[Any]) -> list[str]:
        """Return what is wrong with the receipts: [] if known keys signed all, and none disagree.

        `keys` are those that `GET /keys` answered when you began to play: a service could publish
        others later. Needs the package `cryptography` (`shiplog-client[verify]`).
        """
        known = {key.service: key for key in keys}
        heads: dict[tuple[object, ...], str] = {}
        found: list[str] = []
        for receipt in self:
            match, viewer, version = (receipt[name] for name in ("match", "viewer", "version"))
            name = f"{match} version {version} of {viewer}"
            key = known.get(receipt["key"])
            if key is None or not _is_signed(receipt, bytes.fromhex(key.public_key)):
                found.append(f"{name}: no known key signed it")
            elif key.revoked and receipt["at"] > key.revoked.at:
                found.append(f"{name}: key {key.service} had been revoked")
            elif heads.setdefault((match, viewer, version), receipt["head"]) != receipt["head"]:
                found.append(f"{name}: the service signed two different heads")
        return found


def _is_signed(receipt: Receipt, public_key: bytes) -> bool:
    """Return whether a key signed the root that the path of a receipt leads to."""
    from cryptography.exceptions import InvalidSignature  # noqa: PLC0415 - optional
    from cryptography.hazmat.primitives.asymmetric.ed25519 import (  # noqa: PLC0415 - optional
        Ed25519PublicKey,
    )

    data = b"shiplog-receipt-1\n"
    for name in SIGNED:
        text = str(receipt[name]).encode()
        data += len(text).to_bytes(4, "big") + text
    node, index, path = sha256(data).digest(), receipt["index"], receipt["path"]
    try:
        if len(path) > PATH_MAX or not 0 <= index < 1 << len(path):
            return False
        for sibling in map(bytes.fromhex, path):
            pair = sibling + node if index & 1 else node + sibling
            node, index = sha256(b"\x01" + pair).digest(), index >> 1
        key = Ed25519PublicKey.from_public_bytes(public_key)
        signature = bytes.fromhex(receipt["signature"])
        key.verify(signature, b"shiplog-receipts-1\n" + node)
    except (InvalidSignature, ValueError):
        return False
    form = signature.hex() == receipt["signature"]
    return form and sha256(public_key).hexdigest()[:16] == receipt["key"]
