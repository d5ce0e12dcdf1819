"""Players and their tokens. Each player has one record, which can be erased.

A token is `player.generation.mac`: a forged one is recognised without a look-up, and a token
becomes invalid when the record's generation is raised. Tokens for apps have an id in place of the
generation, and are valid as long as the record lists them. A stolen store contains no token.
"""

import asyncio
import hmac
import re
import secrets
from collections.abc import Callable
from typing import Any, Literal
from weakref import WeakValueDictionary

import msgspec
from cachetools import LRUCache, TTLCache

from events.record import at_micros, at_text
from events.store import Store
from games.wire import Time
from service.base.clock import now_micros
from service.base.keys import Keys
from service.base.problems import Problem, missing_scope, not_found, unauthenticated
from service.play.names import LENGTH_MAX, nickname

Role = Literal["operator", "auditor"]
Scope = Literal["read", "stream", "play", "bots", "officer"]
"""What a token for an app may be allowed."""
Need = Literal[Scope, "account"]
"""The scope that a call needs. `account` is of the player's own tokens only."""
Told = Literal[
    "turn", "match_over", "proposal", "invitation",
    "match_started", "talk", "invitation_closed", "seek_filled", "rematch",
]  # fmt: skip
"""Types of notices that webhooks may send."""
WHICH = re.compile(r"[1-9]\d{0,8}|t_[A-Za-z0-9_-]{1,32}", re.ASCII)
KNOWN_S = 30
"""Time for which a cached record is trusted, and a token revoked elsewhere stays valid
(seconds).
"""
KNOWN_MAX = 50_000


ERASED_NAME = "erased player"
"""Shown in place of an erased player's name."""
IDENTITIES_MAX = 100
"""Maximum number of players, one after the other, of the same identity."""


class AppToken(msgspec.Struct, frozen=True):
    """A token that a player made for an app. The token itself is not stored."""

    id: str
    name: str
    scopes: tuple[Scope, ...]
    created: Time
    expires: Time | None
    """When the token becomes invalid; null if it does not expire."""

    def has_expired(self) -> bool:
        """Return whether the token has expired."""
        return self.expires is not None and at_micros(self.expires) <= now_micros()


class Webhook(msgspec.Struct, frozen=True):
    """Where a player wants to be told of what happens. Its secret is not stored."""

    id: str
    url: str
    events: tuple[Told, ...]
    created: Time
    app: str = ""
    """ID of the app's token with which the webhook was made, and with which it ends."""


class Player(msgspec.Struct, frozen=True, omit_defaults=True):
    """The record of a player."""

    name: str
    created: str
    generation: int = 1
    """Generation of the valid tokens."""
    roles: tuple[Role, ...] = ()
    external: str = ""
    """Issuer and subject, for players of an identity provider."""
    owner: str = ""
    """Bot accounts: the player who owns the bot."""
    bots: tuple[str, ...] = ()
    """Bot accounts that the player owns."""
    tokens: tuple[AppToken, ...] = ()
    webhooks: tuple[Webhook, ...] = ()
    erased: bool = False
    """Whether the player is erased; the other fields are then empty, and the id lives on in
    logs.
    """


class Caller(msgspec.Struct, frozen=True):
    """The player who makes a request."""

    player: str
    roles: tuple[Role, ...] = ()
    generation: int = 0
    """Generation of the token; 0 for tokens of an identity provider and of apps."""
    app: str = ""
    """ID of the token for an app."""
    scopes: tuple[Scope, ...] | None = None
    """Scopes of the token; None for the player's own tokens, which are allowed everything."""

    def require(self, need: Need) -> None:
        """Raise `Problem` 403 if the token lacks a scope."""
        if self.scopes is not None and need not in self.scopes:
            raise missing_scope(need)

    @property
    def sees_all(self) -> bool:
        """Whether the caller may read matches in full."""
        return bool(self.roles)

    @property
    def operator(self) -> str | None:
        """The name under which an operator acts."""
        return self.player if "operator" in self.roles else None


