"""Wait for events of the event loop."""

import asyncio
from collections.abc import Awaitable, Coroutine
from heapq import heappop, heappush
from itertools import count
from typing import Any, TypeVar

T = TypeVar("T")


class Signal(asyncio.Event):
    """An event for which tasks can wait together with others, at the price of one future."""

    def __init__(self) -> None:
        """Start without being set."""
        super().__init__()
        self._listeners: set[asyncio.Future[bool]] = set()

    def set(self) -> None:
        """Set the event, and wake all that wait for it."""
        super().set()
        for listener in self._listeners:
            _resolve(listener, happened=True)
        self._listeners.clear()

    def notify(self, listener: asyncio.Future[bool]) -> None:
        """Resolve a future as true once the event is set."""
        self._listeners.add(listener)

    def forget(self, listener: asyncio.Future[bool]) -> None:
        """Leave a future alone from now on."""
        self._listeners.discard(listener)


class Line:
    """Callers who wait for the same thing. The one who has saved up most goes on first."""

    def __init__(self) -> None:
        """Start with nobody waiting."""
        self._waiting: list[tuple[float, int, asyncio.Future[None]]] = []
        self._numbers = count()

    def __bool__(self) -> bool:
        """Return whether somebody may be waiting."""
        return bool(self._waiting)

    def join(self, saved_s: float) -> asyncio.Future[None]:
        """Return the turn of a caller with so much saved up (seconds of CPU time)."""
        turn = asyncio.get_running_loop().create_future()
        heappush(self._waiting, (-saved_s, next(self._numbers), turn))
        return turn

    def call_next(self) -> bool:
        """Let the first one go on; return whether there was one who still waits."""
        while self._waiting:
            *_, turn = heappop(self._waiting)
            if not turn.done():
                turn.set_result(None)
                return True
        return False


class TimeLimit:
    """A time limit of many short waits, with one timer for all of them: most end long before it."""

    def __init__(self, seconds: float) -> None:
        """Allow so much time for each wait."""
        self.seconds = seconds
        self._due: dict[asyncio.Task[Any], float] = {}
        self._late: set[asyncio.Task[Any]] = set()
        self._timer: asyncio.TimerHandle | None = None

    async def until(self, deadline: float, waiting: Awaitable[T]) -> T:
        """Return what something returns before a time of the event loop. Raises `TimeoutError`.

        A task waits for one thing at a time.
        """
        task = asyncio.current_task()
        assert task is not None, "whoever waits is a task"
        self._due[task] = deadline
        if self._timer is None:
            self._timer = asyncio.get_running_loop().call_at(deadline, self._end)
        try:
            return await waiting
        except asyncio.CancelledError:
            if task in self._late and task.uncancel() == 0:
                raise TimeoutError from None
            raise
        finally:
            del self._due[task]
            self._late.discard(task)

    def _end(self) -> None:
        """End the waits whose time is over, and come back when the next one may be late."""
        loop = asyncio.get_running_loop()
        now = loop.time()
        for task, deadline in self._due.items():
            if deadline <= now and task not in self._late:
                self._late.add(task)
                task.cancel()
        left = [deadline for task, deadline in self._due.items() if task not in self._late]
        self._timer = loop.call_at(min(left), self._end) if left else None


async def wait_for_any(seconds: float, *signals: Signal) -> bool:
    """Wait until one of some signals is set; return whether that happened within a time."""
    if any(signal.is_set() for signal in signals):
        return True
    loop = asyncio.get_running_loop()
    happened: asyncio.Future[bool] = loop.create_future()
    for signal in signals:
        signal.notify(happened)
    timer = loop.call_later(seconds, _resolve, happened)
    try:
        return await happened
    finally:
        timer.cancel()
        for signal in signals:
            signal.forget(happened)


async def first_of(*calls: Coroutine[Any, Any, Any]) -> None:
    """Await calls side by side until one of them ends, and raise what it raises."""
    tasks = [asyncio.create_task(call) for call in calls]
    try:
        done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        for task in done:
            task.result()
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


def _resolve(future: asyncio.Future[bool], happened: bool = False) -> None:
    if not future.done():
        future.set_result(happened)
