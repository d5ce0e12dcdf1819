"""Logs in Redis 6.2 or later, Valkey, or a Redis Cluster.

Each match is a stream. Only plain commands on single keys are sent. A record is one stream entry.
Because of its explicit id `0-<version>` the server refuses a version that exists.
`events.append_writer` groups appends and resolves unknown outcomes.
`events.redis_documents` has the documents beside the logs.
"""

import asyncio
from collections.abc import AsyncIterator, Sequence
from typing import Any, Self

import msgspec
from redis.asyncio import BlockingConnectionPool
from redis.asyncio.retry import Retry
from redis.backoff import ExponentialBackoff
from redis.exceptions import RedisClusterException, RedisError, ResponseError
from redis.maint_notifications import MaintNotificationsConfig

from events.append_lane import Limits, Write, sibling_key, touch_commands
from events.append_writer import OnBatch, Writer
from events.chain import Head
from events.cluster_writers import ClusterWriters
from events.codec import MALFORMED
from events.connection import (
    Epochs,
    append_connections,
    client_of,
    cluster_client,
    pack,
    parse_url,
)
from events.redis_documents import RedisDocuments
from events.redis_version import OLDEST, dotted, is_too_old
from events.store import Document, Kind, NotDurable, Unavailable

LOG = "log:"
PAGE = 1_000
"""Maximum number of records per XRANGE, so that a long log does not block the server."""

TOGETHER = 100
"""Number of logs that are read together."""

HEADS = msgspec.json.Encoder()
HEAD = msgspec.json.Decoder(Head)

REWRITE_LOOK_S = 0.5
"""Interval of checks whether a rewrite is complete (seconds)."""
READ_TRIES = 12
"""Attempts of a read. They take about two seconds: enough for a server to restart."""

DURABLE = {
    "appendonly": "yes",
    "appendfsync": "always",
    "no-appendfsync-on-rewrite": "no",
    "maxmemory-policy": "noeviction",
    "aof-load-truncated": "no",
}
"""Settings of Redis without which an acknowledged record may be lost."""


