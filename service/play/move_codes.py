"""Move codes: they sign in one more device of a player, once, within a few minutes.

They are in the work Redis as keyed hashes, and expire there.
"""

from typing import Any

from service.base.keys import Keys
from service.play.codes import as_read, fresh_code
from service.play.recovery_codes import wrong_code
from service.play.work_needed import work_needed

GROUPS = 2
VALID_S = 300
"""Time for which a code is valid (seconds)."""


class MoveCodes:
    """The move codes of players, at most one each."""

    def __init__(self, work: Any, keys: Keys) -> None:
        """Use an asyncio client of the work Redis (of bytes)."""
        self._work = work
        self._keys = keys

    async def make(self, player: str) -> str:
        """Return a new code, which replaces the player's earlier one. Raises `Problem` 503."""
        code = fresh_code(GROUPS)
        key = self._key(code)
        with work_needed():
            await self.forget(player)
            await self._work.set(key, player, ex=VALID_S)
            await self._work.set(_of(player), key, ex=VALID_S)
        return code

    async def use(self, code: str) -> str:
        """Return the player with a code, and delete the code. Raises `Problem` 403, 503."""
        with work_needed():
            player = await self._work.getdel(self._key(code))
        if player is None:
            raise wrong_code()
        return player.decode()

    async def forget(self, player: str) -> None:
        """Delete a player's code, if there is one. Raises `Problem` 503."""
        with work_needed():
            if (key := await self._work.getdel(_of(player))) is not None:
                await self._work.delete(key)

    def _key(self, code: str) -> str:
        return "move:" + self._keys.derive("move", as_read(code)).hex()[:40]


def _of(player: str) -> str:
    return f"move:of:{player}"
