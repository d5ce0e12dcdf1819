"""Sign in without a token: with a recovery code, a move code, a passkey or a link in an e-mail."""

from typing import Annotated

import msgspec
from litestar import get, post
from litestar.di import NamedDependency
from litestar.params import JSONBody
from msgspec import Meta

from service.http.account import Base64, CredentialId
from service.http.body import AnyRequest
from service.http.players import Welcome
from service.http.sites import Sites
from service.http.user_agent import device_of
from service.play.devices import Devices
from service.play.identities import Identities
from service.play.mailboxes import Mailboxes
from service.play.move_codes import MoveCodes
from service.play.passkeys import Assertion, Passkeys
from service.play.recovery_codes import RecoveryCodes

Code = Annotated[str, Meta(min_length=1, max_length=80)]


class Ways(msgspec.Struct):
    """Ways to sign in that the operator has to set up."""

    mail: bool
    """Whether links to sign in are sent by e-mail."""
    provider: str | None
    """Name of the identity provider with which players can sign in (`GET /sign-ins/oidc`); null
    without one.
    """


class GivenCode(msgspec.Struct, forbid_unknown_fields=True):
    """A code as somebody typed it: case, spaces and hyphens do not matter."""

    code: Code


class SignedIn(Welcome):
    """The player and the token of a new device. The token is shown only once: keep it."""

    name: str
    """Name of the player."""


class Recovered(SignedIn):
    """The player, the token of a new device, and the next recovery code: keep both."""

    recovery_code: str
    """Replaces the code that was used."""


class PasskeyChallenge(msgspec.Struct):
    """What a browser needs to sign in with a passkey (WebAuthn `get`)."""

    challenge: str
    """In base64url; valid for five minutes, once."""
    domain: str
    """The relying party id."""


class UsedPasskey(msgspec.Struct, forbid_unknown_fields=True):
    """The answer of a browser (WebAuthn `get`)."""

    id: CredentialId
    client_data: Base64
    """`clientDataJSON`, in base64url."""
    authenticator_data: Base64
    """`authenticatorData`, in base64url."""
    signature: Base64
    """In base64url."""
    user_handle: Annotated[str, Meta(min_length=1, max_length=100, pattern="^[A-Za-z0-9_-]+$")]
    """`userHandle`, in base64url."""


@get("/sign-ins", tags=["account"], operation_id="getWaysToSignIn", counts="calls")
async def get_ways(
    mailboxes: NamedDependency[Mailboxes], identities: NamedDependency[Identities]
) -> Ways:
    """Return which ways to sign in this service has, apart from codes and passkeys."""
    return Ways(mailboxes.on, identities.name)


@post(
    "/sign-ins/recovery",
    status_code=201,
    tags=["account"],
    operation_id="signInByRecoveryCode",
    counts="sign-ins",
    refuses=("wrong-code",),
    secret=True,
)
async def sign_in_by_recovery_code(
    request: AnyRequest,
    data: JSONBody[GivenCode],
    recovery_codes: NamedDependency[RecoveryCodes],
    devices: NamedDependency[Devices],
) -> Recovered:
    """Sign in with a recovery code. It is used up, and another one replaces it."""
    player, code = await recovery_codes.use(data.code)
    made = await devices.sign_in(player, device_of(request.scope))
    return Recovered(made.player, made.token, made.name, code)


@post(
    "/sign-ins/move",
    status_code=201,
    tags=["account"],
    operation_id="signInByMoveCode",
    counts="sign-ins",
    refuses=("wrong-code", "not-found"),
    secret=True,
)
async def sign_in_by_move_code(
    request: AnyRequest,
    data: JSONBody[GivenCode],
    move_codes: NamedDependency[MoveCodes],
    devices: NamedDependency[Devices],
) -> SignedIn:
    """Sign in with a code from another device (`POST /players/me/move-code`)."""
    player = await move_codes.use(data.code)
    made = await devices.sign_in(player, device_of(request.scope))
    return SignedIn(made.player, made.token, made.name)


@post(
    "/sign-ins/passkey/options",
    status_code=200,
    tags=["account"],
    operation_id="createPasskeyChallenge",
    counts="calls",
    refuses=("no-passkeys-here",),
    secret=True,
)
async def create_passkey_challenge(
    request: AnyRequest, passkeys: NamedDependency[Passkeys], sites: NamedDependency[Sites]
) -> PasskeyChallenge:
    """Return what a browser needs to sign in with a passkey."""
    domain, _ = passkeys.site(sites.url(request.scope))
    return PasskeyChallenge(passkeys.challenge(), domain)


@post(
    "/sign-ins/passkey",
    status_code=201,
    tags=["account"],
    operation_id="signInByPasskey",
    counts="sign-ins",
    refuses=("no-passkeys-here", "passkey-refused", "not-found"),
    secret=True,
)
async def sign_in_by_passkey(
    request: AnyRequest,
    data: JSONBody[UsedPasskey],
    passkeys: NamedDependency[Passkeys],
    sites: NamedDependency[Sites],
    devices: NamedDependency[Devices],
) -> SignedIn:
    """Sign in with a passkey."""
    site = passkeys.site(sites.url(request.scope))
    answer = Assertion(
        data.id, data.client_data, data.authenticator_data, data.signature, data.user_handle
    )
    made = await devices.sign_in(await passkeys.player_of(site, answer), device_of(request.scope))
    return SignedIn(made.player, made.token, made.name)


HANDLERS = (
    get_ways,
    sign_in_by_recovery_code,
    sign_in_by_move_code,
    create_passkey_challenge,
    sign_in_by_passkey,
)
