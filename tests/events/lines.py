"""Records to store: real ones, chained, and cheap to make."""

import hashlib

from events.codec import digest, seal
from events.record import GENESIS, Record, at_text
from games.match.commands import Actor, TakeSeat

FIRST_AT = 1_790_000_000_000_000


def next_line(lines: list[bytes], tag: str = "") -> bytes:
    """Make the record that follows; the tag tells two candidates for one version apart."""
    version = len(lines) + 1
    salt = hashlib.sha256(f"{tag}{version}".encode()).hexdigest()[:32]
    prev = digest(lines[-1]) if lines else GENESIS
    at = at_text(FIRST_AT + version)
    command_id = f"{tag}-{version}"
    return seal(
        Record(version, at, Actor(seat=0), command_id, TakeSeat(entropy="e" * 40), (), salt, prev)
    )


def chain_of(count: int, tag: str = "") -> list[bytes]:
    """Make a log of so many records."""
    lines: list[bytes] = []
    for _ in range(count):
        lines.append(next_line(lines, tag))
    return lines
