"""The one place where time is read; tests freeze it."""

import time
from datetime import UTC, datetime

from events.record import EPOCH
from games.match.clocks import SECOND


def now_micros() -> int:
    """Give the time in microseconds since 1970."""
    elapsed = datetime.now(UTC) - EPOCH
    return (elapsed.days * 86_400 + elapsed.seconds) * SECOND + elapsed.microseconds


def elapsed_us(since: float) -> int:
    """Give the microseconds since a reading of `stopwatch`."""
    return round((time.perf_counter() - since) * SECOND)


def stopwatch() -> float:
    """Start to measure: for logs and metrics only, never for decisions."""
    return time.perf_counter()
