"""Sign in with the operator's identity provider, and link an identity to the caller."""

from typing import Annotated

import msgspec
from litestar import delete, get, post
from litestar.di import NamedDependency
from litestar.params import JSONBody
from msgspec import Meta

from games.wire import Time
from service.http.body import AnyRequest
from service.http.sign_ins import SignedIn
from service.http.sites import Sites
from service.http.user_agent import device_of
from service.play.caller import Caller
from service.play.devices import Devices
from service.play.identities import BACK, Identities
from service.play.identity_provider import SCOPE, Grant


class AuthorizationRequest(msgspec.Struct):
    """Where to send the player, and the parameters that are the same each time.

    Add `response_type=code`, `state`, `nonce`, `code_challenge` and `code_challenge_method=S256`.
    """

    authorization_endpoint: str
    """Address at the identity provider."""
    client_id: str
    """Name of this service at the identity provider."""
    redirect_uri: str
    """Page to which the provider sends the player back, with `code` and `state`."""
    scope: str
    """What the provider is asked for."""


class AuthorizationGrant(msgspec.Struct, forbid_unknown_fields=True):
    """What came back from the identity provider, and what the page had kept."""

    code: Annotated[str, Meta(min_length=1, max_length=2_048, pattern="^[!-~]+$")]
    """The authorization code."""
    verifier: Annotated[str, Meta(min_length=43, max_length=128, pattern="^[A-Za-z0-9._~-]+$")]
    """The PKCE code verifier (RFC 7636)."""
    nonce: Annotated[str, Meta(min_length=16, max_length=128, pattern="^[A-Za-z0-9_-]+$")]
    """The `nonce` that was sent to the provider."""


class IdentityView(msgspec.Struct):
    """Your identity at the operator's identity provider."""

    provider: str | None
    """Name of the provider; null if the operator has set none."""
    linked: Time | None
    """When you linked your identity; null if you have not."""
    brought: bool
    """Whether an identity provider brought you here. That identity cannot be unlinked."""


@get(
    "/sign-ins/oidc",
    tags=["account"],
    operation_id="getAuthorizationRequest",
    counts="calls",
    refuses=("no-identity-provider", "provider-unavailable"),
)
async def get_authorization_request(
    request: AnyRequest, identities: NamedDependency[Identities], sites: NamedDependency[Sites]
) -> AuthorizationRequest:
    """Return how to send a player to the identity provider (OpenID Connect with PKCE)."""
    provider = identities.provider
    metadata = await provider.metadata()
    back = sites.url(request.scope) + BACK
    return AuthorizationRequest(metadata.authorization_endpoint, provider.client.id, back, SCOPE)


@post(
    "/sign-ins/oidc",
    status_code=201,
    tags=["account"],
    operation_id="signInByIdentity", counts="sign-ins",
    refuses=(
        "no-identity-provider", "identity-refused", "provider-unavailable", "not-found",
        "name-taken",
    ),
    secret=True,
)  # fmt: skip
async def sign_in_by_identity(
    request: AnyRequest,
    data: JSONBody[AuthorizationGrant],
    identities: NamedDependency[Identities],
    sites: NamedDependency[Sites],
    devices: NamedDependency[Devices],
) -> SignedIn:
    """Sign in with what came back from the identity provider, once.

    That is the player who linked the identity. Any other identity has a player of its own, who is
    created at the first sign-in.
    """
    player = await identities.player_of(_grant(data), sites.url(request.scope))
    made = await devices.sign_in(player, device_of(request.scope))
    return SignedIn(made.player, made.token, made.name)


@get("/players/me/identity", tags=["account"], operation_id="getIdentity", scope="account")
async def get_identity(
    caller: NamedDependency[Caller], identities: NamedDependency[Identities]
) -> IdentityView:
    """Return whether you have an identity at the operator's identity provider."""
    return await _view(caller, identities)


@post(
    "/players/me/identity",
    status_code=201,
    tags=["account"],
    operation_id="linkIdentity", counts="sign-ins",
    scope="account",
    refuses=(
        "no-identity-provider", "identity-refused", "identity-taken", "provider-unavailable",
        "not-found", "name-taken",
    ),
)  # fmt: skip
async def link_identity(
    request: AnyRequest,
    data: JSONBody[AuthorizationGrant],
    caller: NamedDependency[Caller],
    identities: NamedDependency[Identities],
    sites: NamedDependency[Sites],
) -> IdentityView:
    """Link the identity that came back from the identity provider. You can then sign in with it.

    It replaces an earlier one.
    """
    await identities.link(caller.player, _grant(data), sites.url(request.scope))
    return await _view(caller, identities)


@delete(
    "/players/me/identity",
    tags=["account"],
    operation_id="unlinkIdentity",
    scope="account",
    refuses=("not-found",),
)
async def unlink_identity(
    caller: NamedDependency[Caller], identities: NamedDependency[Identities]
) -> None:
    """Unlink your identity, if one is linked. Nobody can sign in with it as you any more."""
    await identities.unlink(caller.player)


HANDLERS = (
    get_authorization_request,
    sign_in_by_identity,
    get_identity,
    link_identity,
    unlink_identity,
)


async def _view(caller: Caller, identities: Identities) -> IdentityView:
    record = await identities.of(caller.player)
    linked = None if record.identity is None else record.identity.created
    return IdentityView(identities.name, linked, bool(record.external))


def _grant(data: AuthorizationGrant) -> Grant:
    return Grant(data.code, data.verifier, data.nonce)
