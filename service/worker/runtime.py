"""A worker process's desk: what it works with, opened once, on a loop in a thread of its own.

Jobs run in the main thread, where their time limit can interrupt them; what they ask of the service runs here.
"""

import asyncio
import os
import threading
from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack
from typing import TypeVar

from service.base.settings import Settings
from service.process.context import Context, opened

T = TypeVar("T")


class Desk:
    """The parts of the service, for code that does not run on a loop."""

    def __init__(self, settings: Settings) -> None:
        """Open everything."""
        self._loop = asyncio.new_event_loop()
        self._stack = AsyncExitStack()
        self._thread = threading.Thread(target=self._loop.run_forever, name="desk", daemon=True)
        self._thread.start()
        self.context = self._wait(self._stack.enter_async_context(opened(settings)))

    def run(self, work: Callable[[Context], Awaitable[T]]) -> T:
        """Do something with the parts, and wait for it."""

        async def do() -> T:
            return await work(self.context)

        return self._wait(do())

    def close(self) -> None:
        """Close everything."""
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
_desks: dict[int, Desk] = {}
"""By process: a forked child opens its own."""


def prepare(settings: Settings) -> None:
    """Say what the desks of this process and its children are opened with."""
    _settings[:] = [settings]


def desk() -> Desk:
    """Give this process's desk, opened when it is first needed."""
    process = os.getpid()
    if process not in _desks:
        _desks.clear()
        _desks[process] = Desk(_settings[0])
    return _desks[process]
