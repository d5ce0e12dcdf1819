"""Keys that sign, and the check of a signature (Ed25519, RFC 8032)."""

from typing import Protocol

from events.ed25519 import Ed25519PublicKey, InvalidSignature


class SigningKey(Protocol):
    """Signs bytes. The private key may be in this process, in another program, or in a KMS."""

    def sign(self, data: bytes, /) -> bytes:
        """Return the Ed25519 signature of `data`, 64 bytes. Raises `CannotSign`."""
        ...


class CannotSign(Exception):
    """The key cannot be used now. The message says why."""


def is_signed(public: bytes, signature: bytes, data: bytes) -> bool:
    """Return whether `signature` is a signature of `data` by the key with these 32 bytes."""
    try:
        Ed25519PublicKey.from_public_bytes(public).verify(signature, data)
    except (InvalidSignature, ValueError):
        return False
    return True
