"""Limit on the bytes that a player and an address may add to the log per day, in this process."""

import time
from collections.abc import Callable, Iterator

from service.base.budgets import Purse
from service.base.clock import DAY_S
from service.base.expiring import Expiring
from service.base.problems import limited

PURSES_MAX = 100_000
ADDRESS_PLAYERS = 10
"""Number of players whose amounts all players at an address may use together."""
MIB = 1024 * 1024
RETRY_S = 600


class LogQuota:
    """Counts what players add. A day's amount can be used at once and comes back evenly."""

    def __init__(self, mb_per_day: int, clock: Callable[[], float] = time.monotonic) -> None:
        """Allow each player so many mebibytes per day; 0 is no limit."""
        self._bytes = mb_per_day * MIB
        self._clock = clock
        self._purses: Expiring[Purse] = Expiring(PURSES_MAX, DAY_S, clock)
        self._addresses: Expiring[str] = Expiring(PURSES_MAX, DAY_S, clock)
        """The latest address of each player."""

    def note_address(self, player: str, address: str) -> None:
        """Charge an address for what a player adds from now on."""
        if self._bytes and self._addresses.get(player) != address:
            self._addresses.put(player, address)

    def require_room(self, player: str) -> None:
        """Raise `Problem` 429 if a player or its address has used up the day's amount."""
        for key, amount in self._amounts(player):
            if (purse := self._purses.get(key)) is None:
                continue
            purse.earn(amount / DAY_S, self._clock())
            if purse.left <= 0:
                raise limited(
                    "log-bytes",
                    "log-quota",
                    f"You may add {self._bytes // MIB} MiB a day to the log, and all players at "
                    f"your address {ADDRESS_PLAYERS} times as much. Try again later.",
                    retry_after=RETRY_S,
                )

    def spend(self, player: str, count: int) -> None:
        """Charge a player and its address for a number of bytes."""
        if not self._bytes or not count:
            return
        for key, amount in self._amounts(player):
            if (purse := self._purses.get(key)) is None:
                purse = self._purses.put(key, Purse(amount, amount, self._clock()))
            purse.spend(count)

    def _amounts(self, player: str) -> Iterator[tuple[str, int]]:
        """Yield the keys of the purses that pay for a player, each with its bytes per day."""
        yield player, self._bytes
        if (address := self._addresses.get(player)) is not None:
            yield f"address {address}", ADDRESS_PLAYERS * self._bytes
