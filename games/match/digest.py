"""The keyed digest of a match, by which its log says what the state was after each record.

`docs/log-format.md` specifies it for other languages. The key is the service seed: until the match
ends, nobody else can compute a digest, or guess from it what is hidden.
"""

import hmac
from collections.abc import Mapping, Sequence
from functools import lru_cache
from hashlib import sha256
from typing import Any

import msgspec

from games.match.model import Chair, Match, Proposal, RunningClock, Status

DIGEST_BYTES = 12
_DOMAIN = b"shiplog-digest-2\n"
_ENCODER = msgspec.json.Encoder(order="sorted")


class Contents(msgspec.Struct, frozen=True):
    """What a digest covers: the game's state, and what the match adds to it."""

    status: Status
    chairs: Sequence[Chair]
    clocks: Sequence[RunningClock | None]
    """By seat; None if no clock runs."""
    ran: Sequence[int]
    """By seat, the total time of its earlier clocks (microseconds)."""
    paused: int | None
    proposals: Sequence[Proposal]
    solved: int
    paces: Mapping[str, int]
    leavers: Sequence[int]
    state: Any


def contents(match: Match) -> Contents:
    """Return what the digest of a match covers."""
    seats = range(match.header.seats)
    return Contents(
        status=match.status,
        chairs=match.chairs,
        clocks=[match.clocks.get(seat) for seat in seats],
        ran=[match.ran.get(seat, 0) for seat in seats],
        paused=match.paused,
        proposals=match.proposals,
        solved=match.solved,
        paces=match.paces,
        leavers=match.leavers,
        state=match.state,
    )


def canonical(match: Match) -> bytes:
    """Encode the contents of a match: JSON without spaces, keys sorted (RFC 8785)."""
    return _ENCODER.encode(contents(match))


def digest(match: Match, service_seed: bytes, head: str) -> str:
    """Return the digest of a match after its last record, 24 hex digits.

    `head` is the head of the log before that record.
    """
    keyed = _keyed(service_seed).copy()
    keyed.update(match.version.to_bytes(8, "big") + bytes.fromhex(head) + canonical(match))
    return keyed.hexdigest()[: 2 * DIGEST_BYTES]


@lru_cache(maxsize=1_024)
def _keyed(service_seed: bytes) -> hmac.HMAC:
    """Return what all digests of a match begin with. Cached, since every record needs it."""
    return hmac.new(service_seed, _DOMAIN, sha256)
