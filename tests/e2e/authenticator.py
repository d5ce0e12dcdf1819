"""An authenticator in software: makes passkeys and signs in with them (WebAuthn level 2)."""

import json
import secrets
from hashlib import sha256
from typing import Any

import cbor2
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec

from service.base.base64url import decoded, encoded

ALGORITHM = ec.ECDSA(hashes.SHA256(), deterministic_signing=True)
PRESENT, VERIFIED, ATTESTED = 0x01, 0x04, 0x40


class Authenticator:
    """One passkey, at the origin of a browser."""

    def __init__(self, origin: str) -> None:
        self.origin = origin
        self.id = secrets.token_bytes(16)
        self.count = 0
        number = int.from_bytes(secrets.token_bytes(31)) + 1
        self._key = ec.derive_private_key(number, ec.SECP256R1())
        self._handle = ""

    def create(self, options: dict[str, Any], name: str = "Laptop") -> dict[str, Any]:
        """Return the body of `addPasskey`."""
        self._handle = options["user_handle"]
        point = self._key.public_key().public_numbers()
        key = {1: 2, 3: -7, -1: 1, -2: point.x.to_bytes(32), -3: point.y.to_bytes(32)}
        attested = bytes(16) + len(self.id).to_bytes(2) + self.id + cbor2.dumps(key)
        seen = self._seen(options["domain"], ATTESTED) + attested
        attestation = cbor2.dumps({"fmt": "none", "attStmt": {}, "authData": seen})
        return {
            "name": name,
            "id": encoded(self.id),
            "client_data": self._client_data("webauthn.create", options["challenge"]),
            "attestation": encoded(attestation),
            "transports": ["internal"],
        }

    def sign(self, options: dict[str, Any]) -> dict[str, Any]:
        """Return the body of `signInByPasskey`."""
        self.count += 1
        client_data = self._client_data("webauthn.get", options["challenge"])
        seen = self._seen(options["domain"])
        signed = seen + sha256(decoded(client_data)).digest()
        return {
            "id": encoded(self.id),
            "client_data": client_data,
            "authenticator_data": encoded(seen),
            "signature": encoded(self._key.sign(signed, ALGORITHM)),
            "user_handle": self._handle,
        }

    def _client_data(self, kind: str, challenge: str) -> str:
        return encoded(
            json.dumps({"type": kind, "challenge": challenge, "origin": self.origin}).encode()
        )

    def _seen(self, domain: str, flags: int = 0) -> bytes:
        flags |= PRESENT | VERIFIED
        return sha256(domain.encode()).digest() + bytes([flags]) + self.count.to_bytes(4)
