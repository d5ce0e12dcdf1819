"""The record: one accepted command, the unit of the log."""

from datetime import UTC, datetime, timedelta
from functools import lru_cache
from typing import Annotated, Any, Generic, TypeVar

import msgspec
from msgspec import Meta

from games.match.commands import By

C = TypeVar("C")
E = TypeVar("E")

CommandId = Annotated[str, Meta(pattern="^[A-Za-z0-9._:-]{1,64}$")]
EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
GENESIS = "0" * 64
"""What record 1 holds in place of a hash."""


class Record(msgspec.Struct, Generic[C, E], frozen=True, forbid_unknown_fields=True):
    """One accepted command with what followed from it (design §4). The fields are in the order of the bytes."""

    v: int
    """1, 2, 3, … without a gap."""
    at: str
    """RFC 3339, UTC, microseconds."""
    by: By
    id: CommandId
    """The client's Idempotency-Key."""
    command: C
    events: tuple[E, ...]
    salt: str
    """32 hex digits; keeps the hash from being a riddle."""
    prev: str
    """SHA-256, in hex, of the bytes of the record before."""


AnyRecord = Record[Any, Any]


def at_text(micros: int) -> str:
    """Write microseconds since 1970 as the record's time."""
    return (EPOCH + timedelta(microseconds=micros)).strftime("%Y-%m-%dT%H:%M:%S.%fZ")


@lru_cache(maxsize=64)
def at_micros(text: str) -> int:
    """Read a record's time as microseconds since 1970; raises `ValueError`."""
    return (datetime.fromisoformat(text) - EPOCH) // timedelta(microseconds=1)
