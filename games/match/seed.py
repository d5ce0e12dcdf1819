"""The match's seed: committed to before anyone sits down, revealed when it ends.

The service's part is HMAC-SHA-256(master key, match id). The seed is SHA-256 over that part and every seat's entropy,
each followed by a newline: `docs/chance.md` specifies it for other languages.
"""

import hmac
from functools import lru_cache
from hashlib import sha256

from games.chance import Chance, SealedChance


def service_part(master: bytes, match: str) -> bytes:
    """Give the service's 32 bytes for a match; they stay secret until it ends."""
    return hmac.digest(master, match.encode(), sha256)


def commitment(part: bytes) -> str:
    """Give the hex that record 1 commits to."""
    return sha256(part).hexdigest()


@lru_cache(maxsize=1_024)
def match_seed(part: bytes, entropies: tuple[str, ...]) -> bytes:
    """Give the 32 bytes that all dice of the match are keyed by; they are asked for at every record."""
    return sha256(part + b"".join(entropy.encode() + b"\n" for entropy in entropies)).digest()


def dice(part: bytes, entropies: tuple[str, ...], version: int) -> Chance:
    """Give the dice of a record; sealed ones where the service's part is not known (`b""`)."""
    return Chance(match_seed(part, entropies), version) if part else SealedChance()


def salt(part: bytes, version: int) -> str:
    """Give a record's salt, 32 hex digits: without it, a hidden card could be guessed from the public hash."""
    return hmac.digest(part, b"salt" + version.to_bytes(8, "big"), sha256).hex()[:32]
