"""A browser as a push service sees it: an endpoint, keys, and what it can read."""

import json
from typing import Any

import http_ece
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from service.base.base64url import encoded


class Subscribed:
    """A subscribed browser."""

    def __init__(self, endpoint: str) -> None:
        self.endpoint = endpoint
        self._key = ec.generate_private_key(ec.SECP256R1())
        self._auth = b"0123456789abcdef"

    @property
    def keys(self) -> dict[str, str]:
        point = self._key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
        return {"p256dh": encoded(point), "auth": encoded(self._auth)}

    def wanting(self, *events: str, **more: Any) -> dict[str, Any]:
        """Return the body of a subscription."""
        return {"endpoint": self.endpoint, **self.keys, "events": events, **more}

    def read(self, body: bytes) -> Any:
        """Decrypt what was pushed."""
        text = http_ece.decrypt(
            body, private_key=self._key, auth_secret=self._auth, version="aes128gcm"
        )
        return json.loads(text)
