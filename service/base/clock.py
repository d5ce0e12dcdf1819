"""The clock: the one place that reads the time. Tests freeze it."""

import time
from datetime import UTC, datetime

from events.record import EPOCH
from games.match.clocks import SECOND


def now_micros() -> int:
    """Return the time in microseconds since 1970."""
    elapsed = datetime.now(UTC) - EPOCH
    return (elapsed.days * 86_400 + elapsed.seconds) * SECOND + elapsed.microseconds


def elapsed_us(since: float) -> int:
    """Return the time since a reading of `stopwatch` (microseconds)."""
    return round((time.perf_counter() - since) * SECOND)


def stopwatch() -> float:
    """Return the start of a measurement, for logs and metrics only, never for decisions."""
    return time.perf_counter()
