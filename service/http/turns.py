"""Turns on the event loop: callers who have used much go on one at a time.

A call goes on when what it waited for is there. Where a hundred calls go on in the same round of
the event loop, each step of every other call waits for all of them. So a round has a slice of time
for the steps of calls. Once that is used up, only callers who have saved up much of their share go
on at once. The others wait, and one of them goes on in each round, who has saved up most.
"""

import asyncio
from collections.abc import Callable

from service.base.waiting import Line

SLICE_S = 0.0005
"""CPU time of calls in a round of the event loop after which others wait (seconds)."""
LIGHT_S = 0.03
"""Who has saved up more of its share never waits (seconds of CPU time).

A caller has less at first, so that a crowd of newcomers takes turns.
"""


class Turns:
    """The slice of the present round, and who waits."""

    def __init__(self) -> None:
        """Start with a whole slice."""
        self._spent = 0.0
        self._line = Line()
        self._renewing = False

    def spend(self, seconds: float) -> None:
        """Count the CPU time of a step."""
        self._spent += seconds
        if not self._renewing:
            self._renewing = True
            asyncio.get_running_loop().call_soon(self._renew)

    def turn(self, saved_s: Callable[[], float]) -> asyncio.Future[None] | None:
        """Return the turn of a caller, if it must wait for one.

        `saved_s` tells what it has saved up (seconds of CPU time).
        """
        if self._spent < SLICE_S or (saved := saved_s()) > LIGHT_S:
            return None
        return self._line.join(saved)

    def _renew(self) -> None:
        """Begin a round: let one caller go on."""
        self._spent = 0.0
        self._line.call_next()
        self._renewing = bool(self._line)
        if self._renewing:
            asyncio.get_running_loop().call_soon(self._renew)
