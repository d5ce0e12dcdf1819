"""The writer: waiting writes are sent together, so that one fsync serves many of them.

There is one task per connection and one queue for all connections. A batch is whatever is waiting
when a connection becomes free, so no write waits for a timer. If a caller is cancelled, its write
goes on.
"""

import asyncio
import logging
import time
from collections import deque
from collections.abc import Callable, Sequence
from itertools import chain

from events.append_lane import Lane, Limits, Reroute, TooFewReplicas, Write, outcome
from events.connection import Epochs, RawConnection
from events.store import Unavailable

BACKOFF_S = (0.01, 0.05, 0.1, 0.2, 0.5)
"""Delay before the next attempt (seconds), by the number of failures in a row."""

OnBatch = Callable[[int, float], None]
"""Called after each successful batch with the number of writes, and the seconds from sending to
the last reply."""

log = logging.getLogger(__name__)


class Writer:
    """Sends writes over the connections to one server."""

    def __init__(
        self,
        connections: Sequence[RawConnection],
        epochs: Epochs,
        limits: Limits,
        reroute: Reroute | None,
        on_batch: OnBatch | None,
    ) -> None:
        """Use connections, which are opened when they are needed.

        `reroute` receives the writes of a failed batch, and those that the server redirects.
        Without it they are tried again here.
        """
        self._lanes = [Lane(connection, epochs, limits, reroute) for connection in connections]
        self._limits = limits
        self._reroute = reroute
        self._on_batch = on_batch
        self._waiting: deque[Write] = deque()
        self._in_flight: dict[Lane, list[Write]] = {}
        self._sleepers: list[asyncio.Future[None]] = []
        self._waking = False
        self._idle = asyncio.Event()
        self._idle.set()
        self._last_error: Exception | None = None
        self._timer: asyncio.TimerHandle | None = None
        self._tasks: list[asyncio.Task[None]] = []

    def submit(self, write: Write) -> None:
        """Put a write into the queue. Its future `done` receives the outcome."""
        if len(self._waiting) >= self._limits.waiting:
            write.settle(Unavailable(f"more than {self._limits.waiting} writes are waiting"))
            return
        self._waiting.append(write)
        self._idle.clear()
        if not self._waking:
            self._wake()
        if self._timer is None:
            self._timer = asyncio.get_running_loop().call_at(write.expires, self._expire)

    async def drained(self) -> None:
        """Wait until no write is pending."""
        await self._idle.wait()

    async def aclose(self) -> None:
        """Finish all pending writes, then close the connections."""
        await self.drained()
        for task in self._tasks:
            task.cancel()
        if self._tasks:
            await asyncio.wait(self._tasks)
        if self._timer is not None:
            self._timer.cancel()
        for lane in self._lanes:
            await lane.disconnect()

    def _wake(self) -> None:
        """Wake one connection. It wakes the next one if it leaves writes in the queue."""
        if self._sleepers:
            self._waking = True
            self._sleepers.pop().set_result(None)
        elif len(self._tasks) < len(self._lanes):
            self._waking = True
            lane = self._lanes[len(self._tasks)]
            self._tasks.append(asyncio.create_task(self._run(lane), name="append-writer"))

    async def _run(self, lane: Lane) -> None:
        failures = 0
        while True:
            self._in_flight[lane] = batch = self._take()
            if not batch:
                await self._sleep()
                continue
            begun = time.perf_counter()
            try:
                await lane.write(batch)
            except Exception as error:  # noqa: BLE001 - the writer survives any failure of a batch
                self._in_flight[lane] = []
                await self._failed(lane, batch, error)
                failures += 1
                await asyncio.sleep(BACKOFF_S[min(failures, len(BACKOFF_S)) - 1])
            else:
                failures = 0
                self._last_error = None
                if self._on_batch is not None:
                    self._on_batch(len(batch), time.perf_counter() - begun)

    def _take(self) -> list[Write]:
        """Take the next batch from the queue."""
        waiting, limits = self._waiting, self._limits
        batch: list[Write] = []
        size = 0
        while waiting and len(batch) < limits.batch_count and size < limits.batch_bytes:
            write = waiting.popleft()
            if write.open:
                batch.append(write)
                size += len(write.command)
        self._waking = False
        if waiting:
            self._wake()
        return batch

    async def _sleep(self) -> None:
        """Wait until there is a write to send."""
        if not self._waiting and not any(self._in_flight.values()):
            self._idle.set()
        sleeper = asyncio.get_running_loop().create_future()
        self._sleepers.append(sleeper)
        await sleeper

    async def _failed(self, lane: Lane, batch: Sequence[Write], error: Exception) -> None:
        """Arrange another attempt for the open writes of a failed batch."""
        if repr(error) != repr(self._last_error):
            log.warning("writing failed, trying again: %r", error)
        self._last_error = error
        left = [write for write in batch if write.open]
        if self._reroute is not None and left:
            self._reroute(left, error)
        else:
            self._waiting.extendleft(reversed(left))
        if not isinstance(error, TooFewReplicas):
            await lane.disconnect()

    def _expire(self) -> None:
        """Fail the writes whose time is over."""
        loop = asyncio.get_running_loop()
        now = loop.time()
        alive: list[float] = []
        for write in chain(self._waiting, *self._in_flight.values()):
            if write.open and write.expires <= now:
                write.settle(expired(write, self._last_error))
            elif write.open:
                alive.append(write.expires)
        self._timer = loop.call_at(min(alive), self._expire) if alive else None


def expired(write: Write, error: Exception | None) -> Unavailable:
    """Return the error for a write whose time is over."""
    why = f": {error or type(error).__name__}" if error else ""
    return Unavailable(f"{outcome(sent=write.tries > 0)}: no answer in time{why}")
