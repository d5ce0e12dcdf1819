"""The feed: which match has come to which version, for those who follow all matches.

It lives in the work Redis and may be lost: an announcement is a hint to look at the log. It goes out before the
append, so that a crash between the two hides no record. Announcements of commands that come together share a
pipeline, as the appends do. What can't be announced is announced later: the log does not wait for the feed.
"""

import asyncio
import zlib
from collections.abc import Iterable
from typing import Any, NamedTuple

import structlog
from redis.exceptions import RedisError

PARTITIONS = 8
KEPT = 10_000
"""Entries per partition; who falls further behind refolds from the logs."""
BATCH_MAX = 256
PAGE = 500
"""Announcements read at once from a partition."""
QUIET_S = 1.0
"""Seconds without a try after a failure."""

START = b"0-0"

log = structlog.get_logger("shiplog")


Positions = dict[bytes, bytes]
"""By partition, the last announcement that was read."""


class FellBehind(Exception):
    """Announcements after a position are gone: only the logs know what has happened since."""


class Announcement(NamedTuple):
    """A match is about to come to a version."""

    match: str
    version: int


class Feed:
    """Both ends of the feed."""

    def __init__(self, client: Any) -> None:
        """Work on an asyncio client of the work Redis, giving bytes."""
        self._client = client
        self._waiting: list[tuple[Announcement, asyncio.Future[None]]] = []
        self._sender: asyncio.Task[None] | None = None
        self._missed: dict[str, int] = {}
        """What could not be announced: by match, the last version."""
        self._quiet: asyncio.Task[None] | None = None

    async def announce(self, match: str, version: int) -> None:
        """Announce a version; returns also when the feed can't be reached."""
        if self._quiet is not None:
            self._missed[match] = version
            return
        done = asyncio.get_running_loop().create_future()
        self._waiting.append((Announcement(match, version), done))
        if self._sender is None:
            self._sender = asyncio.create_task(self._send())
        await done

    async def aclose(self) -> None:
        """Stop trying to announce what was missed, and see the rest out."""
        if self._quiet is not None:
            self._quiet.cancel()
        tasks = [task for task in (self._quiet, self._sender) if task is not None]
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _send(self) -> None:
        while self._waiting:
            batch, self._waiting = self._waiting[:BATCH_MAX], self._waiting[BATCH_MAX:]
            announcements = [announcement for announcement, _ in batch]
            try:
                await self._write(announcements)
            except (RedisError, OSError) as error:
                log.warning("feed", error=type(error).__name__)
                self._missed.update(announcements)
                self._quiet = self._quiet or asyncio.create_task(self._make_up())
            for _, done in batch:
                if not done.done():
                    done.set_result(None)
        self._sender = None

    async def _make_up(self) -> None:
        """Announce what was missed as soon as that goes."""
        while self._missed:
            await asyncio.sleep(QUIET_S)
            missed, self._missed = self._missed, {}
            try:
                await self._write(Announcement(*one) for one in missed.items())
            except (RedisError, OSError):
                self._missed = missed | self._missed
        self._quiet = None

    async def _write(self, announcements: Iterable[Announcement]) -> None:
        """Write one entry for each partition: matches and versions, with spaces between."""
        parts: dict[str, list[Announcement]] = {}
        for announcement in announcements:
            parts.setdefault(key_of(announcement.match), []).append(announcement)
        pipeline = self._client.pipeline(transaction=False)
        for key, part in parts.items():
            fields = {
                b"m": " ".join(one.match for one in part),
                b"v": " ".join(str(one.version) for one in part),
            }
            pipeline.xadd(key, fields, maxlen=KEPT, approximate=True)
        await pipeline.execute()

    async def read(self, positions: Positions, wait_ms: int) -> list[Announcement]:
        """Give what was announced after the positions, and move them on; [] when nothing comes for a while.

        Raises `FellBehind`, and what the client raises.
        """
        found = await self._client.xread(positions, count=PAGE, block=wait_ms)
        batch: list[Announcement] = []
        for key, entries in found:
            if len(entries) == PAGE and await self._has_lost(key, positions[key]):
                raise FellBehind
            batch += (
                Announcement(match.decode(), int(version))
                for _, fields in entries
                for match, version in zip(fields[b"m"].split(), fields[b"v"].split(), strict=True)
            )
            positions[key] = entries[-1][0]
        return batch

    async def _has_lost(self, key: bytes, position: bytes) -> bool:
        """Tell whether announcements right after a position may have been trimmed."""
        first = await self._client.xrange(key, count=1)
        if not first or order(first[0][0]) <= order(position):
            return False
        return position != START or await self._client.xlen(key) >= KEPT

    async def ends(self) -> Positions:
        """Give the present end of every partition: concrete, so that nothing slips through between two reads."""
        ends: Positions = {}
        for key in starts():
            last = await self._client.xrevrange(key, count=1)
            ends[key] = last[0][0] if last else START
        return ends


def starts() -> Positions:
    """Give the positions before everything."""
    return {f"feed:{partition}".encode(): START for partition in range(PARTITIONS)}


async def oldest_unread(client: Any, positions: Positions) -> int | None:
    """Tell when the oldest announcement after the positions was made, in microseconds; None if all were read."""
    pipeline = client.pipeline(transaction=False)
    for key, start in starts().items():
        pipeline.xrange(key, f"({positions.get(key, start).decode()}", count=1)
    firsts = [entries[0][0] for entries in await pipeline.execute() if entries]
    return min((order(first)[0] * 1_000 for first in firsts), default=None)


def earlier(position: bytes, seconds: int) -> bytes:
    """Give a position so many seconds before another."""
    millis, _ = order(position)
    return f"{max(0, millis - seconds * 1_000)}-0".encode()


def order(position: bytes) -> tuple[int, int]:
    """Give what positions are ordered by."""
    millis, _, sequence = position.partition(b"-")
    return int(millis), int(sequence)


def key_of(match: str) -> str:
    """Give the stream that a match is announced in."""
    return f"feed:{zlib.crc32(match.encode()) % PARTITIONS}"
