"""The effective line: what counts of a match's records. All but its end may be packed."""

import zlib
from array import array
from bisect import bisect_right
from collections.abc import Iterator, MutableSequence, Sequence
from functools import cache
from itertools import chain, islice
from operator import attrgetter
from typing import Any, Union, overload

import msgspec

from games.game import AnyGame
from games.match.commands import MatchCommand

BLOCK = 8
"""Entries that are packed together."""
LOOSE = 4
"""Entries at the end that are never packed, since most readers want these."""
NOBODY = -1
"""Stands for no seat."""
FASTEST = 1
"""Level of compression of what is packed."""


class Entry(msgspec.Struct, frozen=True, gc=False, array_like=True):
    """One record of the effective line, counted from the start of play."""

    version: int
    seat: int | None
    """Seat of the command, also if the clock sent it; None for the start and operators."""
    command: Any
    events: Sequence[Any]
    """The game's events."""
    limit: int | None = None
    """Value of the seat's `Match.ran` at which its clock would have run out; None: no clock ran."""


Row = tuple[int, int | None, Any, tuple[Any, ...], int | None]
ENCODER = msgspec.json.Encoder()
VERSION = attrgetter("version")


def compressed(value: Any) -> bytes:
    """Return a value as compressed JSON."""
    return zlib.compress(ENCODER.encode(value), FASTEST)


@cache
def _decoder(game: AnyGame) -> msgspec.json.Decoder[list[Row]]:
    commands: Any = Union[MatchCommand, game.Command, None]  # noqa: UP007 - a value
    row: Any = tuple[int, int | None, commands, tuple[game.Event, ...], int | None]
    return msgspec.json.Decoder(list[row])


class Line(msgspec.Struct):
    """The entries of the effective line, in order. `pack` makes all but the last ones small."""

    game: AnyGame
    blocks: tuple[bytes, ...] = ()
    """The first entries, `BLOCK` in each, packed."""
    recent: list[Entry] = []
    """The entries after them."""
    versions: MutableSequence[int] = msgspec.field(default_factory=lambda: array("I"))
    """The version of each packed entry, as an array of 32-bit numbers."""
    seats: MutableSequence[int] = msgspec.field(default_factory=lambda: array("b"))
    """The seat of each packed entry, or `NOBODY`, as an array of bytes."""

    def append(self, entry: Entry) -> None:
        """Add an entry at the end."""
        self.recent.append(entry)

    def copy(self) -> "Line":
        """Return an independent copy."""
        return Line(self.game, self.blocks, self.recent[:], self.versions[:], self.seats[:])

    def pack(self) -> None:
        """Pack what is not at the end."""
        while len(self.recent) >= BLOCK + LOOSE:
            block = self.recent[:BLOCK]
            self.blocks += (compressed(block),)
            self.versions.extend(entry.version for entry in block)
            self.seats.extend(NOBODY if entry.seat is None else entry.seat for entry in block)
            del self.recent[:BLOCK]

    def until(self, version: int) -> int:
        """Count the entries up to a version of the log."""
        if self.versions and version < self.versions[-1]:
            return bisect_right(self.versions, version)
        return len(self.versions) + bisect_right(self.recent, version, key=VERSION)

    def after(self, version: int) -> list[int]:
        """Return the versions of the entries after a version of the log."""
        packed = self.versions[bisect_right(self.versions, version) :]
        return [*packed, *(entry.version for entry in self.recent if entry.version > version)]

    def last_by(self, seat: int) -> int:
        """Return the version of a seat's last entry; 0 if it has none."""
        for entry in reversed(self.recent):
            if entry.seat == seat:
                return entry.version
        for place in range(len(self.seats) - 1, -1, -1):
            if self.seats[place] == seat:
                return self.versions[place]
        return 0

    def count_by(self, seat: int) -> int:
        """Count the entries of a seat."""
        return self.seats.count(seat) + sum(entry.seat == seat for entry in self.recent)

    def cut(self, entries: int) -> list[Entry]:
        """Remove and return all but the first entries."""
        kept = min(entries // BLOCK, len(self.blocks))
        first = kept * BLOCK
        loose = list(self._from(first))
        self.blocks, self.recent, removed = (
            self.blocks[:kept],
            loose[: entries - first],
            loose[entries - first :],
        )
        del self.versions[first:]
        del self.seats[first:]
        return removed

    def __len__(self) -> int:
        """Return the number of entries."""
        return len(self.versions) + len(self.recent)

    def __iter__(self) -> Iterator[Entry]:
        """Yield the entries in order."""
        return self._from(0)

    @overload
    def __getitem__(self, place: int) -> Entry: ...

    @overload
    def __getitem__(self, place: slice) -> list[Entry]: ...

    def __getitem__(self, place: int | slice) -> Entry | list[Entry]:
        """Return an entry, or a list of neighbours."""
        if isinstance(place, slice):
            start, stop, step = place.indices(len(self))
            assert step == 1, "neighbours in order"
            return list(islice(self._from(start), max(0, stop - start)))
        return next(self._from(range(len(self))[place]))

    def _from(self, start: int) -> Iterator[Entry]:
        block, skipped = divmod(start, BLOCK)
        if block >= len(self.blocks):
            return islice(self.recent, start - len(self.versions), None)
        packed = (self._unpacked(data) for data in self.blocks[block:])
        return islice(chain(chain.from_iterable(packed), self.recent), skipped, None)

    def _unpacked(self, block: bytes) -> list[Entry]:
        return [Entry(*row) for row in _decoder(self.game).decode(zlib.decompress(block))]
