"""Announce the end of a call: `Deprecation` (RFC 9745), `Sunset` (RFC 8594), and where to read on.

A handler is deprecated by `deprecation=Deprecation(…)` in its decorator.
"""

from collections.abc import Iterator
from datetime import UTC, date, datetime, time
from email.utils import format_datetime
from typing import NamedTuple

from litestar.types import HTTPScope


class Deprecation(NamedTuple):
    """The end of a call."""

    since: date
    """Day from which clients should no longer use the call."""
    sunset: date
    """First day on which the call may be gone."""
    successor: str
    """Address of the call to use instead."""


def headers(scope: HTTPScope) -> Iterator[tuple[bytes, bytes]]:
    """Yield the headers of an answer to a deprecated call; none for other calls."""
    handler = scope.get("route_handler")
    found: Deprecation | None = None if handler is None else handler.opt.get("deprecation")
    if found is None:
        return
    yield b"deprecation", f"@{int(_midnight(found.since).timestamp())}".encode()
    yield b"sunset", format_datetime(_midnight(found.sunset), usegmt=True).encode()
    yield b"link", f'<{found.successor}>; rel="successor-version"'.encode()


def _midnight(day: date) -> datetime:
    return datetime.combine(day, time(), UTC)
