"""Compare a log with other evidence: signed heads, receipts, transcripts and projections."""

from collections.abc import Iterator, Sequence
from hashlib import sha256
from typing import Any, cast

import msgspec

from events.chain import Head, verify
from events.ed25519 import Ed25519PublicKey
from games.match.model import Match
from projections.folded import Viewer
from projections.rows import ROW, Row, row
from projections.summary import Summary, summary
from replay.report import Finding, Receipt, difference

COMPARED = ("v", "at", "by", "events")
"""Fields that are compared in records as shown to a viewer. `command` is compared only if both
records have it."""


def service_id(key: Ed25519PublicKey) -> str:
    """Return the id of a signing key."""
    return sha256(key.public_bytes_raw()).hexdigest()[:16]


def check_signature(
    head: Head, key: Ed25519PublicKey | None, match: Match | None, heads: Sequence[str]
) -> Iterator[Finding]:
    """Compare a signed head with the log, and verify the signature if the key is known."""
    last = len(heads)
    if not 0 < head.version <= last:
        why = f"the signed head is for version {head.version}, but the log ends at {last}"
        yield difference("signature", last, why, "/version", last, head.version)
    elif heads[head.version - 1] != head.head:
        why = "the signed head is not the hash of this record"
        found = heads[head.version - 1]
        yield difference("signature", head.version, why, "/head", found, head.head)
    elif head.version < last:
        why = f"the signed head covers the log only up to version {head.version}"
        yield difference("signature", head.version + 1, why, "/version", last, head.version)
    if match is not None and head.match != match.header.match:
        why = f"the signed head is for match {head.match}"
        yield difference("signature", 0, why, "/match", match.header.match, head.match)
    if match is not None and head.service != match.header.service:
        why = f"signed with key {head.service}, but the header names {match.header.service}"
        yield difference("signature", 0, why, "/service", match.header.service, head.service)
    if key is None:
        return
    if head.service != service_id(key):
        why = f"signed with key {head.service}, but the given key is {service_id(key)}"
        yield difference("signature", 0, why, "/service", service_id(key), head.service)
    elif not (verify(key, head) and head.signature == head.signature.lower()):
        why = "the signature is not valid for the given key"
        yield Finding("signature", head.version, why, path="/signature", actual=head.signature)


def check_receipts(
    given: Sequence[Receipt], match: Match | None, heads: Sequence[str]
) -> Iterator[Finding]:
    """Check that the log contains the head of every receipt."""
    for receipt in given:
        version = receipt.version
        if receipt.viewer != "full":
            shown = [] if match is None else match.shown.get(receipt.viewer, [])
            version = shown[version - 1] if 0 < version <= len(shown) else 0
        name = f"the receipt for version {receipt.version} of {_named(receipt.viewer)}"
        if not 0 < version <= len(heads):
            yield Finding("receipt", 0, f"the log has no record for {name}")
        elif heads[version - 1] != receipt.head:
            why, found = f"{name} is the hash of another record", heads[version - 1]
            yield difference("receipt", version, why, "/head", found, receipt.head)


def check_transcript(
    viewer: Viewer, sent: Sequence[bytes], told: Sequence[bytes], shown: Sequence[int]
) -> Iterator[Finding]:
    """Compare the records that a viewer was sent with those that the log gives for that viewer.

    `told` are the records as redacted for the viewer, and `shown` their versions in the log.
    """
    for place, data in enumerate(sent):
        if place >= len(told):
            why = f"{_named(viewer)} was sent {len(sent)} records, but may know {len(told)}"
            yield Finding("transcript", 0, why)
            return
        expected, actual = msgspec.json.decode(told[place]), msgspec.json.decode(data)
        if not _same(actual, expected):
            why = f"{_named(viewer)} was sent another record as version {place + 1}"
            yield difference("transcript", shown[place], why, "", expected, actual)


def decode_row(data: bytes) -> Row | None:
    """Decode the row of a match. Returns None if it is malformed."""
    try:
        return ROW.decode(data)
    except (msgspec.DecodeError, UnicodeDecodeError):
        return None


def check_row(stored: Row, match: Match) -> Iterator[Finding]:
    """Compare a stored row with the match at the version of the row."""
    expected = row(summary(match))
    for path, found, correct in (
        *_fields(stored.summary, expected.summary),
        ("/entries", stored.entries, expected.entries),
    ):
        if found != correct:
            why = "the row is not the one that follows from the log"
            yield difference("projection", stored.version, why, path, correct, found)


def _fields(found: Summary, expected: Summary) -> Iterator[tuple[str, Any, Any]]:
    for name in found.__struct_fields__:
        yield f"/summary/{name}", getattr(found, name), getattr(expected, name)


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
