"""Send one batch of writes on one connection, read the replies in order, and settle each write.

A write that may have been sent is never assumed lost. It is sent again, with the same bytes and
the same id. If the server then refuses the id, the stored record is read and compared. Reading
alone would not be enough, because the first attempt may still arrive. The caller must retry any
write that a batch leaves open.
"""

import asyncio
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any

import msgspec
from redis.exceptions import AskError, ReadOnlyError
from redis.exceptions import ConnectionError as RedisConnectionError

from events.connection import Epochs, RawConnection, pack, reply_reader
from events.store import Gap, StoreError, Taken, Unavailable

ASKING = pack(b"ASKING")
REFUSED_ID = "equal or smaller"
"""Part of the server's error for an id that is not higher than the last one."""


class Limits(msgspec.Struct, frozen=True):
    """Time-outs and sizes."""

    total_s: float = 10.0
    """Time from submitting a write until it fails as `Unavailable` (seconds)."""
    reply_s: float = 5.0
    """Time after which a silent connection is replaced (seconds)."""
    connect_s: float = 2.0
    """Time-out for connecting (seconds)."""
    connections: int = 4
    """Connections for appends to each server."""
    batch_count: int = 512
    """Maximum number of writes in a batch."""
    batch_bytes: int = 16 << 10
    """Size at which a batch is full (bytes). Redis reads this much of a connection at once, so a
    larger batch would not share one fsync. Batches on other connections do share it."""
    waiting: int = 20_000
    """Maximum number of writes in the queue. Further writes are refused."""
    replicas: int = 0
    """Replicas that must have a write before it is acknowledged (WAIT)."""
    replicas_ms: int = 1_000
    """Time that the replicas have for that (milliseconds)."""
    read_connections: int = 16
    """Maximum number of connections for reads."""


class Write:
    """A write command and its outcome. Version 0 marks a command that may simply be repeated."""

    __slots__ = (
        "asking",
        "before",
        "command",
        "data",
        "done",
        "expires",
        "key",
        "open",
        "reroutes",
        "tries",
        "version",
    )

    def __init__(
        self,
        key: bytes,
        command: bytes,
        version: int,
        data: bytes,
        before: bytes,
        seconds: float,
    ) -> None:
        """Create a write that fails unless it is settled within `seconds`."""
        loop = asyncio.get_running_loop()
        self.key = key
        self.command = command
        self.version = version
        self.data = data
        self.before = before
        """The record before, on which this one was decided."""
        self.done: asyncio.Future[StoreError | None] = loop.create_future()
        self.expires = loop.time() + seconds
        self.open = True
        """Whether the outcome is still unknown."""
        self.tries = 0
        """Number of attempts in which the command may have reached a server."""
        self.reroutes = 0
        """Number of times that the write was directed to another server."""
        self.asking = False
        """Whether the slot is just being moved to the server that the write is sent to."""

    def settle(self, outcome: StoreError | None) -> None:
        """Set the outcome. Does nothing more if the caller no longer waits for it."""
        self.open = False
        if not self.done.done():
            self.done.set_result(outcome)


class TooFewReplicas(Exception):
    """A batch is on this server's disk, but fewer replicas than requested have it."""


Reroute = Callable[[list[Write], Exception], None]
"""Takes over writes that a server cannot accept, with the error that it answered."""


