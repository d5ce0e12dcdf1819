"""Tell all processes which records of players have changed, so that they read them again.

Each process reads one stream of the work Redis. While that is unreachable, a process trusts its
cached records for their usual time (`service.play.players.KNOWN_S`).
"""

from contextlib import suppress
from typing import Any

from redis.exceptions import RedisError

from service.play.changes import Changes
from service.play.players import Players

STREAM = "players:changed"
KEPT = 1_000


class RecordNews:
    """The news of changed records."""

    def __init__(self, work: Any) -> None:
        """Use an asyncio client of the work Redis (of bytes)."""
        self._work = work
        self._changes = Changes(work, STREAM, KEPT)

    async def tell(self, player: str) -> None:
        """Tell that a record has changed. Does not raise if the work Redis is unreachable."""
        with suppress(RedisError, OSError):
            await self._changes.tell(self._work, player)

    async def follow(self, players: Players) -> None:
        """Drop the cached records that have changed, until cancelled.

        All are dropped if some news may have been missed.
        """
        async for names in self._changes.names():
            if names is None:
                players.drop_cached()
            else:
                for name in names:
                    players.drop_cached(name)
