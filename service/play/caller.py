"""Who makes a request, and what that token allows."""

from typing import Literal

import msgspec

from service.base.problems import missing_scope
from service.play.player_record import Role, Scope

Need = Literal[Scope, "account"]
"""The scope that a call needs. `account` is of the player's own tokens only."""


class Caller(msgspec.Struct, frozen=True):
    """The player who makes a request."""

    player: str
    roles: tuple[Role, ...] = ()
    device: str = ""
    """ID of the device; for a token of an earlier release, its generation. Empty for tokens of an
    identity provider and of apps.
    """
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
