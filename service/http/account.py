"""The account: devices, the recovery code, the move code and passkeys of the caller."""

from datetime import date, timedelta
from typing import Annotated

import msgspec
from litestar import delete, get, patch, post
from litestar.di import NamedDependency
from litestar.params import FromPath, JSONBody
from msgspec import Meta

from events.record import at_text
from games.match.clocks import SECOND
from games.wire import Time
from service.base.base64url import encoded
from service.base.clock import now_micros
from service.http.body import AnyRequest
from service.http.callers import Callers
from service.http.qr import qr_code
from service.http.sites import Sites
from service.play.admission import Admission
from service.play.caller import Caller
from service.play.devices import Devices
from service.play.move_codes import VALID_S, MoveCodes
from service.play.names import Name
from service.play.passkeys import Attestation, Passkeys
from service.play.player_record import Device, Passkey
from service.play.players import Players
from service.play.recovery_codes import RecoveryCodes

Base64 = Annotated[str, Meta(min_length=1, max_length=16_384, pattern="^[A-Za-z0-9_-]+$")]
"""Bytes in base64url without padding."""
CredentialId = Annotated[str, Meta(min_length=1, max_length=1_400, pattern="^[A-Za-z0-9_-]+$")]
Transport = Annotated[str, Meta(min_length=1, max_length=20, pattern="^[a-z-]+$")]
EPOCH = date(1970, 1, 1)


class DeviceView(msgspec.Struct):
    """A browser or program in which you are signed in."""

    id: str
    """ID of the device. It is not a secret."""
    name: str
    """Browser and system, or the name of the program. Empty for a token of an earlier release."""
    created: Time
    """When the device was signed in."""
    last_seen: date | None
    """Day of the last call; nothing finer is kept. Null for a token of an earlier release."""
    current: bool
    """Whether this call came from the device."""


class RecoveryCode(msgspec.Struct):
    """A recovery code. It is shown only once: keep it."""

    recovery_code: str
    """Four groups of five letters and digits."""


class MoveCode(msgspec.Struct):
    """A code that signs in one more device, once."""

    move_code: str
    """Two groups of five letters and digits."""
    url: str
    """Page that signs in with the code, which stands in its fragment."""
    qr: str
    """QR code of the page, as SVG."""
    expires: Time


class PasskeyView(msgspec.Struct):
    """A passkey, without its key."""

    id: str
    """ID of the credential, in base64url."""
    name: str
    created: Time


class PasskeyOptions(msgspec.Struct):
    """What a browser needs to make a passkey (WebAuthn `create`)."""

    challenge: str
    """In base64url; valid for five minutes, once."""
    domain: str
    """The relying party id."""
    user_handle: str
    """The user id, in base64url."""
    name: str
    """Your name."""
    known: list[str]
    """IDs of your passkeys, which a browser must not make again."""


class NewPasskey(msgspec.Struct, forbid_unknown_fields=True):
    """A passkey that a browser made (WebAuthn `create`)."""

    name: Name
    id: CredentialId
    client_data: Base64
    """`clientDataJSON`, in base64url."""
    attestation: Base64
    """`attestationObject`, in base64url."""
    transports: Annotated[list[Transport], Meta(max_length=10)] = []
    """How the browser reaches the authenticator, such as `internal` or `usb`."""


class PasskeyName(msgspec.Struct, forbid_unknown_fields=True):
    """The name of a passkey."""

    name: Name


@get("/players/me/devices", tags=["account"], operation_id="listDevices", scope="account")
async def list_devices(
    caller: NamedDependency[Caller], devices: NamedDependency[Devices]
) -> list[DeviceView]:
    """List the devices in which you are signed in, oldest first."""
    return [_device(one, caller) for one in await devices.of(caller.player)]


@delete(
    "/devices/{device:str}",
    tags=["account"],
    operation_id="endDevice",
    scope="account",
    refuses=("not-found",),
)
async def end_device(
    device: FromPath[str], caller: NamedDependency[Caller], devices: NamedDependency[Devices]
) -> None:
    """Sign out a device. Its open streams and connections end at once."""
    await devices.end(caller.player, device)


@post(
    "/players/me/recovery-code",
    status_code=201,
    tags=["account"],
    operation_id="createRecoveryCode",
    scope="account",
    refuses=("not-found", "name-taken"),
    secret=True,
)
async def create_recovery_code(
    request: AnyRequest,
    caller: NamedDependency[Caller],
    callers: NamedDependency[Callers],
    admission: NamedDependency[Admission],
    recovery_codes: NamedDependency[RecoveryCodes],
) -> RecoveryCode:
    """Make a recovery code, which replaces the earlier one.

    It signs you in when all devices are lost (`POST /sign-ins/recovery`). It counts as a new guest,
    since each code leaves a mark in the log's Redis.
    """
    await admission.require_room()
    callers.count_guest(request.scope)
    return RecoveryCode(await recovery_codes.make(caller.player))


