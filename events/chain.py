"""The chain of hashes, and signatures over its heads (Ed25519, RFC 8032)."""

from collections.abc import Iterable, Iterator

import msgspec
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from events.codec import MALFORMED, digest
from events.record import GENESIS

DOMAIN = b"shiplog-head-1\n"
"""Keeps a head's signature from meaning anything else."""


class Link(msgspec.Struct, frozen=True):
    """What the chain needs of a record; the rest is not looked at."""

    v: int
    prev: str


LINK = msgspec.json.Decoder(Link)


class ChainBroken(Exception):
    """The log does not hang together; `version` is the first record that does not fit."""

    def __init__(self, version: int, why: str) -> None:
        """Say which record breaks it, and how."""
        super().__init__(f"record {version}: {why}")
        self.version = version
        self.why = why


class Head(msgspec.Struct, frozen=True):
    """A signed head: the last line of an export, and what a service vouches for."""

    match: str
    version: int
    head: str
    """SHA-256 of that record's bytes, in hex."""
    service: str
    """Id of the signing key."""
    signature: str
    """Ed25519, in hex, over `message`."""


def follow(lines: Iterable[bytes]) -> Iterator[str]:
    """Check records' bytes one by one and yield their hashes; raises `ChainBroken`."""
    head = GENESIS
    for version, data in enumerate(lines, start=1):
        try:
            link = LINK.decode(data)
        except MALFORMED as error:
            raise ChainBroken(version, f"not a record: {error}") from error
        if link.v != version:
            raise ChainBroken(version, f"numbered {link.v}")
        if link.prev != head:
            raise ChainBroken(version, "does not follow from the record before")
        head = digest(data)
        yield head


def message(match: str, version: int, head: str) -> bytes:
    """Give the bytes that a head's signature covers."""
    return DOMAIN + f"{match}\n{version}\n{head}\n".encode()


def sign(key: Ed25519PrivateKey, service: str, match: str, version: int, head: str) -> Head:
    """Vouch for a head."""
    return Head(match, version, head, service, key.sign(message(match, version, head)).hex())


def verify(key: Ed25519PublicKey, head: Head) -> bool:
    """Tell whether that key has vouched for that head."""
    try:
        signature = bytes.fromhex(head.signature)
    except ValueError:
        return False
    return vouched(key, signature, message(head.match, head.version, head.head))


def vouched(key: Ed25519PublicKey, signature: bytes, data: bytes) -> bool:
    """Tell whether that key has signed those bytes."""
    try:
        key.verify(signature, data)
    except (InvalidSignature, ValueError):
        return False
    return True
