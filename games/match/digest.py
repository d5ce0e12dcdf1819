"""The keyed digest of a match, by which its log says what the state was after each record.

`docs/log-format.md` specifies it for other languages. The key is the service seed: until the match
ends, nobody else can compute a digest, or guess from it what is hidden.
"""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from hashlib import sha256
from typing import Any

import msgspec

from games.match.model import Chair, Match, Proposal, RunningClock, Status

DIGEST_BYTES = 12
_DOMAIN = b"shiplog-digest-2\n"
_PADS = [bytes(byte ^ pad for byte in range(256)) for pad in (0x36, 0x5C)]
_ENCODER = msgspec.json.Encoder(order="sorted")


class Contents(msgspec.Struct, frozen=True, gc=False):
    """What a digest covers: the game's state, and what the match adds to it.

    The fields are in sorted order, which saves the encoder from sorting them.
    """

    chairs: Sequence[Chair]
    clocks: Sequence[RunningClock | None]
    """By seat; None if no clock runs."""
    leavers: Sequence[int]
    paces: Mapping[str, int]
    paused: int | None
    proposals: Sequence[Proposal]
    ran: Sequence[int]
    """By seat, the total time of its earlier clocks (microseconds)."""
    solved: int
    state: Any
    status: Status


def _contents(match: Match) -> Contents:
    """Return what the digest of a match covers."""
    seats = range(len(match.chairs))
    ran = match.ran
    return Contents(
        match.chairs,
        [*map(match.clocks.get, seats)],
        match.leavers,
        match.paces,
        match.paused,
        match.proposals,
        [ran.get(seat, 0) for seat in seats],
        match.solved,
        match.state,
        match.status,
    )


def canonical(match: Match) -> bytes:
    """Encode the contents of a match: JSON without spaces, keys sorted (RFC 8785)."""
    return _ENCODER.encode(_contents(match))


def digest(match: Match, service_seed: bytes, head: str) -> str:
    """Return the digest of a match after its last record, 24 hex digits.

    `head` is the head of the log before that record.
    """
    inner, outer = _keyed(service_seed)
    inner, outer = inner.copy(), outer.copy()
    inner.update(match.version.to_bytes(8, "big") + bytes.fromhex(head) + canonical(match))
    outer.update(inner.digest())
    return outer.hexdigest()[: 2 * DIGEST_BYTES]


@lru_cache(maxsize=1_024)
def _keyed(service_seed: bytes) -> tuple[Any, Any]:
    """Return how both hashes of an HMAC begin (RFC 2104) for all digests of a match.

    Cached, since every record needs them. The HMAC of the library takes 1.2 times as long.
    """
    inner, outer = (service_seed.ljust(64, b"\0").translate(pad) for pad in _PADS)
    return sha256(inner + _DOMAIN), sha256(outer)
