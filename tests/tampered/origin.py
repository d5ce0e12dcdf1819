"""A recorded match to tamper with, and what a forger may know of it."""

from collections.abc import Callable, Iterator, Sequence
from functools import cache, cached_property
from pathlib import Path
from typing import Any

from events import file
from events.codec import unseal
from events.record import exact_micros
from games import GAMES
from games.match.decide import decide
from projections.folded import Folded
from replay.header import reveal
from tests.corpus import MATCHES
from tests.recorder import PUBLIC
from tests.replay.forgery import Plain, opened, rechained, signed

FORMAT_1 = Path(__file__).resolve().parents[1] / "events" / "format_1"
FOLDERS = {1: FORMAT_1, 2: MATCHES}
RECORDS_MIN = 30
KEY = PUBLIC.public_bytes_raw().hex()
"""The key that signed every untouched file."""


class Origin:
    """A recorded match that was played to its end."""

    def __init__(self, path: Path, record_format: int) -> None:
        """Read an export."""
        self.slug = path.parent.name
        self.format = record_format
        self.good = path.read_bytes()
        self.lines, head = file.read(self.good)
        assert head is not None
        self.head = head
        self.last = len(self.lines)
        self.seed = bytes.fromhex(reveal(self.lines).secret)

    @cached_property
    def records(self) -> list[Plain]:
        """The records in plain values."""
        return [opened(line) for line in self.lines]

    @cached_property
    def start(self) -> int:
        """Version of the record that starts the match."""
        return self.first(lambda record: "match_started" in kinds(record)) or 0

    @cached_property
    def middle(self) -> int:
        """Version of a command of a seated player in the middle of the game."""
        from_here = (self.start + self.last) // 2
        return self.first(by_player, from_here) or self.start + 1

    def first(self, fits: Callable[[Plain], bool], after: int = 0) -> int | None:
        """Return the version of the first record that fits, later than `after`."""
        found = (record["v"] for record in self.records[after:] if fits(record))
        return next(found, None)

    def with_record(self, place: int, **values: Any) -> list[bytes]:
        """Return the records with fields of one of them replaced."""
        return self.with_line(place, encoded(self.records[place - 1] | values))

    def with_line(self, place: int, *lines: bytes) -> list[bytes]:
        """Return the records with other lines instead of one of them."""
        return [*self.lines[: place - 1], *lines, *self.lines[place:]]

    def stale(self, lines: Sequence[bytes]) -> bytes:
        """Return a file as somebody without keys can make it: the signed head is the old one."""
        return file.write(lines, self.head)

    def sealed(self, lines: Sequence[bytes]) -> bytes:
        """Return a file as the service itself can make it, with its digests and signature."""
        forged = rechained(lines, self.seed)
        return file.write(forged, signed(forged))

    @cached_property
    def thrown(self) -> tuple[int, list[Plain]] | None:
        """A record in play that draws dice, and its events if they fell otherwise."""
        folded: Folded | None = None
        for place, line in enumerate(self.lines, start=1):
            if folded is None:
                folded = Folded(GAMES, line)
                continue
            match = folded.match
            record = unseal(match.game, match.header, line)
            if place > self.start and record.by.seat is not None:
                at = exact_micros(record.at)
                other = decide(match, record.by, record.command, at, bytes(32))
                plain = [opened(encoded(event)) for event in other]
                if plain != self.records[place - 1]["events"] and not ends(plain):
                    return place, plain
            folded.extend(line, record)
        return None


def encoded(value: Any) -> bytes:
    """Encode a value as records are."""
    return file.ENCODER.encode(value)


def kinds(record: Plain) -> set[str]:
    """Return the types of a record's command and events."""
    return {record["command"]["type"], *(event["type"] for event in record["events"])}


def ends(events: Sequence[Plain]) -> bool:
    """Return whether the last event ends the match."""
    return bool(events) and "secret" in events[-1]


def by_player(record: Plain) -> bool:
    """Return whether a seated player sent a command of the game that had an effect."""
    return "seat" in record["by"] and len(record["by"]) == 1 and bool(record["events"])


@cache
def origins(slug: str, record_format: int) -> tuple[Origin, ...]:
    """Return the recorded matches of a game that were played to their end, the shortest first."""
    paths = FOLDERS[record_format].glob(f"{slug}/*.jsonl")
    found = sorted(paths, key=lambda path: (path.stat().st_size, path.name))
    return tuple(_played(found, record_format))


def _played(paths: Sequence[Path], record_format: int) -> Iterator[Origin]:
    for path in paths:
        origin = Origin(path, record_format)
        finished = '"type":"match_finished"' in origin.lines[-1].decode()
        if finished and origin.last > RECORDS_MIN:
            yield origin
