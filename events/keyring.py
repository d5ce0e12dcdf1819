"""The public keys of a service: those in use, and all earlier ones with their times."""

from collections.abc import Iterable
from hashlib import sha256
from typing import Literal

import msgspec

from events.record import at_micros, at_text, exact_micros
from events.signing import is_signed

NEVER = "9999-12-31T23:59:59.999999Z"


class BadPublicKey(Exception):
    """Not a public key. The message says what was expected."""


class Revocation(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The end of a key that may no longer be trusted."""

    at: str
    """Signatures over anything later do not count."""
    reason: str
    size: int | None = None
    """Number of leaves that the checkpoint log had then. Only heads that its first leaves commit
    to count: nothing else proves that a head is older than the revocation."""

    def is_before(self, at: int) -> bool:
        """Return whether signatures over a time do not count (microseconds since 1970)."""
        return at > at_micros(self.at)

    def is_after_leaf(self, index: int | None) -> bool:
        """Return whether the checkpoint log had a leaf then, if it has to. None: none is known."""
        return self.size is None or (index is not None and index < self.size)


class PublicKey(msgspec.Struct, frozen=True):
    """A key that signs heads and receipts."""

    service: str
    """Id of the key: the first 16 hex digits of the SHA-256 of its 32 bytes."""
    public_key: str
    """32 bytes in hex."""
    algorithm: Literal["Ed25519"] = "Ed25519"
    since: str | None = None
    """When the key came into use. Null if nobody noted it."""
    until: str | None = None
    """When another key replaced this one. Null for the key in use."""
    revoked: Revocation | None = None
    """Since when the key is not trusted. Null for a key in good standing."""

    @classmethod
    def of(cls, raw: bytes) -> "PublicKey":
        """Return a key without a history. Raises `BadPublicKey`."""
        if len(raw) != 32:
            raise BadPublicKey(f"A public key must be 32 bytes, got {len(raw)}.")
        return cls(sha256(raw).hexdigest()[:16], raw.hex())


class Keyring(msgspec.Struct, frozen=True):
    """The keys that a verifier trusts."""

    keys: tuple[PublicKey, ...] = ()

    @classmethod
    def of(cls, *raw: bytes) -> "Keyring":
        """Return a ring of keys without a history. Raises `BadPublicKey`."""
        return cls(tuple(map(PublicKey.of, raw)))

    @classmethod
    def checked(cls, keys: Iterable[PublicKey]) -> "Keyring":
        """Return a ring of keys from elsewhere, checked. Raises `BadPublicKey`."""
        ring = cls(tuple(keys))
        for key in ring.keys:
            try:
                expected = PublicKey.of(bytes.fromhex(key.public_key)).service
            except ValueError:
                raise BadPublicKey(f"{key.public_key!r} is not 32 bytes in hex.") from None
            if key.service != expected:
                raise BadPublicKey(f"The id of key {key.public_key} is {expected}, not that given.")
            _check_times(key)
        return ring

    def __bool__(self) -> bool:
        """Return whether any key is known."""
        return bool(self.keys)

    def __or__(self, other: "Keyring") -> "Keyring":
        """Return the keys of both rings. Of two copies of a key, keep the one that ended first."""
        ring = {key.service: key for key in self.keys}
        for key in other.keys:
            ring[key.service] = min(ring.get(key.service, key), key, key=_end)
        return Keyring(tuple(ring.values()))

    def find(self, service: str) -> PublicKey | None:
        """Return the key with an id, or None."""
        return next((key for key in self.keys if key.service == service), None)


NO_KEYS = Keyring()


def _end(key: PublicKey) -> tuple[str, str]:
    """Return when a key was revoked and when it was replaced."""
    return key.revoked.at if key.revoked else NEVER, key.until or NEVER


def _check_times(key: PublicKey) -> None:
    """Raise `BadPublicKey` unless all times of a key have the form of records."""
    for time in (key.since, key.until, key.revoked and key.revoked.at):
        try:
            exact_micros(at_text(0) if time is None else time)
        except ValueError as error:
            raise BadPublicKey(f"Key {key.service} has the time {time!r}: {error}.") from None


def is_signed_by(key: PublicKey, signature: str, data: bytes) -> bool:
    """Return whether `key` signed `data`. The signature must be 128 lower-case hex digits."""
    try:
        raw = bytes.fromhex(signature)
    except ValueError:
        return False
    return raw.hex() == signature and is_signed(bytes.fromhex(key.public_key), raw, data)
