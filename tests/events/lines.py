"""Records to store: real ones, and cheap to make."""

import hashlib

from events.chain import follow
from events.codec import seal
from events.record import Record, at_text
from games.match.commands import Actor, TakeSeat

FIRST_AT = 1_790_000_000_000_000


def next_line(lines: list[bytes], tag: str = "") -> bytes:
    """Make the record that follows; the tag tells two candidates for one version apart."""
    version = len(lines) + 1
    digest = hashlib.sha256(f"{tag}{version}".encode()).hexdigest()[:24]
    at = at_text(FIRST_AT + version)
    command_id = f"{tag}-{version}"
    return seal(
        Record(version, at, Actor(seat=0), command_id, TakeSeat(entropy="e" * 40), (), digest)
    )


def chain_of(count: int, tag: str = "") -> list[bytes]:
    """Make a log of so many records."""
    lines: list[bytes] = []
    for _ in range(count):
        lines.append(next_line(lines, tag))
    return lines


def head_of(lines: list[bytes]) -> str:
    """Return the head of a log."""
    *_, head = follow(lines)
    return head


async def put(store, match: str, lines: list[bytes], line: bytes) -> None:
    """Append the record that follows a log."""
    await store.append(match, len(lines) + 1, line, lines[-1] if lines else b"")