class Players:
    """The records and tokens of players."""

    def __init__(self, store: Store, keys: Keys) -> None:
        """Use a store and the service's keys."""
        self._store = store
        self._keys = keys
        self._known: TTLCache[str, Player | None] = TTLCache(KNOWN_MAX, KNOWN_S)
        self._genuine: LRUCache[str, None] = LRUCache(KNOWN_MAX)
        """Recent tokens with a valid MAC. The player's record tells whether they are revoked."""
        self._locks: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()

    async def create(
        self,
        name: str,
        *,
        roles: tuple[Role, ...] = (),
        player: str | None = None,
        external: str = "",
        owner: str = "",
    ) -> tuple[str, str]:
        """Create a player; return its id and token. Raises `Problem` 400."""
        player = player or f"p_{secrets.token_urlsafe(12)}"
        record = Player(
            nickname(name), at_text(now_micros()), roles=roles, external=external, owner=owner
        )
        await self._put(player, record)
        return player, self.token(player, str(record.generation))

    async def external(self, issuer: str, subject: str, name: Any) -> Caller:
        """Return the player of an identity, created at its first visit.

        `name` is what the identity provider says. If that cannot be a name, the player is a guest.
        An identity whose player was erased gets a new player.
        """
        for life in range(IDENTITIES_MAX):
            names = (issuer, subject) if life == 0 else (issuer, subject, str(life))
            player = "p_" + self._keys.derive("external", *names).hex()[:24]
            record = await self.get(player)
            if record is None:
                shown = _name_of_identity(name)
                await self.create(shown, player=player, external=f"{issuer} {subject}")
                return Caller(player)
            if not record.erased:
                return Caller(player, record.roles)
        raise unauthenticated("This identity was erased too often.")

    async def rotate(self, player: str) -> str:
        """Revoke all of a player's tokens and return a new one. Raises `Problem` 404."""
        record = await self._end_tokens(player)
        return self.token(player, str(record.generation))

    async def revoke(self, player: str) -> None:
        """Revoke all of a player's tokens. Raises `Problem` 404."""
        await self._end_tokens(player)

    async def stands(self, caller: Caller) -> bool:
        """Return whether the caller's token is still valid."""
        record = await self.get(caller.player)
        if record is None or record.erased:
            return False
        if caller.app:
            return any(one.id == caller.app and not one.has_expired() for one in record.tokens)
        return caller.generation in (0, record.generation)

    async def rename(self, player: str, name: str) -> str:
        """Change a player's name, and return its normal form; raises `Problem` 400, 404."""
        name = nickname(name)
        await self.update(player, lambda record: msgspec.structs.replace(record, name=name))
        return name

    async def update(self, player: str, change: Callable[[Player], Player]) -> Player:
        """Change a player's record as stored now, and return it; raises `Problem` 404.

        Changes by this process are made one after the other.
        """
        async with self._lock(player):
            record = change(await self._present(player))
            await self._put(player, record)
            return record

    async def erase(self, player: str) -> None:
        """Erase name, identity, roles and tokens; raises `Problem` 404."""
        async with self._lock(player):
            if not (await self.stored(player)).erased:
                await self._put(player, Player(name="", created="", generation=0, erased=True))

    async def is_erased(self, player: str) -> bool:
        """Return whether a player has been erased."""
        record = await self.get(player)
        return record is not None and record.erased

    def token(self, player: str, which: str) -> str:
        """Return a token of a player: of a generation, or the one for an app with an id."""
        return f"{player}.{which}.{self._mac(player, which)}"

    async def caller(self, token: str) -> Caller:
        """Return the caller with a token; raises `Problem` 401."""
        player, _, rest = token.partition(".")
        which, _, mac = rest.partition(".")
        if token not in self._genuine:
            if not WHICH.fullmatch(which):
                raise unauthenticated("This is not a token of this service.")
            if not hmac.compare_digest(mac.encode(), self._mac(player, which).encode()):
                raise unauthenticated("This is not a token of this service.")
            self._genuine[token] = None
        record = await self.get(player)
        if record is None or record.erased:
            raise unauthenticated("This token has been revoked.")
        if which.isdigit():
            if record.generation != int(which):
                raise unauthenticated("This token has been revoked.")
            return Caller(player, record.roles, record.generation)
        app = next((one for one in record.tokens if one.id == which), None)
        if app is None:
            raise unauthenticated("This token has been revoked.")
        if app.has_expired():
            raise unauthenticated("This token has expired. Make another one.")
        roles = record.roles if "officer" in app.scopes else ()
        return Caller(player, roles, app=which, scopes=app.scopes)

    async def get(self, player: str) -> Player | None:
        """Return a player's record, if there is one."""
        try:
            return self._known[player]
        except KeyError:
            pass
        data = await self._store.player(player)
        record = None if data is None else msgspec.json.decode(data, type=Player)
        self._known[player] = record
        return record

    async def names(self, players: list[str]) -> dict[str, str]:
        """Return the names of players, without unknown ones."""
        records = {player: await self.get(player) for player in players}
        return {
            player: ERASED_NAME if record.erased else record.name
            for player, record in records.items()
            if record is not None
        }

    async def _end_tokens(self, player: str) -> Player:
        """Revoke the player's own tokens and those for apps, with the webhooks made with them."""
        return await self.update(
            player,
            lambda record: msgspec.structs.replace(
                record, generation=record.generation + 1, tokens=(), webhooks=()
            ),
        )

    def _lock(self, player: str) -> asyncio.Lock:
        return self._locks.setdefault(player, asyncio.Lock())

    async def stored(self, player: str) -> Player:
        """Return a record as stored now; raises `Problem` 404. A write must not undo an erasure."""
        self._known.pop(player, None)
        if (record := await self.get(player)) is None:
            raise not_found("player")
        return record

    async def _present(self, player: str) -> Player:
        record = await self.stored(player)
        if record.erased:
            raise not_found("player")
        return record

    async def _put(self, player: str, record: Player) -> None:
        await self._store.put_player(player, msgspec.json.encode(record))
        self._known[player] = record

    def _mac(self, player: str, which: str) -> str:
        return self._keys.derive("token", player, which).hex()[:43]


def _name_of_identity(name: Any) -> str:
    try:
        return nickname(name[:LENGTH_MAX] if isinstance(name, str) else "")
    except Problem:
        return "guest"
