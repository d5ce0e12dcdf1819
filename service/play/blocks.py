"""Blocked players and muted matches. They are in the player's record, and nobody else sees them."""

from collections.abc import Iterable

from msgspec.structs import replace

from service.base.problems import Problem
from service.play.player_record import Player
from service.play.players import Players

BLOCKS_MAX = 200
"""Maximum number of players whom a player has blocked."""
MUTES_MAX = 100
"""Number of muted matches. One more unmutes the one that was muted first."""


class Blocks:
    """Whom players have blocked, and which matches they have muted."""

    def __init__(self, players: Players) -> None:
        """Use the records of players."""
        self._players = players

    async def of(self, player: str) -> Player:
        """Return the record with a player's blocks and mutes; raises `Problem` 404."""
        return await self._players.stored(player)

    async def block(self, player: str, other: str) -> None:
        """Block a player, whose bots are blocked too; raises `Problem` 404, 422."""
        if other == player:
            raise Problem(422, "own-block", "You cannot block yourself.").at(parameter="player")

        def add(record: Player) -> Player:
            if other in record.blocks:
                return record
            if len(record.blocks) >= BLOCKS_MAX:
                raise Problem(
                    422,
                    "too-many-blocks",
                    f"You may block at most {BLOCKS_MAX} players. Unblock one first.",
                )
            return replace(record, blocks=(*record.blocks, other))

        await self._players.stored(other)
        await self._players.update(player, add)

    async def unblock(self, player: str, other: str) -> None:
        """Unblock a player, if blocked; raises `Problem` 404."""
        await self._players.update(
            player, lambda record: replace(record, blocks=_without(record.blocks, other))
        )

    async def mute(self, player: str, match: str) -> None:
        """Mute the talk of a match; raises `Problem` 404."""
        await self._players.update(
            player,
            lambda record: replace(
                record, mutes=(*_without(record.mutes, match), match)[-MUTES_MAX:]
            ),
        )

    async def unmute(self, player: str, match: str) -> None:
        """Hear the talk of a match again, if it is muted; raises `Problem` 404."""
        await self._players.update(
            player, lambda record: replace(record, mutes=_without(record.mutes, match))
        )

    async def stands(self, player: str, other: str) -> bool:
        """Return whether a player has blocked another, or the owner of that bot."""
        record = await self._players.get(player)
        if record is None or not record.blocks:
            return False
        if other in record.blocks:
            return True
        bot = await self._players.get(other)
        return bot is not None and bot.owner in record.blocks

    async def between(self, player: str, others: Iterable[str]) -> bool:
        """Return whether a player has blocked one of the others, or is blocked by one."""
        for other in others:
            if await self.stands(player, other) or await self.stands(other, player):
                return True
        return False

    async def hears(self, player: str, match: str, speaker: str) -> bool:
        """Return whether a player is told of what another says in a match."""
        record = await self._players.get(player)
        if record is not None and match in record.mutes:
            return False
        return not await self.stands(player, speaker)


def _without(values: tuple[str, ...], value: str) -> tuple[str, ...]:
    return tuple(one for one in values if one != value)
