"""Logs in Redis 6.2 or later, Valkey, or a Redis Cluster: one stream per match, one plain key per player.

Only plain commands on single keys are sent. A record is one entry; its explicit id `0-<version>` makes the server
refuse a version that exists. How appends are grouped and how unknown outcomes are resolved: `events.append_writer`.
"""

import asyncio
from collections.abc import AsyncIterator, Callable
from typing import Any, Self

from redis.asyncio import BlockingConnectionPool, Redis
from redis.asyncio.retry import Retry
from redis.backoff import ExponentialBackoff
from redis.exceptions import RedisClusterException, RedisError, ResponseError
from redis.maint_notifications import MaintNotificationsConfig

from events.append_lane import Limits, Write, beside, touch
from events.append_writer import OnBatch, Writer
from events.cluster_writers import ClusterWriters
from events.connection import Lives, append_lines, cluster_client, normal, pack
from events.store import NotDurable, Unavailable

LOG = "log:"
PLAYER = "player:"
PAGE = 1_000
"""Records read at once, so that a long log does not hold up the others."""

OLDEST = (6, 2)
"""Before that there is no NOMKSTREAM."""
READ_TRIES = 12
"""They span about two seconds, in which a server that died is up again."""

DURABLE = {
    "appendonly": "yes",
    "appendfsync": "always",
    "no-appendfsync-on-rewrite": "no",
    "maxmemory-policy": "noeviction",
    "aof-load-truncated": "no",
}
"""Settings without which an acknowledged record may be lost."""


