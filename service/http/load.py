"""What a process really uses: whether it has room, and how much more than its calls' own steps."""

import asyncio
import time
from collections import deque
from typing import NamedTuple

ROOM = 2.0
"""Rate at which callers may use more than their shares while the process is not busy."""
TICK_S = 0.02
TICKS = 5
LATE_S = 0.004
BUSY = 0.3
"""Delay of the event loop (seconds) and CPU time of the process (seconds per second) beyond which
callers get only their shares.
"""
SCALE_TICKS = 100
"""Ticks over which the CPU time of the process is compared with what was charged for."""
SCALE_MAX = 4.0


class Tick(NamedTuple):
    """What was true at a tick."""

    delay: float
    used: float
    """CPU time of the process (seconds)."""
    steps: float
    """CPU time of the steps of calls (seconds)."""


class Load:
    """Watches whether the process has room for more than the callers' shares.

    Calls also cause work that their own steps do not show: in the server's threads, in the parts
    that answer for all calls together, in the interpreter. All of it is charged to them in
    proportion, so that shares are shares of the process.
    """

    def __init__(self) -> None:
        """Watch from the first question on."""
        self._ticks: deque[Tick] = deque(maxlen=SCALE_TICKS)
        self._due = 0.0
        self._room = ROOM
        self._steps = 0.0
        self._scale = 1.0

    def room(self) -> float:
        """Return the rate, or 0 while the process is busy or its event loop late."""
        if not self._due:
            self._schedule(asyncio.get_running_loop())
        return self._room

    def real(self, seconds: float) -> float:
        """Return what the process used for so much CPU time of steps (seconds)."""
        self._steps += seconds
        return seconds * self._scale

    def _schedule(self, loop: asyncio.AbstractEventLoop) -> None:
        self._due = loop.time() + TICK_S
        loop.call_at(self._due, self._tick, loop)

    def _tick(self, loop: asyncio.AbstractEventLoop) -> None:
        self._ticks.append(Tick(loop.time() - self._due, time.process_time(), self._steps))
        if len(self._ticks) >= TICKS:
            recent = [self._ticks[-number] for number in range(1, TICKS + 1)]
            late = min(tick.delay for tick in recent) > LATE_S
            seconds = (TICKS - 1) * TICK_S + recent[0].delay
            busy = recent[0].used - recent[-1].used > BUSY * seconds
            self._room = 0.0 if late or busy else ROOM
            first, last = self._ticks[0], self._ticks[-1]
            if (steps := last.steps - first.steps) > 0:
                self._scale = min(SCALE_MAX, max(1.0, (last.used - first.used) / steps))
        self._schedule(loop)
