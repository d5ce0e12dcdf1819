"""The effective line: what counts of a match's records. All but its end may be packed."""

from array import array
from bisect import bisect_right
from collections.abc import MutableSequence, Sequence
from functools import cache
from operator import attrgetter
from typing import Any, ClassVar, Union

import msgspec

from games.game import AnyGame
from games.match.commands import MatchCommand
from games.match.packing import PackedList

NOBODY = -1
"""Stands for no seat."""


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


@cache
def _decoder(game: AnyGame) -> msgspec.json.Decoder[list[Row]]:
    commands: Any = Union[MatchCommand, game.Command, None]  # noqa: UP007 - a value
    row: Any = tuple[int, int | None, commands, tuple[game.Event, ...], int | None]
    return msgspec.json.Decoder(list[row])


class Line(PackedList[Entry], kw_only=True):
    """The entries of the effective line, in order."""

    BLOCK: ClassVar[int] = 8
    LOOSE: ClassVar[int] = 4

    game: AnyGame
    versions: MutableSequence[int] = msgspec.field(default_factory=lambda: array("I"))
    """The version of each packed entry, as an array of 32-bit numbers."""
    seats: MutableSequence[int] = msgspec.field(default_factory=lambda: array("b"))
    """The seat of each packed entry, or `NOBODY`, as an array of bytes."""

    @staticmethod
    def encoded(items: list[Entry]) -> bytes:
        """Return entries in JSON, each as an array."""
        return ENCODER.encode(items)

    def decoded(self, data: bytes) -> list[Entry]:
        """Return entries from their JSON."""
        return [Entry(*row) for row in _decoder(self.game).decode(data)]

    def copy(self) -> "Line":
        """Return an independent copy."""
        return msgspec.structs.replace(
            self, recent=self.recent[:], versions=self.versions[:], seats=self.seats[:]
        )

    def pack(self) -> None:
        """Pack what is not at the end."""
        before = self.recent[:]
        super().pack()
        for entry in before[: len(before) - len(self.recent)]:
            self.versions.append(entry.version)
            self.seats.append(NOBODY if entry.seat is None else entry.seat)

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

    def cut(self, count: int) -> list[Entry]:
        """Remove and return all but the first entries."""
        removed = super().cut(count)
        packed = len(self) - len(self.recent)
        del self.versions[packed:]
        del self.seats[packed:]
        return removed