class Lane:
    """One connection for appends, used for one batch at a time."""

    def __init__(
        self, connection: RawConnection, epochs: Epochs, limits: Limits, reroute: Reroute | None
    ) -> None:
        """Use a connection, which is opened when it is needed.

        `reroute` receives the writes that belong to another server. Without it they fail.
        """
        self.connection = connection
        self._epochs = epochs
        self._limits = limits
        self._reroute = reroute
        self._changes = 0
        """Number of the epoch in which the connection was opened."""
        self._seconds = limits.reply_s + (limits.replicas_ms / 1000 if limits.replicas else 0)

    async def write(self, batch: Sequence[Write]) -> None:
        """Send a batch and settle its writes.

        Raises whatever went wrong. Writes whose outcome is unknown then stay open.
        """
        async with asyncio.timeout(self._seconds):
            await self._write(batch)

    async def disconnect(self) -> None:
        """Close the connection at once. The next batch opens it again."""
        with suppress(Exception):
            await self.connection.disconnect(nowait=True)

    async def _write(self, batch: Sequence[Write]) -> None:
        if self._changes != self._epochs.changes:
            await self.disconnect()
        if not self.connection.is_connected:
            await self.connection.connect()
            self._changes = self._epochs.changes
        if self._epochs.changes:
            await self._check_predecessors(batch)
            batch = [write for write in batch if write.open]
        for write in batch:
            write.tries += 1
        replies = await self._exchange(batch, [write.command for write in batch])
        written: list[Write] = []
        refused: list[tuple[Write, Exception]] = []
        for write, reply in zip(batch, replies, strict=True):
            if isinstance(reply, Exception):
                refused.append((write, reply))
            elif reply is None and write.version > 1:
                write.settle(Gap(f"{_name(write)} has no records"))
            else:
                written.append(write)
        touched = bool(written)
        if refused:
            written += await self._resolve(refused)
        if self._limits.replicas and written:
            await self._wait_for_replicas(written, touched=touched)
        for write in written:
            if write.version:
                self._epochs.mark_verified(write.key, write.data)
            write.settle(None)

    async def _check_predecessors(self, batch: Sequence[Write]) -> None:
        """Check that each write follows from the last record that the server has now.

        The write may have been decided before a restart or failover that lost records.
        """
        epochs = self._epochs
        unverified = [
            write
            for write in batch
            if write.version > 1 and epochs.verified.get(write.key) != write.before
        ]
        probes = [_probe(write, write.version - 1) for write in unverified]
        replies = await self._exchange(unverified, probes)
        for write, found in zip(unverified, replies, strict=True):
            if isinstance(found, Exception):
                self._reject(write, found)
            elif found and _record(found) == write.before:
                epochs.mark_verified(write.key, write.before)
            else:
                why = f"lacks the record that version {write.version} was decided on"
                write.settle(Gap(f"{_name(write)} {why}"))

    async def _resolve(self, refused: Sequence[tuple[Write, Exception]]) -> list[Write]:
        """Settle refused writes, and return those that turn out to be stored already."""
        uncertain: list[tuple[Write, Exception]] = []
        for write, error in refused:
            moved = isinstance(error, AskError)
            if not moved and write.version and (write.tries > 1 or REFUSED_ID in str(error)):
                uncertain.append((write, error))
            else:
                self._reject(write, error)
        writes = [write for write, _ in uncertain]
        probes = [_probe(write, write.version) for write in writes]
        written: list[Write] = []
        replies = await self._exchange(writes, probes)
        for (write, error), found in zip(uncertain, replies, strict=True):
            if isinstance(found, Exception):
                self._reject(write, found)
            elif found and _record(found) == write.data:
                written.append(write)
            elif found:
                why = f"already has another record at version {write.version}"
                write.settle(Taken(f"{_name(write)} {why}"))
            elif REFUSED_ID in str(error):
                why = f"has later records, but none at version {write.version}"
                write.settle(Gap(f"{_name(write)} {why}"))
            else:
                self._reject(write, error)
        if any(isinstance(error, ReadOnlyError) for _, error in refused):
            await self.disconnect()
        return written

    async def _wait_for_replicas(self, written: Sequence[Write], *, touched: bool) -> None:
        """Wait until enough replicas have what was written. Raises `TooFewReplicas`.

        WAIT covers the writes of this connection up to its last one. If the batch itself wrote
        nothing (`touched` is false), a write without effect is sent first.
        """
        if not touched:
            touches = touch_commands(sibling_key(written[0].key))
            _raise(await self._exchange([written[0]] * len(touches), touches))
        wait = pack(b"WAIT", b"%d" % self._limits.replicas, b"%d" % self._limits.replicas_ms)
        count = await self._exchange(written[:1], [wait])
        _raise(count)
        if count[0] < self._limits.replicas:
            raise TooFewReplicas(f"{count[0]} of {self._limits.replicas} replicas have the record")

    async def _exchange(self, writes: Sequence[Write], commands: Sequence[bytes]) -> list[Any]:
        """Send one command for each write and return the replies, with server errors as values.

        Raises `RedisConnectionError` if an epoch has begun since the connection was opened: it may
        lead to a server that has been replaced, and that still answers.
        """
        if not writes:
            return []
        self._require_current()
        pairs = zip(writes, commands, strict=True)
        wire = [ASKING + command if write.asking else command for write, command in pairs]
        await self.connection.send_packed_command([b"".join(wire)])
        read = reply_reader(self.connection)
        replies: list[Any] = []
        for write in writes:
            if write.asking:
                await read()
            replies.append(await read())
        self._require_current()
        return replies

    def _require_current(self) -> None:
        if self._changes != self._epochs.changes:
            raise RedisConnectionError("Connection opened before a restart or failover.")

    def _reject(self, write: Write, error: Exception) -> None:
        """Settle a write that the server refused, or redirect it as the server asks."""
        if isinstance(error, AskError) and self._reroute is not None:
            self._reroute([write], error)
        else:
            write.settle(Unavailable(f"{outcome(sent=write.tries > 1)}: {error}"))


def outcome(*, sent: bool) -> str:
    """Describe what is known of a failed write that was or was not sent."""
    return "the outcome of the write is unknown" if sent else "nothing was written"


def sibling_key(key: bytes) -> bytes:
    """Return the name of a meaningless key that lies on the same server as `key`."""
    return b"wait:{" + key + b"}"


def touch_commands(key: bytes) -> tuple[bytes, bytes]:
    """Encode two writes without effect, for WAIT to refer to.

    Unlike SET and DEL, they are refused for a stream, so the account that may send them can
    neither replace nor remove a log.
    """
    return pack(b"GETSET", key, b"1"), pack(b"GETDEL", key)


def _name(write: Write) -> str:
    return write.key.decode(errors="replace")


def _probe(write: Write, version: int) -> bytes:
    entry_id = b"0-%d" % version
    return pack(b"XRANGE", write.key, entry_id, entry_id)


def _record(found: list[Any]) -> bytes:
    """Return the record's bytes from XRANGE's reply of one entry."""
    return found[0][1][1]


def _raise(replies: Sequence[Any]) -> None:
    for reply in replies:
        if isinstance(reply, Exception):
            raise reply
