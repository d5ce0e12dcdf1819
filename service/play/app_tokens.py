"""Tokens that a player makes for apps: each with its scopes, and revoked by itself."""

import secrets
from collections.abc import Sequence

from msgspec.structs import replace

from events.record import at_text
from games.match.clocks import SECOND
from service.base.clock import now_micros
from service.base.problems import Problem, not_found
from service.play.names import nickname
from service.play.player_record import AppToken, Player, Scope
from service.play.players import Players

TOKENS_MAX = 50
"""Maximum number of app tokens of a player."""


class AppTokens:
    """The app tokens of players."""

    def __init__(self, players: Players) -> None:
        """Keep them in the players' records."""
        self._players = players

    async def create(
        self, player: str, name: str, scopes: Sequence[Scope], expires_in_s: int | None
    ) -> tuple[AppToken, str]:
        """Create a token; return its description and the token. Raises `Problem` 400, 404, 422."""
        now = now_micros()
        expires = None if expires_in_s is None else at_text(now + expires_in_s * SECOND)
        given = tuple(sorted(set(scopes)))
        made = AppToken(
            f"t_{secrets.token_urlsafe(9)}", nickname(name), given, at_text(now), expires
        )

        def add(record: Player) -> Player:
            kept = tuple(one for one in record.tokens if not one.has_expired())
            if len(kept) >= TOKENS_MAX:
                raise Problem(
                    422,
                    "too-many-tokens",
                    f"You may have at most {TOKENS_MAX} app tokens. Revoke one first.",
                )
            return replace(record, tokens=(*kept, made))

        await self._players.update(player, add)
        return made, self._players.token(player, made.id)

    async def of(self, player: str) -> tuple[AppToken, ...]:
        """Return a player's tokens, oldest first."""
        record = await self._players.get(player)
        return () if record is None else record.tokens

    async def revoke(self, player: str, token: str) -> None:
        """Revoke a token, and delete the webhooks made with it; raises `Problem` 404."""

        def remove(record: Player) -> Player:
            kept = tuple(one for one in record.tokens if one.id != token)
            if kept == record.tokens:
                raise not_found("token")
            webhooks = tuple(one for one in record.webhooks if one.app != token)
            return replace(record, tokens=kept, webhooks=webhooks)

        await self._players.update(player, remove)
