"""Ed25519 in a browser: `web/src/inspect/audit.worker.ts` registers the module `page_crypto`."""

from typing import Protocol

from page_crypto import verify  # pyright: ignore[reportMissingImports, reportUnknownVariableType]


class InvalidSignature(Exception):
    """The signature is not valid."""


class Ed25519PublicKey:
    """A public key."""

    def __init__(self, raw: bytes) -> None:
        """Create the key from its 32 bytes."""
        self._raw = raw

    @classmethod
    def from_public_bytes(cls, data: bytes) -> "Ed25519PublicKey":
        """Return the key with these 32 bytes. Raises `ValueError`."""
        if len(data) != 32:
            raise ValueError(f"An Ed25519 public key has 32 bytes, got {len(data)}")
        return cls(data)

    def public_bytes_raw(self) -> bytes:
        """Return the 32 bytes of the key."""
        return self._raw

    def verify(self, signature: bytes, data: bytes) -> None:
        """Check a signature. Raises `InvalidSignature`."""
        if not verify(self._raw, signature, data):
            raise InvalidSignature


class Ed25519PrivateKey(Protocol):
    """A private key. A page has none."""

    def sign(self, data: bytes) -> bytes:
        """Return the signature of data."""
        ...