class RedisStore:
    """A `Store` in Redis. Use it within one event loop and close it."""

    def __init__(
        self,
        url: str,
        limits: Limits | None = None,
        on_batch: OnBatch | None = None,
    ) -> None:
        """Prepare the connections. Nothing is sent yet.

        `url` is `redis://`, `rediss://`, `unix://`, the path of a socket, or `redis+cluster://`
        (`?cluster=1` works as well). `on_batch` is called with the size and the duration
        (seconds) of every batch of appends.
        """
        self.limits = limits = limits or Limits()
        self._epochs = Epochs()
        self._read_in = 0
        """Number of the epoch in which the connections for reads were opened."""
        self._closing = asyncio.Lock()
        self._reads = asyncio.Semaphore(limits.read_connections)
        url, self.clustered = parse_url(url)
        retry = Retry(ExponentialBackoff(cap=0.2, base=0.02), READ_TRIES)
        quiet = MaintNotificationsConfig(enabled=False)
        self._documents = RedisDocuments(self._execute, self._send, self._scan, limits.total_s)
        self._client: Any
        if self.clustered:
            self._client = cluster_client(
                url,
                retry=retry,
                socket_timeout=limits.reply_s,
                socket_connect_timeout=limits.connect_s,
                maint_notifications_config=quiet,
            )
            self._writer = ClusterWriters(self._client, self._epochs, limits, on_batch)
            return
        pool = BlockingConnectionPool.from_url(  # pyright: ignore[reportUnknownMemberType]
            url,
            max_connections=limits.read_connections,
            timeout=limits.total_s,
            retry=retry,
            socket_timeout=limits.reply_s,
            socket_connect_timeout=limits.connect_s,
            redis_connect_func=self._epochs.handshake,
            driver_info=None,
            maint_notifications_config=quiet,
        )
        self._client = client_of(pool)
        connections = append_connections(url, self._epochs, limits.connect_s, limits.connections)
        self._writer = Writer(connections, self._epochs, limits, None, on_batch)

    async def __aenter__(self) -> Self:
        """Return the store. Connections are opened when they are needed."""
        return self

    async def __aexit__(self, *_: object) -> None:
        """Close the store."""
        await self.aclose()

    async def aclose(self) -> None:
        """Finish pending appends, and close all connections."""
        await self._writer.aclose()
        await self._client.aclose()

    async def append(
        self,
        match: str,
        version: int,
        data: bytes,
        before: bytes = b"",
        head: Head | None = None,
    ) -> None:
        """Append a record and wait until it is on disk. Raises `Taken`, `Gap`, `Unavailable`.

        If the caller is cancelled, the write goes on.
        """
        assert version >= 1, "versions count from 1"
        key = f"{LOG}{match}".encode()
        kept = () if head is None else (b"h", HEADS.encode(head))
        entry = (b"0-%d" % version, b"r", data, *kept)
        words = (b"XADD", key) if version == 1 else (b"XADD", key, b"NOMKSTREAM")
        await self._write(key, pack(*words, *entry), version, data, before)

    async def confirm(self, match: str) -> None:
        """Wait until the required number of replicas has the log of a match.

        Raises `Unavailable`.
        """
        if self.limits.replicas:
            key = sibling_key(f"{LOG}{match}".encode())
            for command in touch_commands(key):
                await self._write(key, command)

    async def read(self, match: str, after: int = 0, count: int | None = None) -> list[bytes]:
        """Return the bytes of the records after version `after`, in order, at most `count`.

        Returns an empty list for an unknown match. Raises `Unavailable`.
        """
        lines: list[bytes] = []
        while count is None or len(lines) < count:
            page = PAGE if count is None else min(PAGE, count - len(lines))
            start = f"0-{after + len(lines) + 1}"
            entries = await self._execute("XRANGE", LOG + match, start, "+", "COUNT", page)
            lines += [fields.get(b"r", b"") for _, fields in entries]
            if len(entries) < page:
                break
        return lines

    async def read_many(
        self, matches: Sequence[str], count: int | None = None
    ) -> dict[str, list[bytes]]:
        """Return the records of logs, by match, at most `count` of each. Raises `Unavailable`.

        Logs that take calls of their own are left out: long ones, and unknown ones.
        """
        page = min(count or PAGE, PAGE)
        found: dict[str, list[bytes]] = {}
        for start in range(0, len(matches), TOGETHER):
            some = matches[start : start + TOGETHER]
            commands = [("XRANGE", LOG + match, "-", "+", "COUNT", page) for match in some]
            for match, entries in zip(some, await self._execute_all(commands), strict=True):
                if entries and (count == page or len(entries) < page):
                    found[match] = [fields.get(b"r", b"") for _, fields in entries]
        return found

    async def head(self, match: str, version: int) -> Head | None:
        """Return the signed head that was kept with a record, if any. Raises `Unavailable`."""
        place = f"0-{version}"
        entries = await self._execute("XRANGE", LOG + match, place, place)
        try:
            return HEAD.decode(entries[0][1][b"h"]) if entries else None
        except (KeyError, *MALFORMED):
            return None

    async def lengths(self, matches: Sequence[str]) -> dict[str, int]:
        """Return the number of records of each match. Raises `Unavailable`.

        Needs an account that may send XLEN, such as the auditor's.
        """
        found: dict[str, int] = {}
        for start in range(0, len(matches), PAGE):
            some = matches[start : start + PAGE]
            commands = [("XLEN", LOG + match) for match in some]
            found |= zip(some, await self._execute_all(commands), strict=True)
        return found

    def matches(self) -> AsyncIterator[str]:
        """Yield the ids of all matches, unordered, each at least once. Raises `Unavailable`."""
        return self._scan(LOG, "STREAM")

    def documents(self, kind: Kind) -> AsyncIterator[str]:
        """Yield the ids of all documents of a kind, unordered, each at least once.

        Raises `Unavailable`.
        """
        return self._documents.names(kind)

    async def forget(self, match: str) -> None:
        """Remove the talk and the log of a match. The caller must have archived the log.

        Needs the archiver's account. Raises `Unavailable`.
        """
        await self._documents.remove("talk", match)
        key = f"{LOG}{match}".encode()
        await self._write(key, pack(b"UNLINK", key))

    async def put_document(
        self, kind: Kind, name: str, data: bytes, before: Document | None = None
    ) -> Document:
        """Overwrite a document as it was read before, and wait until it is on disk.

        Raises `Taken` if it has been written in the meantime. Raises `Unavailable`: the write may
        still arrive later, unless another one is faster.
        """
        return await self._documents.put(kind, name, data, before)

    async def document(self, kind: Kind, name: str) -> Document | None:
        """Read a document; None if there is none. Raises `Unavailable`."""
        return await self._documents.get(kind, name)

    async def epoch(self) -> str:
        """Return the id of the server's current epoch, as observed by the last connection.

        Raises `Unavailable`. Once a connection exists, nothing is sent. An append that was decided
        in an earlier epoch is checked against the log before it is written, so it is safe to
        notice a new epoch late.
        """
        if not self._epochs.epoch:
            if self.clustered:
                await self._observe_all()
            else:
                await self._execute("PING")
        return self._epochs.epoch

    async def check_durability(self, *, weaker_allowed: bool = False) -> list[str]:
        """Check the durability settings of every server, and return a message for each wrong one.

        Raises `NotDurable` if a setting is wrong, unless `weaker_allowed`, or if a server is too
        old. Raises `Unavailable`.
        """
        for info in (await self._execute_on_all("INFO", "server")).values():
            version = str(info["redis_version"])
            if is_too_old(version):
                raise NotDurable(f"Redis is {version}, must be {dotted(OLDEST)} or later")
        wrong: list[str] = []
        for name, wanted in DURABLE.items():
            try:
                replies = await self._execute_on_all("CONFIG GET", name)
            except ResponseError as error:
                wrong.append(f"{name} cannot be read ({error})")
                continue
            for server, reply in replies.items():
                found = reply.get(name, "unknown")
                if found != wanted:
                    where = f" on {server}" if self.clustered else ""
                    wrong.append(f"{name} is {found}{where}, must be {wanted}")
        if wrong and not weaker_allowed:
            raise NotDurable("; ".join(wrong))
        return wrong

    async def info(self) -> dict[str, dict[str, Any]]:
        """Return the INFO of every primary server, by its name. Raises `Unavailable`."""
        return await self._execute_on_all("INFO")

    async def rewrite(self) -> None:
        """Have every server, replicas too, rewrite its append file, and wait until all have.

        What was overwritten or removed is then in no file. Needs the archiver's account. Raises
        `Unavailable`, also if a rewrite fails.
        """
        try:
            await self._execute_on_all("BGREWRITEAOF", replicas=True)
            while await self._is_rewriting():  # noqa: ASYNC110 - polls
                await asyncio.sleep(REWRITE_LOOK_S)
        except ResponseError as error:
            raise _unavailable(error) from None

    async def _is_rewriting(self) -> bool:
        """Return whether a server rewrites its file. Raises `Unavailable` if that failed."""
        told = await self._execute_on_all("INFO", "persistence", replicas=True)
        for info in told.values():
            if int(info["aof_rewrite_in_progress"]) or int(info["aof_rewrite_scheduled"]):
                return True
            if info["aof_last_bgrewrite_status"] != "ok":
                raise Unavailable("The rewrite of the append file failed: see its server's log.")
        return False

    async def _write(
        self, key: bytes, command: bytes, version: int = 0, data: bytes = b"", before: bytes = b""
    ) -> None:
        await self._send(Write(key, command, version, data, before, self.limits.total_s))

    async def _send(self, write: Write) -> None:
        self._writer.submit(write)
        if (error := await write.done) is not None:
            raise error

    async def _execute(self, *words: Any) -> Any:
        try:
            async with asyncio.timeout(self.limits.total_s), self._reads:
                while True:
                    changes = await self._current_epoch()
                    reply = await self._client.execute_command(*words)
                    if changes == self._epochs.changes:
                        return reply
        except (RedisError, RedisClusterException, OSError) as error:
            raise _unavailable(error) from None

    async def _execute_all(self, commands: Sequence[tuple[Any, ...]]) -> list[Any]:
        """Send commands together, and return their replies."""
        try:
            async with asyncio.timeout(self.limits.total_s), self._reads:
                while True:
                    changes = await self._current_epoch()
                    async with self._client.pipeline(transaction=False) as pipeline:
                        for words in commands:
                            pipeline.execute_command(*words)
                        replies = await pipeline.execute()
                    if changes == self._epochs.changes:
                        return replies
        except (RedisError, RedisClusterException, OSError) as error:
            raise _unavailable(error) from None

    async def _current_epoch(self) -> int:
        """Return the number of the epoch, and close connections that were opened in an earlier one.

        They may lead to a server that has been replaced, and that still answers.
        """
        while self._read_in != (changes := self._epochs.changes):
            async with self._closing:
                if self._read_in != changes and not self.clustered:
                    await self._client.connection_pool.disconnect()
                self._read_in = changes
        return self._read_in

    async def _scan(self, prefix: str, kind: str) -> AsyncIterator[str]:
        try:
            async for key in self._client.scan_iter(match=prefix + "*", count=1_000, _type=kind):
                yield key.decode().removeprefix(prefix)
        except (RedisError, RedisClusterException, OSError) as error:
            raise _unavailable(error) from None

    async def _observe_all(self) -> None:
        for server, info in (await self._execute_on_all("INFO", "server")).items():
            self._epochs.observe(server, str(info["run_id"]))

    async def _execute_on_all(
        self, *words: Any, replicas: bool = False
    ) -> dict[str, dict[str, Any]]:
        """Send a command to every primary server, and with `replicas` to these as well.

        Raises `ResponseError`, `Unavailable`.
        """
        try:
            async with asyncio.timeout(self.limits.total_s):
                if not self.clustered:
                    return {"": await self._client.execute_command(*words)}
                await self._client.initialize()
                nodes = self._client.get_nodes() if replicas else self._client.get_primaries()
                return {
                    node.name: await self._client.execute_command(*words, target_nodes=node)
                    for node in nodes
                }
        except ResponseError:
            raise
        except (RedisError, RedisClusterException, OSError) as error:
            raise _unavailable(error) from None


def _unavailable(error: Exception) -> Unavailable:
    return Unavailable(str(error) or type(error).__name__)
