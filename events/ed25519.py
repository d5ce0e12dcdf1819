"""Ed25519 signatures (RFC 8032): those of `cryptography` or, in a browser, of the page."""

import sys

if sys.platform == "emscripten":
    from events.page_ed25519 import Ed25519PrivateKey, Ed25519PublicKey, InvalidSignature
else:
    from cryptography.exceptions import InvalidSignature
    from cryptography.hazmat.primitives.asymmetric.ed25519 import (
        Ed25519PrivateKey,
        Ed25519PublicKey,
    )

__all__ = ["Ed25519PrivateKey", "Ed25519PublicKey", "InvalidSignature"]
