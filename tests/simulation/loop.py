"""An event loop on a virtual clock: a seed decides which of the ready callbacks runs next."""

import asyncio
import contextvars
import heapq
import random
from collections.abc import Callable
from typing import Any

CANCELLED_MAX = 30
"""Cancelled timers that may lie in the heap."""
STEPS_MAX = 400_000
"""Callbacks in a run, beyond which it is taken to hang."""
TIME_MAX = 3_600.0
"""Virtual time of a run, beyond which it is taken to hang (seconds)."""

MACHINE: contextvars.ContextVar["Machine | None"] = contextvars.ContextVar("machine", default=None)


class Stuck(AssertionError):
    """A run does not end."""


class Unexpected(AssertionError):
    """An error that no task awaits."""


class Machine:
    """A process of the simulated system: its tasks stop, without a word, when it is killed."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.alive = True
        self.skew = 0
        """Error of its clock (microseconds)."""
        self.correction = 0
        """What the process adds to its clock (microseconds)."""
        self.context = contextvars.copy_context()
        self.context.run(MACHINE.set, self)


class Ready(asyncio.Handle):
    """A callback that is ready, without asyncio's checks of its debug mode."""

    __slots__ = ()

    def __init__(self, callback: Any, args: Any, loop: Any, context: Any) -> None:
        self._context = contextvars.copy_context() if context is None else context
        self._loop = loop
        self._callback = callback
        self._args = args
        self._cancelled = False
        self._repr = None
        self._source_traceback = None


class Timer(Ready):
    """A callback at a time."""

    __slots__ = ("_scheduled", "_when")

    def __init__(self, when: float, callback: Any, args: Any, loop: Any, context: Any) -> None:
        super().__init__(callback, args, loop, context)
        self._when = when
        self._scheduled = True

    def when(self) -> float:
        return self._when

    def cancel(self) -> None:
        if not self._cancelled:
            self._loop._timer_handle_cancelled(self)
        super().cancel()


class VirtualLoop(asyncio.BaseEventLoop):
    """Runs ready callbacks in seeded order, and advances the clock when none is ready."""

    def __init__(self, chance: random.Random, connect: Callable[..., Any]) -> None:
        super().__init__()
        self.chance = chance
        self.shuffled = chance.random() < 0.8
        """Whether ready callbacks run in any order, not in that of their arrival."""
        self.steps = 0
        self.failures: list[AssertionError] = []
        self._connect = connect
        self._virtual = 0.0
        self._timers = 0
        self._outside = contextvars.Context()
        self.set_exception_handler(self._note)

    def time(self) -> float:
        return self._virtual

    def call_soon(self, callback: Any, *args: Any, context: Any = None) -> asyncio.Handle:
        """Call in this instant, without asyncio's checks of an open loop."""
        handle = Ready(callback, args, self, context)
        self._ready.append(handle)
        return handle

    def call_at(self, when: float, callback: Any, *args: Any, context: Any = None) -> Any:
        """Call at a time. Timers are compared as tuples, which is faster than as handles."""
        timer = Timer(when, callback, args, self, context)
        self._timers += 1
        heapq.heappush(self._scheduled, (when, self._timers, timer))
        return timer

    def call_later(self, delay: float, callback: Any, *args: Any, context: Any = None) -> Any:
        return self.call_at(self._virtual + delay, callback, *args, context=context)

    def get_debug(self) -> bool:
        return False

    def outside(self, delay: float, callback: Callable[..., Any], *args: Any) -> Any:
        """Call later, whatever happens to the machine that is running now."""
        return self.call_later(delay, callback, *args, context=self._outside)

    async def create_connection(self, protocol_factory: Any, host: Any, port: Any, **_: Any) -> Any:
        """Connect through the simulated network."""
        protocol = protocol_factory()
        transport = await self._connect(protocol, host)
        return transport, protocol

    def run_in_executor(self, executor: Any, func: Any, *args: Any) -> asyncio.Future[Any]:
        """Run work of a thread: at once, and its result arrives later."""
        done = self.create_future()
        try:
            outcome, failure = func(*args), None
        except Exception as error:  # noqa: BLE001 - it is raised where the work is awaited
            outcome, failure = None, error

        def settle() -> None:
            if done.done():
                return
            done.set_result(outcome) if failure is None else done.set_exception(failure)

        self.call_later(self.chance.random() * 0.002, settle)
        return done

    def call_soon_threadsafe(self, callback: Any, *args: Any, context: Any = None) -> Any:
        return self.call_soon(callback, *args, context=context)

    def _note(self, _: Any, told: dict[str, Any]) -> None:
        """Note an error that no task awaits."""
        error = told.get("exception")
        if isinstance(error, AssertionError):
            self.failures.append(error)
        elif error is not None and not isinstance(error, asyncio.CancelledError):
            self.failures.append(Unexpected(f"{told['message']}: {error!r}"))

    def _run_once(self) -> None:
        ready, scheduled = self._ready, self._scheduled
        if self._timer_cancelled_count > CANCELLED_MAX:
            self._drop_cancelled()
        if not ready:
            if not scheduled:
                raise Stuck("nothing is left to happen")
            self._virtual = max(self._virtual, scheduled[0][0])
        while scheduled and scheduled[0][0] <= self._virtual:
            _, _, handle = heapq.heappop(scheduled)
            handle._scheduled = False
            if not handle._cancelled:
                ready.append(handle)
        if not ready:
            return
        self.steps += 1
        if self.steps > STEPS_MAX or self._virtual > TIME_MAX:
            raise Stuck(f"not finished after {self.steps} steps and {self._virtual:.1f} s")
        if self.shuffled and len(ready) > 1:
            ready.rotate(-int(self.chance.random() * len(ready)))
        if self.failures:
            raise self.failures[0]
        handle = ready.popleft()
        if handle._cancelled:
            return
        machine = handle._context.get(MACHINE)
        if machine is None or machine.alive:
            handle._run()

    def _drop_cancelled(self) -> None:
        """Drop timers that were cancelled, as asyncio does."""
        self._timer_cancelled_count = 0
        self._scheduled[:] = [one for one in self._scheduled if not one[-1]._cancelled]
        heapq.heapify(self._scheduled)
