"""Limits on the matches of a player, and of an address, in which nobody plays.

They wait for others to join, or bots alone play them. The work Redis remembers who opened which
match, for as long as a match may wait. The rows say which of them people play by now. A slow work
Redis is waited for, as long as its client has patience. While it is down, nothing is limited here.
"""

from collections.abc import AsyncIterator, Iterable, Mapping, Sequence
from contextlib import asynccontextmanager
from typing import Any

from redis.exceptions import RedisError

from events.connection import exchange, pack
from games.match.clocks import SECOND
from projections.rows import NoRows, Rows
from projections.summary import Summary
from service.base.clock import DAY_S, now_micros
from service.base.keys import Keys
from service.base.problems import limited
from service.base.settings import Settings

KEPT_S = 7 * DAY_S
"""Time for which a match is remembered if waiting matches never expire (seconds)."""
RETRY_S = 60


class OpenMatches:
    """Counts the matches of players and addresses in which nobody plays."""

    def __init__(self, work: Any, keys: Keys, settings: Settings) -> None:
        """Use an asyncio client of the work Redis; the keys conceal the addresses."""
        self._work = work
        self._keys = keys
        self._player_max = settings.matches_open_max
        self._address_max = settings.matches_open_address_max
        self._kept_s = settings.waiting_s or KEPT_S
        self._rows = Rows(work)

    @asynccontextmanager
    async def opening(self, player: str, address: str, match: str) -> AsyncIterator[None]:
        """Admit a match that is about to be created; raises `Problem` 429.

        It counts before it is there, so that of many at once no more are admitted. One that
        counts already is created again, by a retry, and always admitted.
        """
        limits = {
            f"open:player:{player}": self._player_max,
            f"open:address:{self._keys.derive('address', address).hex()[:24]}": self._address_max,
        }
        counts = await self._enter(limits, match)
        try:
            await self._require_room(limits, counts)
            yield
        except BaseException:
            await self._leave(counts, match)
            raise

    async def _enter(self, keys: Iterable[str], match: str) -> Mapping[str, int]:
        """Remember a match; return the number of matches under each key that it is new to.

        Those that are played by now are still among them.
        """
        now = now_micros()
        oldest, kept_s = b"%d" % (now - self._kept_s * SECOND), b"%d" % self._kept_s
        commands: list[bytes] = []
        for key in map(str.encode, keys):
            commands += (
                pack(b"ZREMRANGEBYSCORE", key, b"-inf", oldest),
                pack(b"ZADD", key, b"NX", b"%d" % now, match.encode()),
                pack(b"ZCARD", key),
                pack(b"EXPIRE", key, kept_s),
            )
        try:
            replies = await exchange(self._work, commands)
        except (RedisError, OSError):
            return {}
        told = zip(keys, replies[1::4], replies[2::4], strict=True)
        return {key: count for key, new, count in told if new}

    async def _require_room(self, limits: Mapping[str, int], counts: Mapping[str, int]) -> None:
        for key, count in counts.items():
            if count > limits[key] and await self._idle(key) > limits[key]:
                raise limited(
                    "open-matches",
                    "too-many-open-matches",
                    f"At most {limits[key]} of your matches may wait for players, or be played by "
                    "bots alone. Fill their seats first, or wait until they end.",
                    retry_after=RETRY_S,
                )

    async def _idle(self, key: str) -> int:
        """Forget the matches under a key that people play or that are over; count the others."""
        try:
            matches = [member.decode() for member in await self._work.zrange(key, 0, -1)]
            if played := await self._played(matches):
                await self._work.zrem(key, *played)
        except (RedisError, OSError):
            return 0
        return len(matches) - len(played)

    async def _played(self, matches: Sequence[str]) -> list[str]:
        """Return those that people play or that are over. Without rows none is known to be."""
        try:
            found = await self._rows.summaries(await self._rows.generation(), matches)
        except NoRows:
            return []
        return [one.match for one in found if not _is_idle(one)]

    async def _leave(self, keys: Iterable[str], match: str) -> None:
        commands = [pack(b"ZREM", key.encode(), match.encode()) for key in keys]
        if not commands:
            return
        try:
            await exchange(self._work, commands)
        except (RedisError, OSError):
            return


def _is_idle(summary: Summary) -> bool:
    """Return whether a match waits for players, or is one that bots alone play."""
    if summary.status == "waiting":
        return True
    return summary.status == "running" and not any(one.player for one in summary.sitters)
