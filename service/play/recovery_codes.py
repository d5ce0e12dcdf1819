"""Recovery codes: a player who lost all devices signs in with the code, once.

The store has no code, only a record whose id is a keyed hash of the code, and which names the
player. So neither the store nor a backup can be searched for codes.
"""

from service.base.keys import Keys
from service.base.problems import Problem
from service.play.codes import as_read, fresh_code
from service.play.players import Players

GROUPS = 4


class RecoveryCodes:
    """The recovery codes of players, at most one each."""

    def __init__(self, players: Players, keys: Keys) -> None:
        """Keep the codes beside the players' records."""
        self._players = players
        self._keys = keys

    async def make(self, player: str) -> str:
        """Return a new code, which replaces the player's earlier one. Raises `Problem` 404."""
        code = fresh_code(GROUPS)
        await self._players.set_recovery(player, self._id(code))
        return code

    async def use(self, code: str) -> tuple[str, str]:
        """Return the player with a code, and the code that replaces it. Raises `Problem` 403."""
        known, new = self._id(code), fresh_code(GROUPS)
        player = await self._players.recovered(known, self._id(new))
        if player is None:
            raise wrong_code()
        return player, new

    async def delete(self, player: str) -> None:
        """Delete a player's code, if there is one. Raises `Problem` 404."""
        await self._players.set_recovery(player, "")

    def _id(self, code: str) -> str:
        return "r_" + self._keys.derive("recovery", as_read(code)).hex()[:40]


def wrong_code() -> Problem:
    """Refuse a code, without telling why it is not valid."""
    return Problem(
        403, "wrong-code", "This code is not valid. It may be mistyped, used up or too old."
    )
