"""Hold a log against what others have of it: signed heads, receipts, what viewers were sent, and projections."""

from collections.abc import Iterator, Sequence
from hashlib import sha256
from typing import Any, cast

import msgspec
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from events.chain import Head, verify
from games.match.model import Match
from projections.folded import Viewer
from projections.rows import ROW, Row, row
from projections.summary import Summary, summary
from replay.report import Finding, Receipt

TEXT_MAX = 200
COMPARED = ("v", "at", "by", "events")
"""Of a told record. The command, which only its sender is shown, is compared where both have it."""


def service_id(key: Ed25519PublicKey) -> str:
    """Give the id of a signing key."""
    return sha256(key.public_bytes_raw()).hexdigest()[:16]


def signature(
    head: Head, key: Ed25519PublicKey | None, match: Match | None, hashes: Sequence[str]
) -> Iterator[Finding]:
    """Check a signed head against the log and, if there is one, the key."""
    last = len(hashes)
    if not 0 < head.version <= last:
        why = f"signed at version {head.version}, but the log ends at {last}"
        yield Finding(last, "signature", why)
    elif hashes[head.version - 1] != head.head:
        yield Finding(head.version, "signature", "another head was signed")
    elif head.version < last:
        yield Finding(head.version + 1, "signature", f"only signed up to version {head.version}")
    if match is not None and head.match != match.header.match:
        yield Finding(0, "signature", f"signed for the match {head.match}")
    if match is not None and head.service != match.header.service:
        yield Finding(0, "signature", f"signed with the key {head.service}, not the header's")
    if key is None:
        return
    if head.service != service_id(key):
        yield Finding(0, "signature", f"signed with the key {head.service}, not {service_id(key)}")
    elif not (verify(key, head) and head.signature == head.signature.lower()):
        yield Finding(head.version, "signature", "not this key's signature")


def receipts(
    given: Sequence[Receipt], match: Match | None, hashes: Sequence[str]
) -> Iterator[Finding]:
    """Check that the log has every head that was given out."""
    for receipt in given:
        version = receipt.version
        if receipt.viewer != "full":
            shown = [] if match is None else match.shown.get(receipt.viewer, [])
            version = shown[version - 1] if 0 < version <= len(shown) else 0
        name = f"the receipt for version {receipt.version} of {_named(receipt.viewer)}"
        if not 0 < version <= len(hashes):
            yield Finding(0, "receipt", f"{name} lies beyond the log")
        elif hashes[version - 1] != receipt.head:
            yield Finding(version, "receipt", f"{name} is of another record")


def transcript(
    viewer: Viewer, sent: Sequence[bytes], told: Sequence[bytes], shown: Sequence[int]
) -> Iterator[Finding]:
    """Compare what a viewer was sent with what it may be told, record by record."""
    for place, data in enumerate(sent):
        if place >= len(told):
            why = f"{_named(viewer)} was sent {len(sent)} records and may know {len(told)}"
            yield Finding(0, "transcript", why)
            return
        if not _same(msgspec.json.decode(data), msgspec.json.decode(told[place])):
            why = f"{_named(viewer)} was sent its record {place + 1} otherwise"
            yield Finding(shown[place], "transcript", why)


def projected(data: bytes) -> Row | None:
    """Read a match's row; None if it is none."""
    try:
        return ROW.decode(data)
    except (msgspec.DecodeError, UnicodeDecodeError):
        return None


def projection(held: Row, match: Match) -> Iterator[Finding]:
    """Compare a row with what the log says at the version that the row is at."""
    follows = row(summary(match))
    for part, was, now in (
        *_fields(held.summary, follows.summary),
        ("entries", held.entries, follows.entries),
    ):
        if was != now:
            why = f"the row has {part} {_json(was)}; {_json(now)} follows"
            yield Finding(held.version, "projection", why)


def _fields(was: Summary, now: Summary) -> Iterator[tuple[str, Any, Any]]:
    for name in was.__struct_fields__:
        yield name, getattr(was, name), getattr(now, name)


def _json(value: Any) -> str:
    return msgspec.json.encode(value).decode()[:TEXT_MAX]


def _same(sent: Any, told: dict[str, Any]) -> bool:
    if not isinstance(sent, dict):
        return False
    line = cast("dict[str, Any]", sent)
    commands = (line.get("command"), told.get("command"))
    return all(line.get(name) == told.get(name) for name in COMPARED) and (
        None in commands or commands[0] == commands[1]
    )


def _named(viewer: Viewer | str) -> str:
    if viewer is None:
        return "a spectator"
    return "the log" if isinstance(viewer, str) else f"seat {viewer}"
