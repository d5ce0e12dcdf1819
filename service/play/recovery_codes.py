"""Recovery codes: a player who lost all devices signs in with the code, once.

The store has no code, only the lead from it to the player (`leads.py`).

An answer can get lost on its way, and with it the next code. So the next code follows from the used
one, and the same call gives it again for a few minutes, unless the player has another code by then.
"""

from contextlib import suppress
from typing import Any

from redis.exceptions import RedisError

from service.base.keys import Keys
from service.base.problems import Problem
from service.play.codes import GROUP, as_read, code_of, fresh_code
from service.play.players import Players

GROUPS = 4
REPEAT_S = 600
"""Time in which the same sign-in may be sent again (seconds)."""


class RecoveryCodes:
    """The recovery codes of players, at most one each."""

    def __init__(self, players: Players, keys: Keys, work: Any) -> None:
        """Keep the codes beside the players' records, and used ones in the work Redis for a while.

        `work` is an asyncio client of the work Redis (of bytes).
        """
        self._players = players
        self._keys = keys
        self._work = work

    async def make(self, player: str) -> str:
        """Return a new code, which replaces the player's earlier one. Raises `Problem` 404."""
        code = fresh_code(GROUPS)
        await self._players.set_code(player, self._id(code))
        return code

    async def use(self, code: str) -> tuple[str, str]:
        """Return the player with a code, and the code that replaces it. Raises `Problem` 403."""
        known, new = self._id(code), self._next(code)
        player = await self._players.recovered(known, self._id(new))
        if player is not None:
            with suppress(RedisError, OSError):
                await self._work.set(_used(known), player, ex=REPEAT_S)
            return player, new
        if (player := await self._repeated(known, self._id(new))) is not None:
            return player, new
        raise wrong_code()

    async def delete(self, player: str) -> None:
        """Delete a player's code, if there is one. Raises `Problem` 404."""
        await self._players.set_code(player, "")

    async def _repeated(self, known: str, new: str) -> str | None:
        """Return the player who used a code a moment ago and has not used the next one."""
        with suppress(RedisError, OSError):
            if (player := await self._work.get(_used(known))) is not None:
                record = await self._players.stored(player.decode())
                return player.decode() if record.code_lead == new else None
        return None

    def _id(self, code: str) -> str:
        return "r_" + self._keys.derive("recovery", as_read(code)).hex()[:40]

    def _next(self, code: str) -> str:
        return code_of(self._keys.derive("next recovery", as_read(code))[: GROUPS * GROUP])


def wrong_code() -> Problem:
    """Refuse a code, without telling why it is not valid."""
    return Problem(
        403, "wrong-code", "This code is not valid. It may be mistyped, used up or too old."
    )


def _used(code: str) -> str:
    return f"recovery:used:{code}"
