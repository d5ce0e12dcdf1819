"""Wake the followers of names in all processes, through one stream of the work Redis.

A process reads one stream, however many names it follows. What has changed stands elsewhere.
"""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Iterable, Iterator
from contextlib import contextmanager
from typing import Any

import structlog
from redis.exceptions import RedisError

from service.base.waiting import Signal

WAIT_MS = 500
RETRY_S = 0.5
START = b"0-0"

log = structlog.get_logger("shiplog")


class Changes:
    """The names of what has changed."""

    def __init__(self, work: Any, stream: str, kept: int) -> None:
        """Use an asyncio client of the work Redis (of bytes), and keep a number of changes."""
        self._work = work
        self._stream = stream
        self._kept = kept
        self._followers: Counter[str] = Counter()
        self._changed: dict[str, Signal] = {}
        """By followed name, the event that is set when it changes."""
        self._reader: asyncio.Task[None] | None = None

    def tell(self, client: Any, name: str) -> Any:
        """Add a change by a client, or to a pipeline. Return what that returns."""
        return client.xadd(self._stream, {b"p": name}, maxlen=self._kept, approximate=True)

    def next(self, name: str) -> Signal:
        """Return the event that is set at the next change of a followed name."""
        return self._changed[name]

    @contextmanager
    def following(self, name: str) -> Iterator[None]:
        """Count a follower. The reader runs as long as there are any."""
        self._followers[name] += 1
        self._changed.setdefault(name, Signal())
        if self._reader is None:
            self._reader = asyncio.create_task(self._wake())
        try:
            yield
        finally:
            self._followers[name] -= 1
            if not self._followers[name]:
                del self._followers[name], self._changed[name]
            if not self._followers:
                self._reader.cancel()
                self._reader = None

    async def names(self) -> AsyncIterator[set[str] | None]:
        """Yield the names that change from now on; None first, and when some may have been missed.

        While the work Redis is unreachable it yields nothing.
        """
        last = b""
        while True:
            try:
                if not last:
                    found = await self._work.xrevrange(self._stream, count=1)
                    last = found[0][0] if found else START
                    yield None
                found = await self._work.xread(
                    {self._stream: last}, count=self._kept, block=WAIT_MS
                )
            except (RedisError, OSError):
                last = b""
                await asyncio.sleep(RETRY_S)
                continue
            for _, entries in found:
                last = entries[-1][0] if len(entries) < self._kept else b""
                yield {fields[b"p"].decode() for _, fields in entries}

    async def _wake(self) -> None:
        """Wake the followers of changed names, whatever happens: all followers wait for it."""
        while True:
            try:
                async for names in self.names():
                    self._wake_followers(list(self._changed) if names is None else names)
            except Exception:
                log.exception("changes", stream=self._stream)
                await asyncio.sleep(RETRY_S)

    def _wake_followers(self, names: Iterable[str]) -> None:
        for name in names:
            if (changed := self._changed.get(name)) is not None:
                self._changed[name] = Signal()
                changed.set()
