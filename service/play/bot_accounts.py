"""Bot accounts: players that are programs, each with the player who owns it."""

import secrets

from msgspec.structs import replace

from projections.people import BOT_ACCOUNT, is_bot_account
from service.base.problems import Problem, forbidden, not_found
from service.play.player_record import Player
from service.play.players import Players


class BotAccounts:
    """The bot accounts of players."""

    def __init__(self, players: Players, bots_max: int) -> None:
        """Allow each player a number of bot accounts."""
        self._players = players
        self._max = bots_max

    async def create(self, owner: str, name: str) -> tuple[str, str]:
        """Create a bot account; return its id and token. Raises `Problem` 400, 403, 422."""
        if is_bot_account(owner):
            raise forbidden("A bot account cannot own another. Use the token of a person.")
        bot = BOT_ACCOUNT + secrets.token_urlsafe(12)

        def add(record: Player) -> Player:
            if len(record.bots) >= self._max:
                raise Problem(
                    422, "too-many-bots", f"You may have at most {self._max} bots. Erase one first."
                )
            return replace(record, bots=(*record.bots, bot))

        made = await self._players.create(name, player=bot, owner=owner)
        try:
            await self._players.update(owner, add)
        except Problem:
            await self._players.erase(bot)
            raise
        return made

    async def of(self, owner: str) -> list[tuple[str, Player]]:
        """Return a player's bots, by id, oldest first."""
        record = await self._players.get(owner)
        bots = () if record is None else record.bots
        found = [(bot, await self._players.get(bot)) for bot in bots]
        return [(bot, one) for bot, one in found if one is not None and not one.erased]

    async def require(self, owner: str, bot: str) -> None:
        """Raise `Problem` 404 unless a player owns a bot."""
        record = await self._players.get(bot)
        if record is None or record.erased or record.owner != owner:
            raise not_found("bot")
