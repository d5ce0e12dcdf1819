"""Logs kept for time travel: those that were looked at lately, with their checkpoints."""

from cachetools import LRUCache

from events.codec import digest
from games import GAMES
from replay.history import CHECKPOINTS_MAX, History
from service.play.match_cache import Live, Lives

CHECKPOINT_BYTES = 40_000
"""Of a kept match; `make bench` measures it."""


class Histories:
    """The matches that are travelled in."""

    def __init__(self, lives: Lives, cache_bytes: int) -> None:
        """Read logs as the matches in memory are read; keep so many bytes of them."""
        self._lives = lives
        self._kept: LRUCache[str, History] = LRUCache(cache_bytes, getsizeof=_size)

    async def of(self, live: Live) -> History:
        """Give a match's history up to its present version; raises `Problem` 503."""
        match = live.match.header.match
        history = self._kept.get(match)
        if history is None or not _agree(history, live):
            history = History(GAMES, await self._lives.lines(live))
        elif (count := len(history.lines)) < live.folded.version:
            lines = await self._lives.lines(live, count)
            if len(history.lines) == count:
                history.add(lines)
        if _size(history) <= self._kept.maxsize:
            self._kept[match] = history
        return history


def _agree(history: History, live: Live) -> bool:
    """Tell whether a kept log is the beginning of what is there now: a server may have lost its tail."""
    count, hashes = len(history.lines), live.folded.hashes
    return count <= len(hashes) and digest(history.lines[-1]) == hashes[count - 1]


def _size(history: History) -> int:
    lines = sum(map(len, history.lines))
    return lines + min(len(history.lines), CHECKPOINTS_MAX) * CHECKPOINT_BYTES
