"""Errata: signed statements that a release decided some records of a match wrongly.

An erratum changes no record. It names the findings that it explains, the release that was wrong,
and the result that the match should have had. The log stays as it is, with its signed head.
"""

from collections.abc import Iterable, Sequence
from contextlib import suppress
from hashlib import sha256
from typing import Any

import msgspec
from msgspec import UNSET

from events.checkpoints.leaves import Leaf, PlacedLeaf
from events.codec import MALFORMED
from events.keyring import Keyring, is_signed_by
from events.record import at_micros
from events.signing import SigningKey
from games.match.model import Ending

DOMAIN = b"shiplog-erratum-1\n"
"""Prefix of the signed bytes, so that the signature is valid for an erratum only."""
START = b'{"erratum":'
"""Start of a line with an erratum. No record and no signed head starts so."""
ERRATA_MAX = 16
"""Maximum number of errata of a match."""
REASON_MAX = 1_000
ENCODER = msgspec.json.Encoder()


class BadErratum(Exception):
    """Not an erratum. The message says why."""


class Explained(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """A finding that an erratum explains, as an audit reports it."""

    rule: str
    """Name of the rule that the record breaks."""
    record: int
    event: int | None = None
    """Place of the event in the record, counted from 1. None unless one event is wrong."""
    path: str | None = None
    """JSON Pointer (RFC 6901) to the wrong value in the record."""
    expected: Any = UNSET
    """The value that should be at `path`. Left out if there should be none, or if no single value
    would be right."""
    actual: Any = UNSET
    """The value that is at `path`. Left out if there is none."""


class Erratum(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What was wrong in the log of a match that has ended."""

    match: str
    version: int
    """Number of records in the log."""
    head: str
    """The head of the whole log, in hex."""
    explains: tuple[Explained, ...]
    """The findings that it explains."""
    reason: str
    """Explanation for people."""
    wrong: str
    """The release that decided these records."""
    mended: str
    """The release that decides them as expected."""
    ending: Ending | None
    """The ending to which the same commands lead under the mended release. Null if that is the
    recorded one, or if the mended release refuses one of the commands."""
    counts: bool
    """Whether the match still counts for the standings."""
    at: str
    """When the erratum was signed."""
    key: str
    """Id of the signing key."""


class SignedErratum(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An erratum with its signature."""

    erratum: Erratum
    """What was wrong."""
    signature: str
    """Ed25519, in hex, over `shiplog-erratum-1`, a line feed, and the bytes of `erratum`."""


DECODER = msgspec.json.Decoder(SignedErratum)


def signed(key: SigningKey, erratum: Erratum) -> SignedErratum:
    """Sign an erratum that names the key and the time. Raises `CannotSign`."""
    return SignedErratum(erratum, key.sign(DOMAIN + ENCODER.encode(erratum)).hex())


def encoded(erratum: SignedErratum) -> bytes:
    """Encode an erratum as a line, without the line feed."""
    return ENCODER.encode(erratum)


def decoded(line: bytes) -> SignedErratum:
    """Decode the line of an erratum. Raises `BadErratum`.

    Only one encoding is valid, so that the signed bytes are those in the line.
    """
    try:
        found = DECODER.decode(line)
    except MALFORMED as error:
        raise BadErratum(f"it cannot be read: {error}") from None
    if encoded(found) != line:
        raise BadErratum("it is not encoded in the standard form")
    return found


def leaf_of(given: SignedErratum) -> Leaf:
    """Return what the leaf of an erratum in the checkpoint log commits to."""
    erratum = given.erratum
    digest = sha256(encoded(given)).hexdigest()
    return Leaf("erratum", erratum.match, erratum.version, digest, erratum.at)


def trusted(
    lines: Iterable[bytes], keys: Keyring, leaves: Sequence[PlacedLeaf] | None
) -> list[SignedErratum]:
    """Return the errata to which `objection` has nothing to say. An audit reports the others."""
    found: list[SignedErratum] = []
    for line in lines:
        with suppress(BadErratum):
            given = decoded(line)
            if objection(given, keys, leaves) is None:
                found.append(given)
    return found


def objection(
    given: SignedErratum, keys: Keyring, leaves: Sequence[PlacedLeaf] | None
) -> str | None:
    """Return why nobody is bound to an erratum, or None if a known key signed it in its time.

    `leaves` are those of the match in the checkpoint log. None if the log is not at hand: then only
    the errata of a key that was revoked with a size need one.
    """
    erratum = given.erratum
    if not keys:
        return "no public key is known"
    key = keys.find(erratum.key)
    if key is None:
        return f"it was signed with key {erratum.key}, which is not one of the known keys"
    if not is_signed_by(key, given.signature, DOMAIN + ENCODER.encode(erratum)):
        return f"the signature is not valid for key {erratum.key}"
    try:
        at = at_micros(erratum.at)
    except ValueError as error:
        return f"it is malformed: {error}"
    if key.since is not None and at < at_micros(key.since):
        return f"key {erratum.key} was not in use yet at {erratum.at}"
    if key.until is not None and at > at_micros(key.until):
        return f"key {erratum.key} was no longer in use at {erratum.at}"
    if key.revoked is not None and key.revoked.is_before(at):
        return f"key {erratum.key} had been revoked at {erratum.at}"
    leaf = leaf_of(given)
    place = next((one.index for one in leaves or () if one.leaf == leaf), None)
    if place is None and leaves is not None:
        return "no leaf of it is known in the checkpoint log"
    if key.revoked is None or key.revoked.is_after_leaf(place):
        return None
    found = "no leaf of it is known" if place is None else f"it entered the log as leaf {place}"
    size = f"the checkpoint log had {key.revoked.size} leaves when key {erratum.key} was revoked"
    return f"{size}, and {found}"
