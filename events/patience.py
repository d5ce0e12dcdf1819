"""How long to wait for a server: longer for one that answers slowly than for one that is silent."""

import time
from collections.abc import Callable

SLOW_S = 10.0
"""Wait for a server that has answered lately (seconds): its machine may be busy."""
SILENT_S = 1.5
"""Wait for a server that has just been given up (seconds)."""


class Patience:
    """The limit on the wait for one server. A refused connection fails at once anyhow."""

    def __init__(
        self,
        slow_s: float = SLOW_S,
        silent_s: float = SILENT_S,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """Expect an answer."""
        self._slow_s = slow_s
        self._silent_s = silent_s
        self._clock = clock
        self._given_up = False
        self._again_at = 0.0

    @property
    def limit_s(self) -> float:
        """Time to wait for the next answer (seconds).

        After a failure it is short. From time to time it is long again, so that a server that
        answers, but slowly, is not given up for good.
        """
        silent = self._given_up and self._clock() < self._again_at
        return self._silent_s if silent else self._slow_s

    def answered(self) -> None:
        """Note an answer."""
        self._given_up = False

    def gave_up(self) -> None:
        """Note that no answer came in time."""
        self._given_up = True
        self._again_at = self._clock() + self._slow_s