@delete(
    "/players/me/recovery-code",
    tags=["account"],
    operation_id="deleteRecoveryCode",
    scope="account",
    refuses=("not-found",),
)
async def delete_recovery_code(
    caller: NamedDependency[Caller], recovery_codes: NamedDependency[RecoveryCodes]
) -> None:
    """Delete the recovery code, if there is one."""
    await recovery_codes.delete(caller.player)


@post(
    "/players/me/move-code",
    status_code=201,
    tags=["account"],
    operation_id="createMoveCode",
    scope="account",
    secret=True,
)
async def create_move_code(
    request: AnyRequest,
    caller: NamedDependency[Caller],
    move_codes: NamedDependency[MoveCodes],
    sites: NamedDependency[Sites],
) -> MoveCode:
    """Make a code that signs in one more device within five minutes.

    It replaces the earlier one. The other device uses it at `POST /sign-ins/move`.
    """
    code = await move_codes.make(caller.player)
    url = f"{sites.url(request.scope)}/move#{code}"
    qr = qr_code(url, error="m").svg_inline(omitsize=True, border=4)
    return MoveCode(code, url, qr, at_text(now_micros() + VALID_S * SECOND))


@get("/players/me/passkeys", tags=["account"], operation_id="listPasskeys", scope="account")
async def list_passkeys(
    caller: NamedDependency[Caller], passkeys: NamedDependency[Passkeys]
) -> list[PasskeyView]:
    """List your passkeys, oldest first."""
    return [_passkey(one) for one in await passkeys.of(caller.player)]


@post(
    "/players/me/passkeys/options",
    status_code=200,
    tags=["account"],
    operation_id="createPasskeyOptions",
    scope="account",
    refuses=("not-found", "no-passkeys-here", "name-taken"),
    secret=True,
)
async def create_passkey_options(
    request: AnyRequest,
    caller: NamedDependency[Caller],
    players: NamedDependency[Players],
    passkeys: NamedDependency[Passkeys],
    sites: NamedDependency[Sites],
) -> PasskeyOptions:
    """Return what a browser needs to make a passkey for you."""
    domain, _ = passkeys.site(sites.url(request.scope))
    record = await players.require_own_name(caller.player)
    return PasskeyOptions(
        passkeys.challenge(caller.player),
        domain,
        encoded(caller.player.encode()),
        record.name,
        [one.id for one in record.passkeys],
    )


@post(
    "/players/me/passkeys",
    status_code=201,
    tags=["account"],
    operation_id="addPasskey",
    scope="account",
    refuses=(
        "not-found", "bad-name", "no-passkeys-here", "passkey-refused", "too-many-passkeys",
        "name-taken",
    ),
)  # fmt: skip
async def add_passkey(
    request: AnyRequest,
    data: JSONBody[NewPasskey],
    caller: NamedDependency[Caller],
    passkeys: NamedDependency[Passkeys],
    sites: NamedDependency[Sites],
) -> PasskeyView:
    """Add a passkey that your browser made. You can then sign in with it."""
    site = passkeys.site(sites.url(request.scope))
    answer = Attestation(data.id, data.client_data, data.attestation, data.transports)
    return _passkey(await passkeys.add(caller.player, site, data.name, answer))


@patch(
    "/passkeys/{passkey:str}",
    tags=["account"],
    operation_id="renamePasskey",
    scope="account",
    refuses=("not-found", "bad-name"),
)
async def rename_passkey(
    passkey: FromPath[str],
    data: JSONBody[PasskeyName],
    caller: NamedDependency[Caller],
    passkeys: NamedDependency[Passkeys],
) -> PasskeyView:
    """Rename a passkey."""
    return _passkey(await passkeys.rename(caller.player, passkey, data.name))


@delete(
    "/passkeys/{passkey:str}",
    tags=["account"],
    operation_id="deletePasskey",
    scope="account",
    refuses=("not-found",),
)
async def delete_passkey(
    passkey: FromPath[str], caller: NamedDependency[Caller], passkeys: NamedDependency[Passkeys]
) -> None:
    """Delete a passkey. Nobody can sign in with it any more."""
    await passkeys.delete(caller.player, passkey)


def _device(one: Device, caller: Caller) -> DeviceView:
    last_seen = EPOCH + timedelta(days=one.day) if one.day else None
    return DeviceView(one.id, one.name, one.created, last_seen, one.id == caller.device)


def _passkey(one: Passkey) -> PasskeyView:
    return PasskeyView(one.id, one.name, one.created)


HANDLERS = (
    list_devices,
    end_device,
    create_recovery_code,
    delete_recovery_code,
    create_move_code,
    list_passkeys,
    create_passkey_options,
    add_passkey,
    rename_passkey,
    delete_passkey,
)
