"""The match's seed: committed to before anyone sits down, revealed when it ends.

The service seed is HMAC-SHA-256(master key, match id). The match seed is SHA-256 over the service
seed and every seat's entropy, each followed by a newline: `docs/chance.md` specifies it for other
languages.
"""

import hmac
from functools import lru_cache
from hashlib import sha256


def derive_service_seed(master: bytes, match: str) -> bytes:
    """Return the service seed of a match: 32 bytes, secret until the match ends."""
    return hmac.digest(master, match.encode(), sha256)


def leaf_secret(service_seed: bytes) -> bytes:
    """Return the secret with which the checkpoint log commits to the heads of a match: 32 bytes."""
    return hmac.digest(service_seed, b"leaf", sha256)


def commitment(service_seed: bytes) -> str:
    """Return the commitment in record 1: the service seed's SHA-256 in hex."""
    return sha256(service_seed).hexdigest()


@lru_cache(maxsize=1_024)
def match_seed(service_seed: bytes, entropies: tuple[str, ...]) -> bytes:
    """Return the match seed, 32 bytes. Cached, since every record needs it."""
    return sha256(
        service_seed + b"".join(entropy.encode() + b"\n" for entropy in entropies)
    ).digest()


def salt(service_seed: bytes, version: int) -> str:
    """Return a record's salt, 32 hex digits.

    Without it, a hidden card could be guessed from the record's public hash.
    """
    return hmac.digest(service_seed, b"salt" + version.to_bytes(8, "big"), sha256).hex()[:32]
