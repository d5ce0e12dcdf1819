"""Check everything in a log that needs no rules: versions, heads, salts and times."""

from collections import deque
from collections.abc import Iterable, Iterator

import msgspec
from msgspec import UNSET, UnsetType

from events.chain import Link, head_after
from events.codec import MALFORMED
from events.record import DIGEST, GENESIS, CommandId, at_text, exact_micros
from games.match.seed import salt
from replay.report import Finding, difference


class CommonFields(Link, frozen=True, kw_only=True):
    """The checked fields, which records of all games have."""

    at: str
    id: CommandId
    digest: str | UnsetType = UNSET
    """Since record format 2."""
    salt: str | UnsetType = UNSET
    """Record format 1."""


VERSIONS = 1 << 64
"""Salts hash a version as 8 bytes, so versions from here on have none."""
COMMON_FIELDS = msgspec.json.Decoder(CommonFields)


def is_digest(text: str) -> bool:
    """Return whether a text has the form of digests. Only the service seed proves a digest."""
    return DIGEST.fullmatch(text) is not None


def heads_of(lines: Iterable[bytes]) -> list[str]:
    """Return the head after each line of a log, whatever is wrong with it."""
    surface = Surface()
    for data in lines:
        deque(surface.read(data, b""), maxlen=0)
    return surface.heads


class Surface:
    """The checks on the lines read so far."""

    def __init__(self) -> None:
        """Start before the first line."""
        self.format = 0
        """Record format; 0 before the first line."""
        self.heads: list[str] = []
        """The head after each line."""
        self.at = 0
        """Time of the last record (microseconds since 1970)."""
        self.shift = 0
        """Difference between versions and lines, after a gap or a repetition."""

    @property
    def place(self) -> int:
        """Number of lines read."""
        return len(self.heads)

    def advance(self, head: str, at: int) -> None:
        """Add a line that is known to be correct, by the head after it and its time."""
        self.heads.append(head)
        self.at = at

    def read(self, data: bytes, service_seed: bytes) -> Iterator[Finding]:
        """Check the next line. `service_seed` is empty if it is not known."""
        before = self.heads[-1] if self.heads else GENESIS
        try:
            fields = COMMON_FIELDS.decode(data)
        except MALFORMED as error:
            self.heads.append(head_after(self.format, before, data))
            yield Finding("record", self.place, f"not a record: {error}")
            return
        self.format = self.format or fields.format
        self.heads.append(head_after(self.format, before, data))
        yield from self._number(fields.v)
        if self.format == 1:
            yield from self._format_1(fields, before, service_seed)
        elif not service_seed and fields.digest is not UNSET and not is_digest(fields.digest):
            why = "the digest is not 24 hex digits in lower case"
            yield Finding("digest", self.place, why, path="/digest", actual=fields.digest)
        yield from self._time(fields.at)

    def _format_1(
        self, fields: CommonFields, before: str, service_seed: bytes
    ) -> Iterator[Finding]:
        if fields.prev != before:
            why = "`prev` is not the hash of the record before: one of the two was changed"
            yield difference("chain", self.place, why, "/prev", before, fields.prev)
        salted = 0 < fields.v < VERSIONS
        if service_seed and salted and fields.salt != salt(service_seed, fields.v):
            why = "the salt does not follow from the service seed"
            made = salt(service_seed, fields.v)
            yield difference("salt", self.place, why, "/salt", made, fields.salt)

    def _number(self, v: int) -> Iterator[Finding]:
        shift = v - self.place
        if shift not in (0, self.shift):
            expected = self.place + self.shift
            missing = f": record {expected} is missing" if v == expected + 1 else ""
            why = f"version {v}, expected {expected}{missing}"
            yield difference("number", self.place, why, "/v", expected, v)
        self.shift = shift

    def _time(self, text: str) -> Iterator[Finding]:
        try:
            at = exact_micros(text)
        except ValueError as error:
            why = f"invalid time: {error}"
            yield Finding("time", self.place, why, path="/at", actual=text)
            return
        if at < self.at:
            why = f"earlier than the record before, which is of {at_text(self.at)}"
            yield Finding("time", self.place, why, path="/at", actual=text)
        self.at = max(at, self.at)
