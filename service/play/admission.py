"""Admission of what stays in the log: new matches, branches, guests. Running matches go first."""

import asyncio
from typing import Any, Protocol

from events.store import Unavailable
from service.base.metrics import LIMITED
from service.base.problems import Problem

LOOK_S = 1.0
"""Time for which the memory of the log counts as unchanged (seconds)."""
RETRY_S = 60


class LogServers(Protocol):
    """A log that tells the INFO of its servers."""

    async def info(self) -> dict[str, dict[str, Any]]:
        """Return the INFO of every primary server, by its name. Raises `Unavailable`."""
        ...


class Admission:
    """Keeps a share of the log's memory for matches that are being played."""

    def __init__(self, log: LogServers, reserve: float) -> None:
        """Watch the memory of a log; `reserve` is the share of it that new matches may not use."""
        self._log = log
        self._reserve = reserve
        self._used = 0.0
        self._next_look = 0.0

    async def log_used(self) -> float:
        """Return the used share of the log's memory limit, at its fullest server.

        0 if there is no limit. While the log does not answer, the last answer counts.
        """
        now = asyncio.get_running_loop().time()
        if now < self._next_look:
            return self._used
        self._next_look = now + LOOK_S
        try:
            servers = (await self._log.info()).values()
        except Unavailable:
            return self._used
        self._used = max((_used(server) for server in servers), default=0.0)
        return self._used

    async def has_room(self) -> bool:
        """Return whether new matches and guests are admitted."""
        return await self.log_used() <= 1 - self._reserve

    async def require_room(self) -> None:
        """Raise `Problem` 503 if only the reserve of running matches is left."""
        if not await self.has_room():
            LIMITED.labels("log").inc()
            raise log_nearly_full()


def log_nearly_full() -> Problem:
    """Refuse a new match or guest, since the rest of the log's memory is for running matches."""
    return Problem(
        503,
        "log-nearly-full",
        "The log is nearly full. Running matches go on, but no new ones begin. Try again later.",
        retry_after=RETRY_S,
    )


def _used(server: dict[str, Any]) -> float:
    limit = int(server.get("maxmemory", 0))
    return int(server["used_memory"]) / limit if limit else 0.0
