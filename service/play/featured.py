"""The match that the lobby features: chosen anew every few seconds, for all callers together."""

import asyncio
from typing import Any

from cachetools import TTLCache

from projections.entries import lobby_index
from projections.featured import candidates, featured, people
from projections.profiles import Profiles
from projections.rows import Rows
from projections.summary import Summary
from service.base.clock import now_micros
from service.play.listings import ListedMatch, listed
from service.play.work_needed import work_needed

FRESH_S = 5.0
"""Time for which a choice is answered from memory (seconds)."""
LOOKED_AT = 100
"""Number of running matches to choose from, the last opened ones."""
RATED = 20
"""Number of candidates whose players' ratings are read."""


class Featured:
    """Chooses the featured match."""

    def __init__(self, work: Any) -> None:
        """Use an asyncio client of the work Redis (of bytes)."""
        self._rows = Rows(work)
        self._profiles = Profiles(work)
        self._chosen: TTLCache[str, ListedMatch | None] = TTLCache(1, FRESH_S)
        self._lock = asyncio.Lock()

    async def match(self) -> ListedMatch | None:
        """Return the featured match, or None if there is none; raises `Problem` 503."""
        async with self._lock:
            if "" not in self._chosen:
                with work_needed():
                    self._chosen[""] = await self._choose()
            return self._chosen[""]

    async def _choose(self) -> ListedMatch | None:
        now = now_micros()
        page = await self._rows.page(lobby_index(status="running"), None, LOOKED_AT)
        found = candidates(page.summaries, now)[:RATED]
        chosen = featured(found, {one.match: await self._rating(one) for one in found}, now)
        return None if chosen is None else listed(chosen)

    async def _rating(self, summary: Summary) -> float:
        """Return the best rating at a table; 0 if nobody there is rated."""
        rankings = [await self._profiles.rankings(one, [summary.game]) for one in people(summary)]
        ratings = [one.standing.rating for found in rankings for one in found]
        return max(ratings, default=0.0)
