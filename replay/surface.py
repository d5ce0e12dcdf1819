"""What a log's bytes must agree on before any rule is asked: numbers, chain, salts, times."""

import re
from collections.abc import Iterator
from functools import lru_cache

import msgspec

from events.codec import digest
from events.record import GENESIS, at_micros
from games.match.seed import salt
from replay.report import Finding

TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z", re.ASCII)


class Visible(msgspec.Struct, frozen=True):
    """What every record has, whatever its game."""

    v: int
    at: str
    salt: str
    prev: str


VISIBLE = msgspec.json.Decoder(Visible)


@lru_cache(maxsize=64)
def exact_micros(text: str) -> int:
    """Read a time in the one form that records have; raises `ValueError`."""
    if TIME.fullmatch(text) is None:
        raise ValueError("not as 2026-11-21T09:00:00.000000Z")
    return at_micros(text)


class Surface:
    """The log as read so far."""

    def __init__(self) -> None:
        """Start before the first line."""
        self.hashes: list[str] = []
        self.at = 0
        """Time of the last record, in microseconds."""
        self.shift = 0
        """How far the numbers are off the places."""

    @property
    def place(self) -> int:
        """Count the lines read."""
        return len(self.hashes)

    def advance(self, head: str, at: int) -> None:
        """Take a line that is known to be right."""
        self.hashes.append(head)
        self.at = at

    def read(self, data: bytes, part: bytes) -> Iterator[Finding]:
        """Take the next line and say what is wrong with it; `part` makes the salts, if known."""
        before = self.hashes[-1] if self.hashes else GENESIS
        self.hashes.append(digest(data))
        try:
            visible = VISIBLE.decode(data)
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            yield Finding(self.place, "record", f"not a record: {error}")
            return
        yield from self._number(visible.v)
        if visible.prev != before:
            why = "its prev is not the hash of the line before: one of the two was changed"
            yield Finding(self.place, "chain", why)
        if part and visible.v > 0 and visible.salt != salt(part, visible.v):
            yield Finding(self.place, "salt", "not the salt of this match and version")
        yield from self._time(visible.at)

    def _number(self, v: int) -> Iterator[Finding]:
        shift = v - self.place
        if shift not in (0, self.shift):
            expected = self.place + self.shift
            missing = f": record {expected} is missing" if v == expected + 1 else ""
            yield Finding(self.place, "number", f"numbered {v}, not {expected}{missing}")
        self.shift = shift

    def _time(self, text: str) -> Iterator[Finding]:
        try:
            at = exact_micros(text)
        except ValueError as error:
            yield Finding(self.place, "time", f"not a time: {error}")
            return
        if at < self.at:
            yield Finding(self.place, "time", "earlier than the record before")
        self.at = max(at, self.at)
