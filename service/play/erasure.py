"""Erase a player. Logs contain only ids, so none is rewritten."""

from collections.abc import AsyncIterator, Sequence
from typing import Any, Protocol

import structlog
from msgspec.structs import replace
from redis.exceptions import RedisError

from projections.entries import history_index
from projections.rows import PAGE_MAX, NoRows, Rows
from service.base.problems import Problem, work_unavailable
from service.play.match_cache import NOT_FOUND, MatchCache
from service.play.players import Players
from service.play.talk import Talk

log = structlog.get_logger("shiplog")


class Forgetful(Protocol):
    """What the work Redis has of players, apart from talk."""

    async def forget(self, player: str) -> None:
        """Delete what there is of a player; raises `Problem` 503."""
        ...


class Erasure:
    """Erases players."""

    def __init__(
        self,
        players: Players,
        cache: MatchCache,
        work: Any,
        talk: Talk,
        others: Sequence[Forgetful],
    ) -> None:
        """Erase names and tokens, and talk; `work` is an asyncio client of bytes.

        `others` forget players too.
        """
        self._players = players
        self._cache = cache
        self._rows = Rows(work)
        self._talk = talk
        self._others = others

    async def erase(self, player: str) -> None:
        """Erase a player's bots and talk, then name, identity, roles and tokens.

        The name goes last, so that a failed erasure can be repeated. Raises `Problem` 404, 503.
        """
        record = await self._players.stored(player)
        for one in (*record.bots, player):
            await self._erase(one)
        if record.owner:
            await self._disown(record.owner, player)

    async def _erase(self, player: str) -> None:
        async for match in self._matches(player):
            cached = await self._cache.get(match)
            seat = cached.folded.players.get(player)
            if seat is not None:
                await self._talk.forget(cached.match, seat)
        for other in self._others:
            await other.forget(player)
        await self._players.erase(player)
        log.info("erased", player=player)

    async def _disown(self, owner: str, bot: str) -> None:
        """Remove a bot from the record of its owner, unless the owner is being erased too."""
        try:
            await self._players.update(
                owner,
                lambda record: replace(
                    record, bots=tuple(one for one in record.bots if one != bot)
                ),
            )
        except Problem as problem:
            if problem.status != NOT_FOUND:
                raise

    async def _matches(self, player: str) -> AsyncIterator[str]:
        """Yield the ids of the player's matches; without rows, of all matches with messages."""
        after = None
        index = history_index(player, private=True)
        try:
            while True:
                page = await self._rows.page(index, after, PAGE_MAX)
                for summary in page.summaries:
                    yield summary.match
                if (after := page.next) is None:
                    return
        except NoRows:
            async for match in self._talk.matches():
                yield match
        except (RedisError, OSError):
            raise work_unavailable() from None
