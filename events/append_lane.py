"""One batch of writes on one connection: sent together, read back in order, and settled.

A write that may have been sent is never given up for lost: it is sent again, the same bytes at the same id, and where
the server refuses it, what is there is read and compared. Reading alone would not do, as the first try may still
arrive. What a batch leaves open has to be tried again.
"""

import asyncio
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any

import msgspec
from redis.exceptions import AskError, ReadOnlyError, ResponseError

from events.chain import LINK
from events.codec import MALFORMED, digest
from events.connection import Line, Lives, pack
from events.store import Gap, StoreError, Taken, Unavailable

ASKING = pack(b"ASKING")
REFUSED_ID = "equal or smaller"
"""What the server says of an id that is not above the last."""


class Limits(msgspec.Struct, frozen=True):
    """How long and how much."""

    total_s: float = 10.0
    """Seconds from a write's coming to `Unavailable`."""
    reply_s: float = 5.0
    """Seconds until a silent connection is replaced."""
    connect_s: float = 2.0
    connections: int = 4
    """For appends, to each server."""
    batch_count: int = 512
    batch_bytes: int = 16 << 10
    """What the server reads of a connection at once: more would not share the fsync, but what other connections bring
    at the same time does."""
    waiting: int = 20_000
    """Writes in the queue; more are refused."""
    replicas: int = 0
    """Replicas that must have a write before it counts (WAIT)."""
    replicas_ms: int = 1_000
    """Milliseconds that they have for it."""
    read_connections: int = 16


class Write:
    """A command on its way to the disk. Version 0 is one that may simply be repeated."""

    __slots__ = (
        "asking",
        "command",
        "data",
        "detours",
        "done",
        "expires",
        "key",
        "open",
        "tries",
        "version",
    )

    def __init__(
        self, key: bytes, command: bytes, version: int, data: bytes, seconds: float
    ) -> None:
        """Prepare it, to be done within so many seconds."""
        loop = asyncio.get_running_loop()
        self.key = key
        self.command = command
        self.version = version
        self.data = data
        self.done: asyncio.Future[StoreError | None] = loop.create_future()
        self.expires = loop.time() + seconds
        self.open = True
        """The outcome is not known yet."""
        self.tries = 0
        """How often it may have been sent."""
        self.detours = 0
        """How often another server was looked for."""
        self.asking = False
        """Its slot is just moving to the server that it is sent to."""

    def settle(self, outcome: StoreError | None) -> None:
        """Tell the outcome, if somebody still waits for it."""
        self.open = False
        if not self.done.done():
            self.done.set_result(outcome)


class TooFewReplicas(Exception):
    """A batch is on this server's disk, but not yet with as many replicas as asked for."""


Elsewhere = Callable[[list[Write], Exception], None]


