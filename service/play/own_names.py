"""Names that are a player's own: nobody else may take one that looks the same.

Whoever can come back, by a passkey, a code, an address or an identity, owns the name. A lead for
each way in which it looks like others (`service.play.look_alikes`) keeps it.
"""

import secrets
from collections.abc import Iterator

from msgspec.structs import replace

from service.base.keys import Keys
from service.base.problems import Problem
from service.play.leads import Leads
from service.play.look_alikes import looks
from service.play.names import LENGTH_MAX
from service.play.player_record import Player

NUMBERS = (2, 3, 4, 5)
"""Numbers that are tried first to make a name free. After them come random ones of four digits."""
DRAWN = 3


class OwnNames:
    """The names that players own."""

    def __init__(self, leads: Leads, keys: Keys) -> None:
        """Keep names as leads to their players."""
        self._leads = leads
        self._keys = keys

    async def settled(self, player: str, before: Player, after: Player) -> Player:
        """Return a changed record with the leads of its name, which are claimed.

        Raises `Problem` 409 if another player owns the name, unless the player had it already: a
        guest may stay, and so may who could come back before names were kept.
        """
        changed = after.name != before.name
        if after.erased:
            return after
        if not after.can_come_back:
            if changed:
                await self.require_free(after.name, player)
            return _with(after, ())
        if await self._claim(player, after.name, before.own_name):
            return _with(after, self._ids(after.name))
        if changed or not before.can_come_back:
            raise await self._taken(after.name)
        return _with(after, ())

    async def require_free(self, name: str, player: str) -> None:
        """Raise `Problem` 409 if another player owns a name that looks the same."""
        if not await self.is_free(name, player):
            raise await self._taken(name)

    async def is_free(self, name: str, player: str = "") -> bool:
        """Return whether no other player owns a name that looks the same."""
        for lead in self._ids(name):
            if (await self._leads.claimed(lead)).holder not in ("", player):
                return False
        return True

    async def free(self, name: str) -> str:
        """Return a name that nobody owns, made from one that somebody does."""
        made = name
        for number in _numbers():
            made = f"{name[: LENGTH_MAX - len(str(number)) - 1].rstrip()} {number}"
            if await self.is_free(made):
                break
        return made

    async def _claim(self, player: str, name: str, listed: tuple[str, ...]) -> bool:
        """Claim all leads of a name for a player; if another holds one of them, claim none."""
        claimed: set[str] = set()
        for lead in self._ids(name):
            if not await self._leads.claim(lead, player, listed=lead in listed):
                await self._leads.end(claimed - set(listed), player)
                return False
            claimed.add(lead)
        return True

    async def _taken(self, name: str) -> Problem:
        free = await self.free(name)
        return Problem(
            409,
            "name-taken",
            f"The name {name} belongs to another player, or looks the same as one that does. "
            f"Choose another one. {free} is free.",
            suggestion=free,
        )

    def _ids(self, name: str) -> tuple[str, ...]:
        """Return the ids of the leads of a name, in the order in which everybody claims them."""
        return tuple(
            sorted("n_" + self._keys.derive("name", look).hex()[:40] for look in looks(name))
        )


def _with(record: Player, leads: tuple[str, ...]) -> Player:
    return record if record.own_name == leads else replace(record, own_name=leads)


def _numbers() -> Iterator[int]:
    yield from NUMBERS
    for _ in range(DRAWN):
        yield 1_000 + secrets.randbelow(9_000)
