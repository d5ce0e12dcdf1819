"""Compare a log with other evidence: signed heads, receipts, transcripts and projections."""

from collections.abc import Iterator, Sequence
from typing import Any, cast

import msgspec

from events.chain import Head, message
from events.checkpoints.leaves import PlacedLeaf
from events.codec import MALFORMED
from events.keyring import Keyring, is_signed_by
from events.receipts import Receipt, objection
from games.match.model import Match
from projections.folded import Viewer
from projections.rows import ROW, Row, row
from projections.summary import Summary
from replay.report import Finding, difference

COMPARED = ("v", "at", "by", "events")
"""Fields that are compared in records as shown to a viewer. `command` is compared only if both
records have it."""


def check_signature(
    head: Head, keys: Keyring, match: Match | None, heads: Sequence[str]
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
    key = keys.find(head.service)
    if key is not None:
        signed = message(head.match, head.version, head.head)
        if not is_signed_by(key, head.signature, signed):
            why = f"the signature is not valid for key {head.service}"
            yield Finding("signature", head.version, why, path="/signature", actual=head.signature)
    if match is None:
        return
    named = keys.find(match.header.service)
    if (key is None) != (named is None):
        why = f"signed with key {head.service}, but the header names {match.header.service}"
        why = f"{why}, and only one of them is a known key"
        yield difference("signature", 0, why, "/service", match.header.service, head.service)


def doubt(
    head: Head | None, keys: Keyring, at: int, leaves: Sequence[PlacedLeaf] | None
) -> str | None:
    """Return why a valid signature would not authenticate a log. None if it does.

    `at` is the time of the last record (microseconds since 1970), and `leaves` are those of the
    match in the checkpoint log, if they are known.
    """
    if head is None:
        return "there is no signed head"
    if not keys:
        return "no public key is known"
    key = keys.find(head.service)
    if key is None:
        return f"signed with key {head.service}, which is not one of the known keys"
    if (revoked := key.revoked) is None:
        return None
    when = f"key {head.service} was revoked at {revoked.at} ({revoked.reason})"
    if revoked.is_before(at):
        return f"{when}, and the log goes on after that"
    committed = (
        one.index
        for one in leaves or ()
        if one.leaf.kind != "erratum"
        and (one.leaf.version, one.leaf.head) == (head.version, head.head)
    )
    leaf = next(committed, None)
    if revoked.is_after_leaf(leaf):
        return None
    found = "no leaf of it is known" if leaf is None else f"the head entered it as leaf {leaf}"
    return f"{when}, when the checkpoint log had {revoked.size} leaves, and {found}"


def check_receipts(
    given: Sequence[Receipt], keys: Keyring, match: Match | None, heads: Sequence[str]
) -> Iterator[Finding]:
    """Check that the log contains the head of every receipt that the service signed."""
    for receipt in given:
        if match is None or not is_about(receipt, match.header.match) or objection(receipt, keys):
            continue
        version = receipt.version
        if receipt.viewer != "full":
            viewer = None if receipt.viewer == "spectator" else receipt.viewer
            shown = match.shown.get(viewer, [])
            version = shown[version - 1] if 0 < version <= len(shown) else 0
        name = named(receipt)
        if not 0 < version <= len(heads):
            why = f"the log has no record for {name}"
            yield Finding("receipt", 0, why, path="/head", actual=receipt.head)
        elif heads[version - 1] != receipt.head:
            why = f"{name} is the hash of another record"
            yield difference("receipt", version, why, "/head", heads[version - 1], receipt.head)


def is_about(receipt: Receipt, match: str) -> bool:
    """Return whether a receipt is about a match. Hints may leave it out."""
    return receipt.match in ("", match)


def named(receipt: Receipt) -> str:
    """Return a name for a receipt."""
    viewer = None if receipt.viewer == "spectator" else receipt.viewer
    return f"the receipt for version {receipt.version} of {_named(viewer)}"


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
        try:
            expected, actual = msgspec.json.decode(told[place]), msgspec.json.decode(data)
        except MALFORMED as error:
            why = f"line {place + 1} of what {_named(viewer)} was sent is not a record: {error}"
            yield Finding("transcript", shown[place], why)
            continue
        if not _same(actual, expected):
            why = f"{_named(viewer)} was sent another record as version {place + 1}"
            yield difference("transcript", shown[place], why, "", expected, actual)


def decode_row(data: bytes) -> Row | None:
    """Decode the row of a match. Returns None if it is malformed."""
    try:
        return ROW.decode(data)
    except (msgspec.DecodeError, UnicodeDecodeError):
        return None


def check_row(stored: Row, correct: Summary) -> Iterator[Finding]:
    """Compare a stored row with the summary of the match at the version of the row."""
    expected = row(correct)
    for path, found, should in (
        *_fields(stored.summary, expected.summary),
        ("/entries", stored.entries, expected.entries),
    ):
        if found != should:
            why = "the row is not the one that follows from the log"
            yield difference("projection", stored.version, why, path, should, found)


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