class Lane:
    """A connection, and what is done on it."""

    def __init__(
        self, line: Line, lives: Lives, limits: Limits, elsewhere: Elsewhere | None
    ) -> None:
        """Work on a connection, connecting when needed.

        `elsewhere` takes writes that the server says belong to another one; without it they are refused.
        """
        self.line = line
        self._lives = lives
        self._limits = limits
        self._elsewhere = elsewhere
        self._seconds = limits.reply_s + (limits.replicas_ms / 1000 if limits.replicas else 0)

    async def write(self, batch: Sequence[Write]) -> None:
        """Write a batch and settle it; raises what went wrong, and then leaves open what is not known."""
        async with asyncio.timeout(self._seconds):
            await self._write(batch)

    async def cut(self) -> None:
        """Close the connection at once; the next batch opens it again."""
        with suppress(Exception):
            await self.line.disconnect(nowait=True)

    async def _write(self, batch: Sequence[Write]) -> None:
        if not self.line.is_connected:
            await self.line.connect()
        if self._lives.changes:
            await self._check_ground(batch)
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
            write.settle(None)

    async def _check_ground(self, batch: Sequence[Write]) -> None:
        """Make sure that what may have been decided on an earlier life's log follows from this one's."""
        lives = self._lives
        doubted = [
            write for write in batch if write.version > 1 and write.key not in lives.grounded
        ]
        probes = [_probe(write, write.version - 1) for write in doubted]
        for write, found in zip(doubted, await self._exchange(doubted, probes), strict=True):
            if isinstance(found, Exception):
                self._turn_away(write, found)
            elif found and _follows(_record(found), write.data):
                lives.ground(write.key)
            else:
                write.settle(Gap(f"{_name(write)} has not the record that {write.version} follows"))

    async def _resolve(self, refused: Sequence[tuple[Write, Exception]]) -> list[Write]:
        """Settle what the server refused; give those that turn out to be written."""
        doubted: list[tuple[Write, Exception]] = []
        for write, error in refused:
            elsewhere = isinstance(error, AskError)
            if not elsewhere and write.version and (write.tries > 1 or REFUSED_ID in str(error)):
                doubted.append((write, error))
            else:
                self._turn_away(write, error)
        writes = [write for write, _ in doubted]
        probes = [_probe(write, write.version) for write in writes]
        written: list[Write] = []
        found = await self._exchange(writes, probes)
        for (write, error), there in zip(doubted, found, strict=True):
            if isinstance(there, Exception):
                self._turn_away(write, there)
            elif there and _record(there) == write.data:
                written.append(write)
            elif there:
                write.settle(Taken(f"{_name(write)} has another record {write.version}"))
            elif REFUSED_ID in str(error):
                write.settle(Gap(f"{_name(write)} has later records, but not {write.version}"))
            else:
                self._turn_away(write, error)
        if any(isinstance(error, ReadOnlyError) for _, error in refused):
            await self.cut()
        return written

    async def _wait_for_replicas(self, written: Sequence[Write], *, touched: bool) -> None:
        """Wait until replicas have what was written; raises `TooFewReplicas`.

        WAIT speaks of this connection's own last write, so there must be one after those that are in question.
        """
        if not touched:
            _raise(await self._exchange(written[:1], [touch(beside(written[0].key))]))
        wait = pack(b"WAIT", b"%d" % self._limits.replicas, b"%d" % self._limits.replicas_ms)
        count = await self._exchange(written[:1], [wait])
        _raise(count)
        if count[0] < self._limits.replicas:
            raise TooFewReplicas(f"{count[0]} of {self._limits.replicas} replicas have it")

    async def _exchange(self, writes: Sequence[Write], commands: Sequence[bytes]) -> list[Any]:
        """Send a command for each write; give the replies, with the server's errors among them."""
        if not writes:
            return []
        pairs = zip(writes, commands, strict=True)
        wire = [ASKING + command if write.asking else command for write, command in pairs]
        await self.line.send_packed_command([b"".join(wire)])
        read = self.line.read_response
        replies: list[Any] = []
        for write in writes:
            try:
                if write.asking:
                    await read()
                replies.append(await read())
            except ResponseError as error:
                replies.append(error)
        return replies

    def _turn_away(self, write: Write, error: Exception) -> None:
        """Settle a write that the server would not take, or send it where the server says."""
        if isinstance(error, AskError) and self._elsewhere is not None:
            self._elsewhere([write], error)
        else:
            known = "nothing is known to be written" if write.tries > 1 else "nothing was written"
            write.settle(Unavailable(f"{known}: {error}"))


def beside(key: bytes) -> bytes:
    """Name a key of no meaning on the server that has another one."""
    return b"wait:{" + key + b"}"


def touch(key: bytes) -> bytes:
    """Encode a write of no meaning, for WAIT to speak of."""
    return pack(b"SET", key, b"1", b"EX", b"60")


def _name(write: Write) -> str:
    return write.key.decode(errors="replace")


def _probe(write: Write, version: int) -> bytes:
    place = b"0-%d" % version
    return pack(b"XRANGE", write.key, place, place)


def _record(found: list[Any]) -> bytes:
    """Give the bytes in XRANGE's reply of one entry."""
    return found[0][1][1]


def _follows(before: bytes, data: bytes) -> bool:
    try:
        return LINK.decode(data).prev == digest(before)
    except MALFORMED:
        return False


def _raise(replies: Sequence[Any]) -> None:
    for reply in replies:
        if isinstance(reply, Exception):
            raise reply
