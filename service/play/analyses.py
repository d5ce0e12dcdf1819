"""Analyses that are kept: in the work Redis, under the hash of the log's head. Lost with it, and made again."""

from typing import Any

from redis.exceptions import RedisError

from replay.analysis import FORMAT
from service.base.problems import work_unavailable

KEPT_S = 30 * 86_400
"""Seconds since it was last asked for."""


class Analyses:
    """The kept analyses of all matches."""

    def __init__(self, work: Any, commands: int) -> None:
        """Keep those of one budget in a work Redis, by an asyncio client that gives bytes."""
        self._work = work
        self.commands = commands

    async def get(self, head: str) -> bytes | None:
        """Give the analysis of the log with that head, in JSON; raises `Problem` 503."""
        try:
            return await self._work.getex(self._key(head), ex=KEPT_S)
        except (RedisError, OSError):
            raise work_unavailable() from None

    async def keep(self, head: str, analysis: bytes) -> None:
        """Keep an analysis; raises `Problem` 503."""
        try:
            await self._work.set(self._key(head), analysis, ex=KEPT_S)
        except (RedisError, OSError):
            raise work_unavailable() from None

    def _key(self, head: str) -> str:
        return f"analysis:{FORMAT}:{self.commands}:{head}"
