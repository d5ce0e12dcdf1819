"""Limits on the matches of a player, and of an address, that wait for others to join.

The work Redis remembers who opened which match, for as long as a match may wait. The rows say which
of them still wait. While the work Redis is down, nothing is limited here.
"""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from typing import Any

from redis.exceptions import RedisError

from events.connection import exchange, pack
from games.match.clocks import SECOND
from projections.rows import NoRows, Rows
from service.base.clock import now_micros
from service.base.keys import Keys
from service.base.metrics import LIMITED
from service.base.problems import Problem
from service.base.settings import Settings

KEPT_S = 7 * 86_400
"""Time for which a match is remembered if waiting matches never expire (seconds)."""
ANSWER_S = 0.5
"""Time that a new match waits for the work Redis (seconds)."""
RETRY_S = 60

Note = Callable[[str], Awaitable[None]]


class OpenMatches:
    """Counts the waiting matches of players and addresses."""

    def __init__(self, work: Any, keys: Keys, settings: Settings) -> None:
        """Use an asyncio client of the work Redis; the keys conceal the addresses."""
        self._work = work
        self._keys = keys
        self._player_max = settings.matches_open_max
        self._address_max = settings.matches_open_address_max
        self._kept_s = settings.waiting_s or KEPT_S
        self._rows = Rows(work)
        self._opening: Counter[str] = Counter()
        """Matches that are being created by this process."""

    @asynccontextmanager
    async def opening(self, player: str, address: str) -> AsyncIterator[Note]:
        """Admit a match that is about to be created; raises `Problem` 429.

        Yields a coroutine function that takes the id of the match once it has been created.
        """
        limits = {
            f"open:player:{player}": self._player_max,
            f"open:address:{self._keys.derive('address', address).hex()[:24]}": self._address_max,
        }

        async def note(match: str) -> None:
            await self._note(limits, match)

        self._opening.update(limits.keys())
        try:
            await self._require_room(limits)
            yield note
        finally:
            self._opening.subtract(limits.keys())
            self._opening += Counter()

    async def _require_room(self, limits: Mapping[str, int]) -> None:
        counts = await self._count(limits)
        for key, limit in limits.items():
            if counts[key] + self._opening[key] > limit:
                LIMITED.labels("open-matches").inc()
                raise Problem(
                    429,
                    "too-many-open-matches",
                    f"At most {limit} of your matches may wait for players. "
                    "Fill their seats first, or wait until they expire.",
                    retry_after=RETRY_S,
                )

    async def _count(self, limits: Mapping[str, int]) -> Mapping[str, int]:
        """Count the waiting matches under each key. Those that have started are removed late."""
        oldest = b"%d" % (now_micros() - self._kept_s * SECOND)
        commands: list[bytes] = []
        for key in map(str.encode, limits):
            commands += (pack(b"ZREMRANGEBYSCORE", key, b"-inf", oldest), pack(b"ZCARD", key))
        try:
            async with asyncio.timeout(ANSWER_S):
                replies = await exchange(self._work, commands)
                counts = dict(zip(limits, replies[1::2], strict=True))
                for key, limit in limits.items():
                    if counts[key] + self._opening[key] > limit:
                        counts[key] = await self._count_waiting(key)
        except (RedisError, OSError, NoRows):
            return dict.fromkeys(limits, 0)
        return counts

    async def _count_waiting(self, key: str) -> int:
        matches = [member.decode() for member in await self._work.zrange(key, 0, -1)]
        found = await self._rows.summaries(await self._rows.generation(), matches)
        if gone := [one.match for one in found if one.status != "waiting"]:
            await self._work.zrem(key, *gone)
        return len(matches) - len(gone)

    async def _note(self, keys: Mapping[str, int], match: str) -> None:
        now, kept_s = b"%d" % now_micros(), b"%d" % self._kept_s
        commands: list[bytes] = []
        for key in map(str.encode, keys):
            commands += (pack(b"ZADD", key, now, match.encode()), pack(b"EXPIRE", key, kept_s))
        try:
            async with asyncio.timeout(ANSWER_S):
                await exchange(self._work, commands)
        except (RedisError, OSError):
            return
