"""Budgets of work: how much of a process each caller may use, in seconds of CPU time.

As long as there is room, anybody may use it. Otherwise every caller gets an equal share, and those
who have used theirs must wait.
"""

import math
import time
from collections.abc import Callable
from typing import NamedTuple

from service.base.expiring import Expiring

ACTIVE_S = 10.0
"""Time after its last call for which a caller counts (seconds)."""
RENEW_S = 1.0
"""Time between two renewals of a caller's purse (seconds). A renewal costs more than a charge."""
CALLERS_MAX = 100_000
LEAST = 0.002
"""Smallest share of a caller, in seconds of CPU time per second: a few calls."""


class Allowance(NamedTuple):
    """How much work there is to share."""

    rate: float
    """What the callers share, in seconds of CPU time per second."""
    start_s: float = 0.025
    """What a caller has at its first call (seconds of CPU time)."""
    burst_s: float = 0.25
    """What a caller can save up, and the most it can owe (seconds of CPU time)."""
    room_s: float = 0.02
    """What all callers together may use at once beyond their shares (seconds of CPU time)."""


class Purse:
    """What is left to spend. It may be negative."""

    __slots__ = ("_at", "_burst_s", "left", "renewed")

    def __init__(self, left: float, burst_s: float, now: float) -> None:
        """Start with an amount (seconds of CPU time), and allow to save and owe another."""
        self.left = left
        self.renewed = -math.inf
        """When the purse was last written to a cache that drops old ones."""
        self._burst_s = burst_s
        self._at = now

    def earn(self, rate: float, now: float) -> None:
        """Add what was earned since the last time."""
        self.left = min(self._burst_s, self.left + rate * (now - self._at))
        self._at = now

    def spend(self, seconds: float) -> None:
        """Subtract an amount."""
        self.left = max(-self._burst_s, self.left - seconds)


class Budget:
    """Shares the work of a process among its callers."""

    def __init__(
        self,
        allowance: Allowance,
        room: Callable[[], float],
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """Share an allowance. `room` is the rate at which callers may use more than their shares.

        It is in seconds of CPU time per second, and 0 while there is no room.
        """
        self._allowance = allowance
        self._room = room
        self._clock = clock
        self._common = Purse(allowance.room_s, allowance.room_s, clock())
        self._purses: Expiring[Purse] = Expiring(CALLERS_MAX, ACTIVE_S, clock)
        self._share = allowance.rate
        """Rate of a caller (seconds of CPU time per second), as of the last renewal of a purse."""

    def wait_s(self, caller: str) -> float:
        """Return how long a caller must wait for its next call (seconds); 0 if it may go on."""
        now = self._clock()
        self._common.earn(self._room(), now)
        if self._common.left > 0 or (purse := self._purses.get(caller)) is None:
            return 0.0
        self._divide()
        purse.earn(self._share, now)
        return max(0.0, -purse.left / self._share)

    def saved_s(self, caller: str) -> float:
        """Return what a caller has saved up (seconds of CPU time); negative if it owes."""
        if (purse := self._purses.get(caller)) is None:
            return self._allowance.start_s
        purse.earn(self._share, self._clock())
        return purse.left

    def spend(self, caller: str, seconds: float) -> None:
        """Charge a caller for CPU time (seconds); a negative amount is returned to it."""
        now = self._clock()
        if (purse := self._purses.get(caller)) is None:
            purse = Purse(self._allowance.start_s, self._allowance.burst_s, now)
        purse.earn(self._share, now)
        purse.spend(seconds)
        if now - purse.renewed >= RENEW_S:
            self._purses.put(caller, purse)
            purse.renewed = now
            self._divide()
        self._common.spend(seconds)

    def _divide(self) -> None:
        self._share = max(LEAST, self._allowance.rate / max(1, len(self._purses)))