class RedisStore:
    """A `Store` on a Redis. Use it within one event loop, and close it."""

    def __init__(
        self,
        url: str,
        limits: Limits | None = None,
        on_epoch: Callable[[str], None] | None = None,
        on_batch: OnBatch | None = None,
    ) -> None:
        """Prepare for a server; nothing is sent yet.

        The URL is `redis://`, `rediss://`, `unix://`, a socket's path, or `redis+cluster://` (also `?cluster=1`).
        `on_epoch` is called with the new epoch when a reconnection meets another life of the server, `on_batch` with
        the size and the seconds of every batch of appends.
        """
        self.limits = limits = limits or Limits()
        self._lives = Lives(on_epoch)
        self._reads = asyncio.Semaphore(limits.read_connections)
        url, self.clustered = normal(url)
        retry = Retry(ExponentialBackoff(cap=0.2, base=0.02), READ_TRIES)
        quiet = MaintNotificationsConfig(enabled=False)
        self._client: Any
        if self.clustered:
            self._client = cluster_client(
                url,
                retry=retry,
                socket_timeout=limits.reply_s,
                socket_connect_timeout=limits.connect_s,
                maint_notifications_config=quiet,
            )
            self._writer = ClusterWriters(self._client, self._lives, limits, on_batch)
            return
        pool = BlockingConnectionPool.from_url(  # pyright: ignore[reportUnknownMemberType] - its options are untyped
            url,
            max_connections=limits.read_connections,
            timeout=limits.total_s,
            retry=retry,
            socket_timeout=limits.reply_s,
            socket_connect_timeout=limits.connect_s,
            redis_connect_func=self._lives.greet,
            driver_info=None,
            maint_notifications_config=quiet,
        )
        self._client = Redis.from_pool(pool)
        lines = append_lines(url, self._lives, limits.connect_s, limits.connections)
        self._writer = Writer(lines, self._lives, limits, on_batch=on_batch)

    async def __aenter__(self) -> Self:
        """Nothing to open: connections are made when needed."""
        return self

    async def __aexit__(self, *_: object) -> None:
        """Close."""
        await self.aclose()

    async def aclose(self) -> None:
        """Finish the appends under way, and close all connections."""
        await self._writer.aclose()
        await self._client.aclose()

    async def append(self, match: str, version: int, data: bytes) -> None:
        """Put a record on disk; raises `Taken`, `Gap`, `Unavailable`.

        The write goes on when the caller is cancelled.
        """
        assert version >= 1, "versions count from 1"
        key = f"{LOG}{match}".encode()
        entry = (b"0-%d" % version, b"r", data)
        words = (b"XADD", key) if version == 1 else (b"XADD", key, b"NOMKSTREAM")
        await self._write(key, pack(*words, *entry), version, data)

    async def confirm(self, match: str) -> None:
        """Return when as many replicas as asked for have what stands in a match's log; raises `Unavailable`."""
        if self.limits.replicas:
            key = beside(f"{LOG}{match}".encode())
            await self._write(key, touch(key))

    async def read(self, match: str, after: int = 0, count: int | None = None) -> list[bytes]:
        """Give the bytes of the records after a version, in order; raises `Unavailable`."""
        lines: list[bytes] = []
        while count is None or len(lines) < count:
            page = PAGE if count is None else min(PAGE, count - len(lines))
            start = f"0-{after + len(lines) + 1}"
            entries = await self._ask("XRANGE", LOG + match, start, "+", "COUNT", page)
            lines += [fields.get(b"r", b"") for _, fields in entries]
            if len(entries) < page:
                break
        return lines

    async def matches(self) -> AsyncIterator[str]:
        """Give the ids of all matches, in no order, each at least once; raises `Unavailable`."""
        async for match in self._named(LOG, "STREAM"):
            yield match

    async def players(self) -> AsyncIterator[str]:
        """Give the ids of all players, in no order, each at least once; raises `Unavailable`."""
        async for player in self._named(PLAYER, "STRING"):
            yield player

    async def forget(self, match: str) -> None:
        """Remove a match's log; whoever asks has made sure that the archive holds it."""
        key = f"{LOG}{match}".encode()
        await self._write(key, pack(b"UNLINK", key))

    async def put_player(self, player: str, data: bytes) -> None:
        """Write a player's record, on disk when it returns; raises `Unavailable`.

        The last write wins. One that was given up as `Unavailable` may still arrive.
        """
        key = f"{PLAYER}{player}".encode()
        await self._write(key, pack(b"SET", key, data))

    async def player(self, player: str) -> bytes | None:
        """Read a player's record; raises `Unavailable`."""
        return await self._ask("GET", PLAYER + player)

    async def epoch(self) -> str:
        """Give an id of the server's present life, as of the last connection made; raises `Unavailable`.

        It costs nothing once a connection was made. An append that was decided in an earlier epoch is compared with
        the log before it is written, so a late look at the epoch loses nothing.
        """
        if not self._lives.epoch:
            if self.clustered:
                await self._meet_all()
            else:
                await self._ask("PING")
        return self._lives.epoch

    async def check_durability(self, *, weaker_allowed: bool = False) -> list[str]:
        """Read the durability settings back; give each wrong one in words, [] when all are right.

        Raises `NotDurable` when there are any and they are not allowed, or for a server that is too old; and
        `Unavailable`.
        """
        for info in (await self._everywhere("INFO", "server")).values():
            version = str(info["redis_version"])
            if tuple(map(int, version.split(".")[:2])) < OLDEST:
                raise NotDurable(f"Redis is {version}, must be 6.2 or later")
        wrong: list[str] = []
        for name, wanted in DURABLE.items():
            try:
                replies = await self._everywhere("CONFIG GET", name)
            except ResponseError as error:
                wrong.append(f"{name} can't be read ({error})")
                continue
            for server, reply in replies.items():
                found = reply.get(name, "unknown")
                if found != wanted:
                    at = f" on {server}" if self.clustered else ""
                    wrong.append(f"{name} is {found}{at}, must be {wanted}")
        if wrong and not weaker_allowed:
            raise NotDurable("; ".join(wrong))
        return wrong

    async def info(self) -> dict[str, dict[str, Any]]:
        """Give what every server that takes writes says of itself, by its name; raises `Unavailable`."""
        return await self._everywhere("INFO")

    async def _write(self, key: bytes, command: bytes, version: int = 0, data: bytes = b"") -> None:
        write = Write(key, command, version, data, self.limits.total_s)
        self._writer.submit(write)
        outcome = await write.done
        if outcome is not None:
            raise outcome

    async def _ask(self, *words: Any) -> Any:
        try:
            async with asyncio.timeout(self.limits.total_s), self._reads:
                return await self._client.execute_command(*words)
        except (RedisError, RedisClusterException, OSError) as error:
            raise _unavailable(error) from None

    async def _named(self, prefix: str, kind: str) -> AsyncIterator[str]:
        try:
            async for key in self._client.scan_iter(match=prefix + "*", count=1_000, _type=kind):
                yield key.decode().removeprefix(prefix)
        except (RedisError, RedisClusterException, OSError) as error:
            raise _unavailable(error) from None

    async def _meet_all(self) -> None:
        for server, info in (await self._everywhere("INFO", "server")).items():
            self._lives.met(server, str(info["run_id"]))

    async def _everywhere(self, *words: Any) -> dict[str, dict[str, Any]]:
        """Ask every server that takes writes; raises `ResponseError`, `Unavailable`."""
        try:
            async with asyncio.timeout(self.limits.total_s):
                if not self.clustered:
                    return {"": await self._client.execute_command(*words)}
                await self._client.initialize()
                return {
                    node.name: await self._client.execute_command(*words, target_nodes=node)
                    for node in self._client.get_primaries()
                }
        except ResponseError:
            raise
        except (RedisError, RedisClusterException, OSError) as error:
            raise _unavailable(error) from None


def _unavailable(error: Exception) -> Unavailable:
    return Unavailable(str(error) or type(error).__name__)
