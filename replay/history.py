"""A log with checkpoints of its fold, so that reaching any version takes only a short fold."""

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from threading import Lock
from typing import Any

from games.match.model import Match
from projections.folded import Folded
from replay.travel import Games, NoSuchVersion, Sight, number_of, plain

CHECKPOINTS_MAX = 64
"""Maximum number of checkpoints. Beyond it every second one is dropped."""
SPACING = 16
"""Number of records between checkpoints at first. A jump folds half as many on average."""


class History:
    """A match at all of its versions. Safe to share between threads."""

    def __init__(self, games: Games, lines: Iterable[bytes]) -> None:
        """Use a log of at least one record. Nothing is folded until it is needed."""
        self._games = games
        self._lines = list(lines)
        self._latest: Folded | None = None
        self._kept: list[Match] = []
        self._spacing = SPACING
        self._lock = Lock()

    @property
    def lines(self) -> Sequence[bytes]:
        """Bytes of the records."""
        return self._lines

    def add(self, lines: Iterable[bytes]) -> None:
        """Add the next records of the log."""
        with self._lock:
            self._lines.extend(lines)

    def last(self, sight: Sight) -> int:
        """Return the last version in a sight."""
        with self._lock:
            return self._last(sight)

    def at(self, sight: Sight, number: int) -> Folded:
        """Fold the log up to a version as numbered in a sight. The caller owns the fold.

        Raises `NoSuchVersion` and the errors of `Folded`.
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
        """Return the picture of a sight at one of its versions, in plain JSON values.

        Raises `NoSuchVersion` and the errors of `Folded`.
        """
        return plain(self.at(sight, number), sight)

    def _reach(self, sight: Sight, number: int) -> Folded:
        """Fold on until a sight has reached a version, or to the end of the log."""
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
