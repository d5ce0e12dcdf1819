"""Tell all processes which records of players have changed, so that they read them again.

Each process reads one stream of the work Redis. While that is unreachable, a process trusts its
cached records for their usual time (`service.play.players.KNOWN_S`).
"""

import asyncio
from contextlib import suppress
from typing import Any

from redis.exceptions import RedisError

from service.play.players import Players

STREAM = "players:changed"
KEPT = 1_000
WAIT_MS = 500
RETRY_S = 0.5
START = b"0-0"


class RecordNews:
    """The news of changed records."""

    def __init__(self, work: Any) -> None:
        """Use an asyncio client of the work Redis (of bytes)."""
        self._work = work

    async def tell(self, player: str) -> None:
        """Tell that a record has changed. Does not raise if the work Redis is unreachable."""
        with suppress(RedisError, OSError):
            await self._work.xadd(STREAM, {b"p": player}, maxlen=KEPT, approximate=True)

    async def follow(self, players: Players) -> None:
        """Drop the cached records that have changed, until cancelled.

        All are dropped if some news may have been missed.
        """
        last = b""
        while True:
            try:
                if not last:
                    found = await self._work.xrevrange(STREAM, count=1)
                    last = found[0][0] if found else START
                    players.drop_cached()
                found = await self._work.xread({STREAM: last}, count=KEPT, block=WAIT_MS)
            except (RedisError, OSError):
                last = b""
                await asyncio.sleep(RETRY_S)
                continue
            for _, entries in found:
                last = entries[-1][0] if len(entries) < KEPT else b""
                for _, fields in entries:
                    players.drop_cached(fields[b"p"].decode())
