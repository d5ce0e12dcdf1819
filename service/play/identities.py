"""Identities at the operator's provider: another way to sign in.

An identity belongs to one player: to whoever has linked it, or else to a player of its own, who is
created at the first sign-in.
"""

from service.base.problems import Problem
from service.play.admission import Admission
from service.play.identity_provider import Grant, IdentityProvider
from service.play.player_record import Player
from service.play.players import Players

BACK = "/sign-in/back"
"""Page to which the provider sends a player back."""


class Identities:
    """The identities of players."""

    def __init__(
        self, players: Players, admission: Admission, provider: IdentityProvider | None
    ) -> None:
        """Keep linked identities in the players' records; without a provider none can be used."""
        self._players = players
        self._admission = admission
        self._provider = provider

    @property
    def name(self) -> str | None:
        """Name of the provider for players; None if the operator has set none."""
        return None if self._provider is None else self._provider.client.name

    @property
    def provider(self) -> IdentityProvider:
        """The provider. Raises `Problem` 422 without one."""
        if self._provider is None:
            raise Problem(
                422,
                "no-identity-provider",
                "This service has no identity provider. Its operator can set SHIPLOG_OIDC_ISSUER.",
            )
        return self._provider

    async def of(self, player: str) -> Player:
        """Return the record that tells whether a player has an identity. Raises `Problem` 404."""
        return await self._players.stored(player)

    async def player_of(self, grant: Grant, site: str) -> str:
        """Return the player whom the provider has signed in, created at the first visit.

        Raises `Problem` 401, 403, 422, 503.
        """
        issuer, subject, name = await self.provider.identity(grant, site + BACK)
        _, record = await self._players.of_identity(issuer, subject)
        if record is None:
            await self._admission.require_room()
        return (await self._players.external(issuer, subject, name)).player

    async def link(self, player: str, grant: Grant, site: str) -> None:
        """Link the identity that the provider has signed in to a player.

        Raises `Problem` 403, 404, 409, 422, 503.
        """
        issuer, subject, _ = await self.provider.identity(grant, site + BACK)
        await self._players.link(player, issuer, subject)

    async def unlink(self, player: str) -> None:
        """Unlink a player's identity, if one is linked. Raises `Problem` 404."""
        await self._players.unlink(player)
