"""A log with its fold kept at checkpoints: any version is a short fold away, however long the match."""

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from threading import Lock
from typing import Any

from games.match.model import Match
from projections.folded import Folded
from replay.travel import Games, NoSuchVersion, Sight, number_of, plain

CHECKPOINTS_MAX = 64
"""Matches kept. When there are more every second one goes: they stay evenly spaced, and memory stays bounded."""
SPACING = 16
"""Records between the first checkpoints; a jump folds half as many on average."""


class History:
    """A match at all of its versions. Safe to share between threads."""

    def __init__(self, games: Games, lines: Iterable[bytes]) -> None:
        """Take a log, of one record at least; nothing of it is folded before it is asked for."""
        self._games = games
        self._lines = list(lines)
        self._latest: Folded | None = None
        self._kept: list[Match] = []
        self._spacing = SPACING
        self._lock = Lock()

    @property
    def lines(self) -> Sequence[bytes]:
        """The log."""
        return self._lines

    def add(self, lines: Iterable[bytes]) -> None:
        """Take the records that have come."""
        with self._lock:
            self._lines.extend(lines)

    def last(self, sight: Sight) -> int:
        """Give the last number of a sight."""
        with self._lock:
            return self._last(sight)

    def at(self, sight: Sight, number: int) -> Folded:
        """Fold the log up to the record that a sight counts as `number`, for the caller to keep.

        Raises `NoSuchVersion`, and what `Folded` raises for a record that can't be folded on the way.
        """
        with self._lock:
            latest = self._reach(sight, number)
            if not 1 <= number <= number_of(latest, sight):
                raise NoSuchVersion(number, self._last(sight))
            version = number if sight == "full" else latest.match.shown[sight][number - 1]
            place = bisect_right(self._kept, version, key=lambda match: match.version)
            folded = latest.as_of(self._kept[place - 1].copy())
        for data in self._lines[folded.version : version]:
            folded.extend(data)
        return folded

    def plain(self, sight: Sight, number: int) -> dict[str, Any]:
        """Give the picture of a sight at one of its numbers, as plain JSON values; raises `NoSuchVersion`."""
        return plain(self.at(sight, number), sight)

    def _reach(self, sight: Sight, number: int) -> Folded:
        """Fold on until a sight has come to a number, or the log to its end."""
        if self._latest is None:
            self._latest = Folded(self._games, self._lines[0])
            self._kept.append(self._latest.match.copy())
        latest = self._latest
        while number_of(latest, sight) < number and latest.version < len(self._lines):
            try:
                latest.extend(self._lines[latest.version])
            except Exception:
                self._latest = None
                self._kept.clear()
                self._spacing = SPACING
                raise
            if latest.version % self._spacing == 0:
                self._keep(latest.match)
        return latest

    def _last(self, sight: Sight) -> int:
        return number_of(self._reach("full", len(self._lines)), sight)

    def _keep(self, match: Match) -> None:
        self._kept.append(match.copy())
        if len(self._kept) > CHECKPOINTS_MAX:
            self._spacing *= 2
            self._kept = [
                kept
                for kept in self._kept
                if kept.version == 1 or kept.version % self._spacing == 0
            ]
