"""What was erased and still stands in the append file of the log, until the file is rewritten."""

from typing import Any

from games.match.clocks import SECOND
from service.base.clock import now_micros
from service.play.work_needed import work_needed

PENDING = "erasures"
"""Key of the times of erasures that no rewrite has followed (microseconds since 1970)."""
REWRITTEN = "erasures:rewritten"
"""Key of the time from which the last rewrite began."""
ERASING_S = 60
"""Longest time of an erasure (seconds). A rewrite that begins meanwhile may keep some of it."""


class Leftovers:
    """Notes erasures in the work Redis, which may lose them: then a rewrite is due as well."""

    def __init__(self, work: Any) -> None:
        """Note them through an asyncio client of the work Redis (of bytes)."""
        self._work = work

    async def forget(self, player: str) -> None:  # noqa: ARG002 - times alone are noted
        """Note that an erasure begins; raises `Problem` 503."""
        now = now_micros()
        with work_needed():
            await self._work.zadd(PENDING, {str(now): now})

    async def oldest(self) -> int | None:
        """Return when the oldest erasure began that may still be in the file; None without any.

        Raises `RedisError`, `OSError`.
        """
        times = await self._work.zrange(PENDING, 0, 0)
        return int(times[0]) if times else None

    async def due(self) -> bool:
        """Return whether the file has to be rewritten. Raises `RedisError`, `OSError`."""
        return await self.oldest() is not None or not await self._work.exists(REWRITTEN)

    async def rewritten(self, begun_at: int) -> None:
        """Note that a rewrite is complete, and when it began. Raises `RedisError`, `OSError`."""
        await self._work.zremrangebyscore(PENDING, "-inf", begun_at - ERASING_S * SECOND)
        await self._work.set(REWRITTEN, begun_at)
