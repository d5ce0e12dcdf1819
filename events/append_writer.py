"""The writer: what waits is put on the wire together, so that one fsync serves many.

There is one task per connection, and one queue for all of them; a batch is what waits when a connection is free, and
nobody waits for a timer. Callers may go away at any moment; their writes stay.
"""

import asyncio
import logging
import time
from collections import deque
from collections.abc import Callable, Sequence
from itertools import chain

from events.append_lane import Elsewhere, Lane, Limits, TooFewReplicas, Write
from events.connection import Line, Lives
from events.store import Unavailable

BACKOFF_S = (0.01, 0.05, 0.1, 0.2, 0.5)
"""Seconds before the next try, by how many have failed in a row."""

OnBatch = Callable[[int, float], None]
"""Told of every batch that came through: how many writes, and the seconds from sending to the last answer."""

log = logging.getLogger(__name__)


class Writer:
    """Puts writes on the connections to one server."""

    def __init__(
        self,
        lines: Sequence[Line],
        lives: Lives,
        limits: Limits,
        astray: Elsewhere | None = None,
        on_batch: OnBatch | None = None,
    ) -> None:
        """Write on connections, which are made when needed.

        `astray` takes the writes of a failed batch, and those that the server sends elsewhere; without it they are
        tried again here.
        """
        self._lanes = [Lane(line, lives, limits, astray) for line in lines]
        self._limits = limits
        self._astray = astray
        self._on_batch = on_batch
        self._waiting: deque[Write] = deque()
        self._flying: dict[Lane, list[Write]] = {}
        self._asleep: list[asyncio.Future[None]] = []
        self._waking = False
        self._idle = asyncio.Event()
        self._idle.set()
        self._last_error: Exception | None = None
        self._timer: asyncio.TimerHandle | None = None
        self._tasks: list[asyncio.Task[None]] = []

    def submit(self, write: Write) -> None:
        """Put a write in the queue; its `done` tells the outcome."""
        if len(self._waiting) >= self._limits.waiting:
            write.settle(Unavailable("too many writes are waiting"))
            return
        self._waiting.append(write)
        self._idle.clear()
        if not self._waking:
            self._wake()
        if self._timer is None:
            self._timer = asyncio.get_running_loop().call_at(write.expires, self._expire)

    async def drained(self) -> None:
        """Return when nothing is under way."""
        await self._idle.wait()

    async def aclose(self) -> None:
        """Finish what is under way, then close the connections."""
        await self.drained()
        for task in self._tasks:
            task.cancel()
        if self._tasks:
            await asyncio.wait(self._tasks)
        if self._timer is not None:
            self._timer.cancel()
        for lane in self._lanes:
            await lane.cut()

    def _wake(self) -> None:
        """Set one connection to work; it wakes the next when it leaves something."""
        if self._asleep:
            self._waking = True
            self._asleep.pop().set_result(None)
        elif len(self._tasks) < len(self._lanes):
            self._waking = True
            lane = self._lanes[len(self._tasks)]
            self._tasks.append(asyncio.create_task(self._run(lane), name="append-writer"))

    async def _run(self, lane: Lane) -> None:
        failures = 0
        while True:
            self._flying[lane] = batch = self._take()
            if not batch:
                await self._sleep()
                continue
            begun = time.perf_counter()
            try:
                await lane.write(batch)
            except Exception as error:  # noqa: BLE001 - the writer outlives whatever becomes of a batch
                self._flying[lane] = []
                await self._failed(lane, batch, error)
                failures += 1
                await asyncio.sleep(BACKOFF_S[min(failures, len(BACKOFF_S)) - 1])
            else:
                failures = 0
                self._last_error = None
                if self._on_batch is not None:
                    self._on_batch(len(batch), time.perf_counter() - begun)

    def _take(self) -> list[Write]:
        """Take from the queue what goes on the wire together."""
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
        """Wait until there is something to do."""
        if not self._waiting and not any(self._flying.values()):
            self._idle.set()
        sleeper = asyncio.get_running_loop().create_future()
        self._asleep.append(sleeper)
        await sleeper

    async def _failed(self, lane: Lane, batch: Sequence[Write], error: Exception) -> None:
        """Have what a failed batch left open tried again."""
        if repr(error) != repr(self._last_error):
            log.warning("writing failed, trying again: %r", error)
        self._last_error = error
        left = [write for write in batch if write.open]
        if self._astray is not None and left:
            self._astray(left, error)
        else:
            self._waiting.extendleft(reversed(left))
        if not isinstance(error, TooFewReplicas):
            await lane.cut()

    def _expire(self) -> None:
        """Give up on what has waited too long."""
        loop = asyncio.get_running_loop()
        now = loop.time()
        alive: list[float] = []
        for write in chain(self._waiting, *self._flying.values()):
            if write.open and write.expires <= now:
                write.settle(expired(write, self._last_error))
            elif write.open:
                alive.append(write.expires)
        self._timer = loop.call_at(min(alive), self._expire) if alive else None


def expired(write: Write, error: Exception | None) -> Unavailable:
    """Say that a write's time is over."""
    known = "nothing is known to be written" if write.tries else "nothing was written"
    return Unavailable(f"{known} in time" + (f": {error or type(error).__name__}" if error else ""))
