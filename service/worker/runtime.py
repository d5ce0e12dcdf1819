"""The parts of a worker process, opened once, on an event loop in a thread of its own.

Jobs run in the main thread, where their time limit can interrupt them. What they ask of the parts
runs on the loop.
"""

import asyncio
import os
import threading
from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack
from typing import TypeVar

from service.base.settings import Settings
from service.process.context import Context, opened
from service.process.stores import WORKER_PATIENCE_S

T = TypeVar("T")


class Runtime:
    """Parts for code that does not run on an event loop."""

    def __init__(self, settings: Settings) -> None:
        """Open all parts."""
        self._loop = asyncio.new_event_loop()
        self._stack = AsyncExitStack()
        self._thread = threading.Thread(target=self._loop.run_forever, name="runtime", daemon=True)
        self._thread.start()
        parts = opened(settings, WORKER_PATIENCE_S)
        self.context = self._wait(self._stack.enter_async_context(parts))

    def run(self, work: Callable[[Context], Awaitable[T]]) -> T:
        """Run a coroutine with the parts and return its result."""

        async def do() -> T:
            return await work(self.context)

        return self._wait(do())

    def close(self) -> None:
        """Close all parts."""
        self._wait(self._stack.aclose())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    def _wait(self, work: Awaitable[T]) -> T:
        future = asyncio.run_coroutine_threadsafe(_coroutine(work), self._loop)
        try:
            return future.result()
        except BaseException:
            future.cancel()
            raise


async def _coroutine(work: Awaitable[T]) -> T:
    return await work


_settings: list[Settings] = []
_runtimes: dict[int, Runtime] = {}
"""Runtimes by process ID: a forked child opens its own."""


def prepare(settings: Settings) -> None:
    """Set the settings for the runtimes of this process and its children."""
    _settings[:] = [settings]


def runtime() -> Runtime:
    """Return the runtime of this process, opened at first use."""
    process = os.getpid()
    if process not in _runtimes:
        _runtimes.clear()
        _runtimes[process] = Runtime(_settings[0])
    return _runtimes[process]
