"""The clock: the one place that reads the time. Tests freeze it.

All processes go by one clock, that of the log's server. Each compares its own with it from time to
time, and corrects it. A process whose own clock is too far off leaves deadlines to the others.
"""

import time

from games.match.clocks import SECOND
from service.base.metrics import CLOCK_SKEW_SECONDS

DAY_S = 86_400
"""Length of a day (seconds)."""
SKEW_MAX_S = 5
"""Difference between the two clocks up to which deadlines are applied (seconds)."""
TOLERANCE_US = 10_000
"""Error of the server's reading (microseconds): it reads its clock once for many commands."""


class Correction:
    """What has to be added to this machine's clock."""

    def __init__(self) -> None:
        """Trust the own clock until it has been compared."""
        self.micros = 0

    def compare(self, before: int, server: int, after: int) -> None:
        """Correct the clock by a reading of the server's between two readings of the own one.

        The answer's way back took an unknown part of the time. Within that error nothing changes,
        so two clocks that agree stay as they are.
        """
        error = (after - before) // 2 + TOLERANCE_US
        found = server - (before + after) // 2
        self.micros = min(max(self.micros, found - error), found + error)
        CLOCK_SKEW_SECONDS.set(-self.micros / SECOND)

    @property
    def skew_s(self) -> float:
        """This machine's clock minus the server's (seconds)."""
        return -self.micros / SECOND

    @property
    def bounded(self) -> bool:
        """Whether this machine's clock is near enough to the server's to apply deadlines."""
        return abs(self.micros) <= SKEW_MAX_S * SECOND


correction = Correction()
"""The correction of this process, which has one log."""


def now_micros() -> int:
    """Return the time by the log server's clock, in microseconds since 1970."""
    return local_micros() + correction.micros


def local_micros() -> int:
    """Return the time by this machine's clock, in microseconds since 1970."""
    return time.time_ns() // 1_000


def elapsed_us(since: float) -> int:
    """Return the time since a reading of `stopwatch` (microseconds)."""
    return round((time.perf_counter() - since) * SECOND)


def stopwatch() -> float:
    """Return the start of a measurement, for logs and metrics only, never for decisions."""
    return time.perf_counter()
