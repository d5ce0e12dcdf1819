"""Stored analyses, by the hash of the log's head. If the work Redis is lost, so are they."""

from typing import Any

from replay.analysis import FORMAT
from service.play.work_needed import work_needed

KEPT_S = 30 * 86_400
"""Time since the last use (seconds)."""


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

    async def keep(self, head: str, analysis: bytes) -> None:
        """Store an analysis; raises `Problem` 503."""
        with work_needed():
            await self._work.set(self._key(head), analysis, ex=KEPT_S)

    def _key(self, head: str) -> str:
        return f"analysis:{FORMAT}:{self.commands}:{head}"
