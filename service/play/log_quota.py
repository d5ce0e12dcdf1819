"""Limit on the bytes that a player may add to the log per day, in this process."""

import time
from collections.abc import Callable

from cachetools import TTLCache

from service.base.budgets import Purse
from service.base.metrics import LIMITED
from service.base.problems import Problem

DAY_S = 86_400
PLAYERS_MAX = 100_000
MIB = 1024 * 1024
RETRY_S = 600


class LogQuota:
    """Counts what players add. A day's amount can be used at once and comes back evenly."""

    def __init__(self, mb_per_day: int, clock: Callable[[], float] = time.monotonic) -> None:
        """Allow each player so many mebibytes per day; 0 is no limit."""
        self._bytes = mb_per_day * MIB
        self._clock = clock
        self._purses: TTLCache[str, Purse] = TTLCache(PLAYERS_MAX, DAY_S, clock)

    def require_room(self, player: str) -> None:
        """Raise `Problem` 429 if a player has used up the day's amount."""
        try:
            purse = self._purses[player]
        except KeyError:
            return
        purse.earn(self._bytes / DAY_S, self._clock())
        if purse.left <= 0:
            LIMITED.labels("log-bytes").inc()
            raise Problem(
                429,
                "log-quota",
                f"You may add {self._bytes // MIB} MiB a day to the log. Try again later.",
                retry_after=RETRY_S,
            )

    def spend(self, player: str, count: int) -> None:
        """Charge a player for a number of bytes."""
        if not self._bytes or not count:
            return
        try:
            purse = self._purses[player]
        except KeyError:
            purse = self._purses[player] = Purse(self._bytes, self._bytes, self._clock())
        purse.spend(count)
