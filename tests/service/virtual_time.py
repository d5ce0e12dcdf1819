"""An event loop whose clock jumps to the next timer instead of waiting for it."""

import asyncio
import selectors
from collections.abc import Coroutine
from typing import Any, TypeVar

T = TypeVar("T")


class _Selector(selectors.DefaultSelector):
    now = 0.0

    def select(self, timeout=None):
        if timeout:
            self.now += timeout
        return super().select(0)


class _Loop(asyncio.SelectorEventLoop):
    def __init__(self):
        self._jumping = _Selector()
        super().__init__(self._jumping)

    def time(self):
        return self._jumping.now

    async def shutdown_default_executor(self, timeout=None):  # noqa: ASYNC109 - asyncio's own
        # Threads end in real time: from Python 3.12 on, the runner's timeout would be over at once.
        await super().shutdown_default_executor()


def run(work: Coroutine[Any, Any, T]) -> T:
    """Run a coroutine that only waits for timers and for what is in this process."""
    with asyncio.Runner(loop_factory=_Loop) as runner:
        return runner.run(work)
