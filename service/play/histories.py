"""Recently used histories: logs with checkpoints, for time travel."""

from cachetools import LRUCache

from events.chain import head_after
from events.record import GENESIS
from games import GAMES
from replay.history import CHECKPOINTS_MAX, History
from service.play.match_cache import CachedMatch, MatchCache

CHECKPOINT_BYTES = 40_000
"""Size of a checkpoint as measured by `make bench` (bytes)."""


class Histories:
    """Keeps recently used histories in memory."""

    def __init__(self, cache: MatchCache, cache_bytes: int) -> None:
        """Read logs through the match cache; use at most a number of bytes."""
        self._cache = cache
        self._kept: LRUCache[str, History] = LRUCache(cache_bytes, getsizeof=_size)

    async def of(self, cached: CachedMatch) -> History:
        """Return the history of a match up to its cached version; raises `Problem` 503."""
        match = cached.match.header.match
        history = self._kept.get(match)
        if history is None or not _agree(history, cached):
            history = History(GAMES, await self._cache.lines(cached))
        elif (count := len(history.lines)) < cached.folded.version:
            lines = await self._cache.lines(cached, count)
            if len(history.lines) == count:
                history.add(lines)
        if _size(history) <= self._kept.maxsize:
            self._kept[match] = history
        return history


def _agree(history: History, cached: CachedMatch) -> bool:
    """Return whether a history is a prefix of the log; a server may have lost the end of it."""
    count, heads = len(history.lines), cached.folded.heads
    if count > len(heads):
        return False
    before = heads[count - 2] if count > 1 else GENESIS
    found = head_after(cached.match.header.format, before, history.lines[-1])
    return found == heads[count - 1]


def _size(history: History) -> int:
    lines = sum(map(len, history.lines))
    return lines + min(len(history.lines), CHECKPOINTS_MAX) * CHECKPOINT_BYTES
