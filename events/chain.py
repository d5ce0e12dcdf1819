"""The heads of a log, which chain its records, and what signatures over them cover."""

from collections.abc import Iterable, Iterator
from hashlib import sha256

import msgspec
from msgspec import UNSET, UnsetType

from events.codec import MALFORMED
from events.record import GENESIS
from events.signing import SigningKey

DOMAIN = b"shiplog-head-1\n"
"""Prefix of the signed bytes, so that the signature is valid for a head only."""


RECORD_DOMAIN = b"shiplog-record-2\n"
"""Prefix of the hashed bytes of a head."""


class Link(msgspec.Struct, frozen=True):
    """The fields of a record that form the chain. Other fields are ignored."""

    v: int
    prev: str | UnsetType = UNSET
    """Record format 1: the head before."""

    @property
    def format(self) -> int:
        """The format of the record."""
        return 2 if self.prev is UNSET else 1


LINK = msgspec.json.Decoder(Link)


PREV_BROKEN = "`prev` is not the hash of the record before"


class ChainBroken(Exception):
    """The hash chain is broken. `version` is the first record that does not fit."""

    def __init__(self, version: int, why: str) -> None:
        """Create the error for a record, with the reason."""
        super().__init__(f"record {version}: {why}")
        self.version = version
        self.why = why


class Head(msgspec.Struct, frozen=True):
    """A signed head. It is the last line of an export."""

    match: str
    version: int
    head: str
    """The head after the record at `version`, in hex."""
    service: str
    """Id of the signing key."""
    signature: str
    """Ed25519, in hex, over `message`."""


def head_after(record_format: int, before: str, data: bytes) -> str:
    """Return the head of a log after a record, 64 hex digits.

    `before` is the head before it (`GENESIS` for record 1). Since format 2 the head follows from
    it; in format 1 the record itself contains it.
    """
    return head_bytes_after(record_format, bytes.fromhex(before), data).hex()


def head_bytes_after(record_format: int, before: bytes, data: bytes) -> bytes:
    """Return the same as `head_after`, with both heads as their 32 bytes."""
    if record_format == 1:
        return sha256(data).digest()
    return sha256(RECORD_DOMAIN + before + data).digest()


def follow(lines: Iterable[bytes]) -> Iterator[str]:
    """Check the chain record by record and yield the head after each. Raises `ChainBroken`."""
    head, record_format = GENESIS, 0
    for version, data in enumerate(lines, start=1):
        try:
            link = LINK.decode(data)
        except MALFORMED as error:
            raise ChainBroken(version, f"not a record: {error}") from error
        if link.v != version:
            raise ChainBroken(version, f"has version {link.v}")
        record_format = record_format or link.format
        if record_format == 1 and link.prev != head:
            raise ChainBroken(version, PREV_BROKEN)
        head = head_after(record_format, head, data)
        yield head


def message(match: str, version: int, head: str) -> bytes:
    """Return the bytes that the signature of a head covers."""
    return DOMAIN + f"{match}\n{version}\n{head}\n".encode()


def sign(key: SigningKey, service: str, match: str, version: int, head: str) -> Head:
    """Sign a head. `service` is the id of the key. Raises `CannotSign`."""
    return Head(match, version, head, service, key.sign(message(match, version, head)).hex())
