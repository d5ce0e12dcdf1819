"""The quotas of a caller, in the fields of the IETF draft on RateLimit headers."""

import math
import time
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from limits import RateLimitItem, parse_many

from service.base.expiring import Expiring

CALLERS_MAX = 100_000
"""Number of callers whose calls are counted at a time. The oldest windows are dropped."""


class Window:
    """The calls of a caller since the first one in a window of time."""

    __slots__ = ("count", "ends")

    def __init__(self, ends: float) -> None:
        """Count no call yet."""
        self.count = 0
        self.ends = ends


class Quota(NamedTuple):
    """What a limit leaves to a caller."""

    limit: "Limit"
    calls: int
    """Number of calls in the window."""
    reset_s: int
    """Time until the window ends (seconds)."""

    @property
    def is_exceeded(self) -> bool:
        """Whether there were more calls than the limit allows."""
        return self.calls > self.limit.amount

    @property
    def left(self) -> int:
        """Number of calls that remain."""
        return max(0, self.limit.amount - self.calls)


class Limit:
    """A limit on the calls of each caller in a window of time, which begins with its first call.

    The library `limits` only reads the setting: its storage in memory goes through all callers at
    each call.
    """

    def __init__(
        self, kind: str, item: RateLimitItem, clock: Callable[[], float] = time.monotonic
    ) -> None:
        """Allow what a setting says; `kind` says what is counted."""
        self.kind = kind
        self.amount = item.amount
        self._window_s = item.get_expiry()
        self._text = str(item)
        self._clock = clock
        self._windows: Expiring[Window] = Expiring(CALLERS_MAX, self._window_s, clock)
        self.name = f'"{kind}-{self._window_s}s"'
        self.policy = f"{self.name};q={self.amount};w={self._window_s}"

    def __str__(self) -> str:
        """Return the limit as in the settings."""
        return self._text

    def hit(self, who: str) -> Quota:
        """Count a call."""
        now = self._clock()
        if (window := self._windows.get(who)) is None:
            window = self._windows.put(who, Window(now + self._window_s))
        window.count += 1
        return Quota(self, window.count, self._reset_s(window, now))

    def quota(self, who: str) -> Quota:
        """Return the quota of a caller without counting a call."""
        window = self._windows.get(who)
        if window is None:
            return Quota(self, 0, 0)
        return Quota(self, window.count, self._reset_s(window, self._clock()))

    def _reset_s(self, window: Window, now: float) -> int:
        """Return the time until a window ends. Rounding of floats must not exceed the window."""
        return min(self._window_s, max(0, math.ceil(window.ends - now)))


def limits_of(kind: str, setting: str) -> list[Limit]:
    """Return the limits of a setting, such as `10/second;100/minute`."""
    return [Limit(kind, item) for item in parse_many(setting)]


def fields(quotas: Sequence[Quota]) -> Iterator[tuple[bytes, bytes]]:
    """Yield the headers that describe quotas."""
    states = [f"{each.limit.name};r={each.left};t={each.reset_s}" for each in quotas]
    yield b"ratelimit-policy", ", ".join([each.limit.policy for each in quotas]).encode()
    yield b"ratelimit", ", ".join(states).encode()
