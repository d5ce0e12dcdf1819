"""Turns on the event loop: callers who have used much go on one at a time.

A call goes on when what it waited for is there. Where a hundred calls go on in the same round of
the event loop, each step of every other call waits for all of them. So a round has a slice of time
for the steps of calls. Once that is used up, only callers who have saved up much of their share go
on at once. The others wait, and one of them goes on in each round, who has saved up most.

A command takes ten rounds, so even short slices add up. While a command of a caller who has saved
up much is in a hurry, there is one slice every few milliseconds instead of one in each round.
"""

import asyncio
import time
from collections.abc import Callable

from service.base.waiting import Line

SLICE_S = 0.0005
"""CPU time of calls in a round of the event loop after which others wait (seconds)."""
LIGHT_S = 0.03
"""A caller who has saved up more of its share never waits (seconds of CPU time).

Newcomers have less, so that a crowd of them takes turns.
"""
HURRY_S = 0.01
"""Time for which a call keeps others waiting at most (seconds), again once its body has arrived."""
HELD_S = 0.005
"""Time for which a slice must last while a call is in a hurry (seconds)."""


class Turns:
    """The slice of the present round, who waits, and how many calls are in a hurry."""

    def __init__(self) -> None:
        """Start with a whole slice."""
        self._spent = 0.0
        self._line = Line()
        self._next: asyncio.Handle | None = None
        """Begins the next slice."""
        self._hurried = 0
        self._hurry_end = 0.0

    def spend(self, seconds: float) -> None:
        """Count the CPU time of a step of a call that is not in a hurry."""
        self._spent += seconds
        if self._spent < SLICE_S and self._is_hurried():
            self._line.call_next()
        self._schedule()

    def turn(self, saved_s: Callable[[], float]) -> asyncio.Future[None] | None:
        """Return the turn of a caller, if it must wait for one.

        `saved_s` tells what it has saved up (seconds of CPU time).
        """
        if self._spent < SLICE_S and not (self._line and self._is_hurried()):
            return None
        if (saved := saved_s()) > LIGHT_S:
            return None
        self._schedule()
        return self._line.join(saved)

    def begin_hurry(self) -> None:
        """Let the others wait for a call until its end, but no longer than `HURRY_S`."""
        self._hurried += 1
        self.keep_hurrying()

    def end_hurry(self) -> None:
        """Say that a call that was in a hurry has ended."""
        self._hurried -= 1
        if not self._hurried and self._next is not None:
            self._next.cancel()
            self._next = None
            self._schedule()

    def keep_hurrying(self) -> None:
        """Let the others wait for `HURRY_S` from now on, if a call is in a hurry."""
        self._hurry_end = time.monotonic() + HURRY_S

    def _is_hurried(self) -> bool:
        return self._hurried > 0 and time.monotonic() < self._hurry_end

    def _schedule(self) -> None:
        if self._next is None:
            loop = asyncio.get_running_loop()
            if self._is_hurried():
                self._next = loop.call_later(HELD_S, self._begin_slice)
            else:
                self._next = loop.call_soon(self._begin_slice)

    def _begin_slice(self) -> None:
        self._spent = 0.0
        self._next = None
        self._line.call_next()
        if self._line:
            self._schedule()
