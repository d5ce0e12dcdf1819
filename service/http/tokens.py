"""Tokens for apps: a player makes them with scopes, lists them, and revokes them."""

from typing import Annotated

import msgspec
from litestar import delete, get, post
from litestar.di import NamedDependency
from litestar.params import FromPath, JSONBody
from msgspec import Meta

from games.wire import Time
from service.base.clock import DAY_S
from service.play.app_tokens import AppTokens
from service.play.caller import Caller
from service.play.names import Name
from service.play.player_record import AppToken, Scope

YEAR_S = 366 * DAY_S


class NewToken(msgspec.Struct, forbid_unknown_fields=True):
    """A token to make for an app."""

    name: Name
    """What the token is for."""
    scopes: Annotated[list[Scope], Meta(min_length=1, max_length=5)]
    """`read`: read matches, lists and jobs. `stream`: follow streams. `play`: create matches, send
    commands, talk, invite, seek, ask for hints and analyses. `bots`: own bot accounts. `officer`:
    use your roles.
    """
    expires_in_s: Annotated[int, Meta(ge=60, le=YEAR_S)] | None = None
    """Time after which the token becomes invalid (seconds); null is never."""


class TokenView(msgspec.Struct):
    """A token for an app, without the token itself."""

    id: str
    """ID of the token. It is not a secret."""
    name: str
    """What the token is for."""
    scopes: list[Scope]
    """What the token is allowed."""
    created: Time
    expires: Time | None
    """When the token becomes invalid; null if it does not expire."""


class MadeToken(TokenView):
    """A new token for an app. It is shown only once: keep it."""

    token: str


@post(
    "/tokens",
    status_code=201,
    tags=["players"],
    operation_id="createToken",
    scope="account",
    refuses=("not-found", "bad-name", "too-many-tokens"),
    secret=True,
)
async def create_token(
    data: JSONBody[NewToken],
    caller: NamedDependency[Caller],
    app_tokens: NamedDependency[AppTokens],
) -> MadeToken:
    """Make a token for an app, which is allowed only what its scopes name."""
    made, token = await app_tokens.create(caller.player, data.name, data.scopes, data.expires_in_s)
    return MadeToken(made.id, made.name, list(made.scopes), made.created, made.expires, token)


@get("/tokens", tags=["players"], operation_id="listTokens", scope="account")
async def list_tokens(
    caller: NamedDependency[Caller], app_tokens: NamedDependency[AppTokens]
) -> list[TokenView]:
    """List the tokens that you made for apps, oldest first."""
    return [_view(one) for one in await app_tokens.of(caller.player)]


@delete(
    "/tokens/{token_id:str}",
    tags=["players"],
    operation_id="revokeToken",
    scope="account",
    refuses=("not-found",),
)
async def revoke_token(
    token_id: FromPath[str], caller: NamedDependency[Caller], app_tokens: NamedDependency[AppTokens]
) -> None:
    """Revoke one token of an app, by its id."""
    await app_tokens.revoke(caller.player, token_id)


def _view(one: AppToken) -> TokenView:
    return TokenView(one.id, one.name, list(one.scopes), one.created, one.expires)


HANDLERS = (create_token, list_tokens, revoke_token)
