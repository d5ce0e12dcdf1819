"""The feed: announces new versions of all matches.

It is in the work Redis and may be lost, since an announcement is only a hint to read the log. It
precedes the append, so that a crash between the two hides no record. Announcements made together
share a pipeline, as the appends do. If the feed is unreachable, announcements are made up for
later: the log does not wait for the feed.
"""

import asyncio
import zlib
from collections.abc import Iterable
from typing import Any, NamedTuple

import structlog

from events.connection import exchange, pack

PARTITIONS = 8
KEPT = 10_000
"""Number of entries in a partition. Readers that are further behind refold from the logs."""
BATCH_MAX = 256
PAGE = 500
"""Maximum number of entries in one read of a partition."""
ANSWER_S = 1.5
"""Time that commands wait for the feed (seconds)."""
QUIET_S = 1.0
"""Pause after a failure (seconds)."""
OVERLAP_S = 15
"""Part of the feed that readers read again at a start, as its records may have followed later
(seconds).
"""

START = b"0-0"
TRIMMED = (b"MAXLEN", b"~", b"%d" % KEPT, b"*")
"""Options of an entry: its partition is trimmed, and the server chooses its id."""

log = structlog.get_logger("shiplog")


Positions = dict[bytes, bytes]
"""The last entry read, by partition."""


class FellBehind(Exception):
    """Announcements after a position are lost; only the logs know what has happened since."""


class Announcement(NamedTuple):
    """A match that is about to reach a version."""

    match: str
    version: int


class Feed:
    """Writes and reads the feed."""

    def __init__(self, client: Any) -> None:
        """Use an asyncio client of the work Redis (of bytes)."""
        self._client = client
        self._waiting: list[tuple[Announcement, asyncio.Future[None]]] = []
        self._sender: asyncio.Task[None] | None = None
        self._missed: dict[str, int] = {}
        """The last version that could not be announced, by match."""
        self._quiet: asyncio.Task[None] | None = None

    async def announce(self, match: str, version: int) -> None:
        """Announce a version. Does not raise if the feed is unreachable."""
        if self._quiet is not None:
            self._missed[match] = version
            return
        done = asyncio.get_running_loop().create_future()
        self._waiting.append((Announcement(match, version), done))
        if self._sender is None:
            self._sender = asyncio.create_task(self._send())
        await done

    async def aclose(self) -> None:
        """Stop repeating announcements, and wait for those under way."""
        if self._quiet is not None:
            self._quiet.cancel()
        tasks = [task for task in (self._quiet, self._sender) if task is not None]
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _send(self) -> None:
        """Send what waits, and release whoever waits, whatever happens."""
        try:
            while self._waiting:
                batch, self._waiting = self._waiting[:BATCH_MAX], self._waiting[BATCH_MAX:]
                await self._send_batch(batch)
        finally:
            self._sender = None

    async def _send_batch(self, batch: Iterable[tuple[Announcement, asyncio.Future[None]]]) -> None:
        announcements = [announcement for announcement, _ in batch]
        try:
            async with asyncio.timeout(ANSWER_S):
                await self._write(announcements)
        except Exception as error:  # noqa: BLE001 - the log must go on after any failure
            log.warning("feed", error=type(error).__name__, why=str(error))
            self._missed.update(announcements)
            self._quiet = self._quiet or asyncio.create_task(self._make_up())
        finally:
            for _, done in batch:
                if not done.done():
                    done.set_result(None)

    async def _make_up(self) -> None:
        """Repeat missed announcements until the feed is reachable."""
        while self._missed:
            await asyncio.sleep(QUIET_S)
            missed, self._missed = self._missed, {}
            try:
                await self._write(Announcement(*one) for one in missed.items())
            except Exception:  # noqa: BLE001 - it must go on; the first failure was logged
                self._missed = missed | self._missed
        self._quiet = None

    async def _write(self, announcements: Iterable[Announcement]) -> None:
        """Append one entry to each partition: matches and versions, separated by spaces."""
        parts: dict[str, list[Announcement]] = {}
        for announcement in announcements:
            parts.setdefault(key_of(announcement.match), []).append(announcement)
        commands: list[bytes] = []
        for key, part in parts.items():
            matches = " ".join([one.match for one in part]).encode()
            versions = " ".join([str(one.version) for one in part]).encode()
            commands.append(pack(b"XADD", key.encode(), *TRIMMED, b"m", matches, b"v", versions))
        await exchange(self._client, commands)

    async def read(self, positions: Positions, wait_ms: int) -> list[Announcement]:
        """Return the announcements after the positions, and advance these; [] after a quiet time.

        Raises `FellBehind`, `RedisError`.
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
        """Return whether announcements right after a position may have been trimmed."""
        first = await self._client.xrange(key, count=1)
        if not first or order(first[0][0]) <= order(position):
            return False
        return position != START or await self._client.xlen(key) >= KEPT

    async def ends(self) -> Positions:
        """Return the present end of every partition, as ids, so that no announcement is missed."""
        pipeline = self._client.pipeline(transaction=False)
        for key in starts():
            pipeline.xrevrange(key, count=1)
        lasts = await pipeline.execute()
        return {
            key: last[0][0] if last else START for key, last in zip(starts(), lasts, strict=True)
        }


def starts() -> Positions:
    """Return the positions before all announcements."""
    return {f"feed:{partition}".encode(): START for partition in range(PARTITIONS)}


async def oldest_unread(client: Any, positions: Positions) -> int | None:
    """Return the time of the oldest unread announcement (microseconds); None if all were read."""
    pipeline = client.pipeline(transaction=False)
    for key, start in starts().items():
        pipeline.xrange(key, f"({positions.get(key, start).decode()}", count=1)
    firsts = [entries[0][0] for entries in await pipeline.execute() if entries]
    return min((order(first)[0] * 1_000 for first in firsts), default=None)


def overlapping(positions: Positions) -> Positions:
    """Return positions that are `OVERLAP_S` earlier."""
    millis = {key: order(position)[0] - OVERLAP_S * 1_000 for key, position in positions.items()}
    return {key: f"{max(0, start)}-0".encode() for key, start in millis.items()}


def order(position: bytes) -> tuple[int, int]:
    """Return the sort key of a position."""
    millis, _, sequence = position.partition(b"-")
    return int(millis), int(sequence)


def key_of(match: str) -> str:
    """Return the key of the partition of a match."""
    return f"feed:{zlib.crc32(match.encode()) % PARTITIONS}"
