"""Stored analyses, by the hash of the log's head. If the work Redis is lost, so are they."""

from typing import Any

from replay.analysis import FORMAT
from service.base.clock import DAY_S
from service.play.work_needed import work_needed

KEPT_S = 30 * DAY_S
"""Time since the last use (seconds)."""
PARTIAL_KEPT_S = 900
"""Time for which a partial analysis is kept (seconds). Its job takes less."""


class Analyses:
    """The stored analyses of all matches."""

    def __init__(self, work: Any, commands: int) -> None:
        """Use the work Redis through an asyncio client of bytes; `commands` is the budget."""
        self._work = work
        self.commands = commands

    async def get(self, head: str) -> bytes | None:
        """Return the analysis of the log with that head as JSON; raises `Problem` 503."""
        with work_needed():
            return await self._work.getex(self._key(head), ex=KEPT_S)

    async def get_partial(self, head: str) -> bytes | None:
        """Return what is known so far of an analysis under way; raises `Problem` 503."""
        with work_needed():
            return await self._work.get(self._partial_key(head))

    async def keep(self, head: str, analysis: bytes, *, complete: bool) -> None:
        """Store an analysis; raises `Problem` 503."""
        with work_needed():
            if complete:
                await self._work.set(self._key(head), analysis, ex=KEPT_S)
            else:
                await self._work.set(self._partial_key(head), analysis, ex=PARTIAL_KEPT_S)

    def _key(self, head: str) -> str:
        return f"analysis:{FORMAT}:{self.commands}:{head}"

    def _partial_key(self, head: str) -> str:
        return f"partial:{self._key(head)}"
