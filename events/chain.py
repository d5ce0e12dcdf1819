"""The hash chain of a log, and signatures over its head (Ed25519, RFC 8032)."""

from collections.abc import Iterable, Iterator

import msgspec
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from events.codec import MALFORMED, digest
from events.record import GENESIS

DOMAIN = b"shiplog-head-1\n"
"""Prefix of the signed bytes, so that the signature is valid for a head only."""


class Link(msgspec.Struct, frozen=True):
    """The fields of a record that form the chain. Other fields are ignored."""

    v: int
    prev: str


LINK = msgspec.json.Decoder(Link)


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
    """SHA-256 of the bytes of the record at `version`, in hex."""
    service: str
    """Id of the signing key."""
    signature: str
    """Ed25519, in hex, over `message`."""


def follow(lines: Iterable[bytes]) -> Iterator[str]:
    """Check the chain record by record and yield the hash of each. Raises `ChainBroken`."""
    head = GENESIS
    for version, data in enumerate(lines, start=1):
        try:
            link = LINK.decode(data)
        except MALFORMED as error:
            raise ChainBroken(version, f"not a record: {error}") from error
        if link.v != version:
            raise ChainBroken(version, f"has version {link.v}")
        if link.prev != head:
            raise ChainBroken(version, "`prev` is not the hash of the record before")
        head = digest(data)
        yield head


def message(match: str, version: int, head: str) -> bytes:
    """Return the bytes that the signature of a head covers."""
    return DOMAIN + f"{match}\n{version}\n{head}\n".encode()


def sign(key: Ed25519PrivateKey, service: str, match: str, version: int, head: str) -> Head:
    """Sign a head. `service` is the id of the key."""
    return Head(match, version, head, service, key.sign(message(match, version, head)).hex())


def verify(key: Ed25519PublicKey, head: Head) -> bool:
    """Return whether `key` has signed a head."""
    try:
        signature = bytes.fromhex(head.signature)
    except ValueError:
        return False
    return is_signed(key, signature, message(head.match, head.version, head.head))


def is_signed(key: Ed25519PublicKey, signature: bytes, data: bytes) -> bool:
    """Return whether `signature` is a signature of `data` by `key`."""
    try:
        key.verify(signature, data)
    except (InvalidSignature, ValueError):
        return False
    return True
