"""Erase a player. Logs contain only ids, so none is rewritten."""

from collections.abc import Sequence
from typing import Protocol

import structlog
from msgspec.structs import replace

from service.base.problems import Problem
from service.play.match_cache import NOT_FOUND
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
        talk: Talk,
        others: Sequence[Forgetful],
    ) -> None:
        """Erase names and tokens, and talk. `others` forget players too."""
        self._players = players
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
        record = await self._players.stored(player)
        await self._talk.forget(player, record.talked)
        for other in self._others:
            await other.forget(player)
        last = await self._players.erase(player)
        await self._talk.forget(player, last.talked)  # what was said in the meantime, elsewhere
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
