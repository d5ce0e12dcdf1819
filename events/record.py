"""The record: one accepted command with its events, the unit of the log."""

import re
from datetime import UTC, date, datetime, timedelta
from functools import lru_cache
from typing import Annotated, Any, Generic, TypeVar

import msgspec
from msgspec import UNSET, UnsetType

from games.match.commands import Actor
from games.wire import matching

C = TypeVar("C")
E = TypeVar("E")

CommandId = Annotated[str, matching("[A-Za-z0-9._:-]{1,64}")]
Release = Annotated[str, matching("[A-Za-z0-9.+!_-]{0,64}")]
"""A version as Python packages have it (PEP 440)."""
EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
MICROSECOND = timedelta(microseconds=1)
EPOCH_DAY = EPOCH.toordinal()
DAY_S = 86_400
GENESIS = "0" * 64
"""The head before record 1."""
TIME = re.compile(
    r"\d{4}-\d\d-\d\dT(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d\.\d{6}Z",
    re.ASCII,
)
"""Every moment has one text. Python 3.14 would also read 24:00 as the start of the next day."""
DIGEST = re.compile("[0-9a-f]{24}")


class Record(msgspec.Struct, Generic[C, E], frozen=True, forbid_unknown_fields=True, gc=False):
    """One accepted command with the events that followed from it.

    The fields are in the order in which they are encoded.
    """

    v: int
    """Version: 1, 2, 3, … without a gap."""
    at: str
    """Time at which the command was accepted: RFC 3339, UTC, with microseconds."""
    by: Actor
    """The actor."""
    id: str
    """The client's Idempotency-Key. Only audits check its form (`CommandId`)."""
    command: C
    events: tuple[E, ...]
    digest: str
    """24 hex digits: the keyed digest of the match after this record (`games.match.digest`)."""
    release: Release | UnsetType = UNSET
    """The release that decided this record, if another one decided the record before."""


class Record1(msgspec.Struct, Generic[C, E], frozen=True, forbid_unknown_fields=True, gc=False):
    """A record in format 1, in which matches go on that were created in it."""

    v: int
    at: str
    by: Actor
    id: str
    command: C
    events: tuple[E, ...]
    salt: str
    """32 hex digits. Prevents guessing hidden cards by comparing hashes."""
    prev: str
    """SHA-256 of the bytes of the record before, in hex."""


AnyRecord = Record[Any, Any] | Record1[Any, Any]


def at_text(micros: int) -> str:
    """Format a time (microseconds since 1970) as the `at` of a record."""
    seconds, rest = divmod(micros, 1_000_000)
    return f"{_second_text(seconds)}.{rest:06d}Z"


@lru_cache(maxsize=64)
def _second_text(seconds: int) -> str:
    """Format a time, in seconds since 1970. What a service writes in one second shares the text."""
    days, seconds = divmod(seconds, DAY_S)
    minutes, second = divmod(seconds, 60)
    hour, minute = divmod(minutes, 60)
    return f"{_day_text(days)}T{hour:02d}:{minute:02d}:{second:02d}"


@lru_cache(maxsize=64)
def _day_text(days: int) -> str:
    """Format a day, by the days since 1970."""
    return date.fromordinal(EPOCH_DAY + days).isoformat()


def exact_micros(text: str) -> int:
    """Parse the `at` of a record as microseconds since 1970, in the exact form that records use.

    Raises `ValueError`.
    """
    if TIME.fullmatch(text) is None:
        raise ValueError("expected the form 2026-11-21T09:00:00.000000Z")
    return at_micros(text)


def at_micros(text: str) -> int:
    """Parse a time in any ISO 8601 form as microseconds since 1970. Raises `ValueError`."""
    try:
        return (datetime.fromisoformat(text) - EPOCH) // MICROSECOND
    except TypeError:
        raise ValueError(f"{text!r} has no time zone") from None
