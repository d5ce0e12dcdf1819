"""Passkeys: players sign in with a credential that their browser or authenticator keeps.

A challenge carries its purpose, its time and a MAC, so strangers who ask for challenges leave
nothing behind. The work Redis remembers the used ones until they expire.
"""

import asyncio
import hmac
import secrets
from collections.abc import Sequence
from importlib import import_module
from typing import Any, NamedTuple
from urllib.parse import urlsplit

import msgspec
from msgspec.structs import replace

from events.record import at_text
from service.base.base64url import decoded, encoded
from service.base.clock import now_micros
from service.base.keys import Keys
from service.base.problems import Problem, not_found
from service.play.names import nickname
from service.play.player_record import Passkey, Player
from service.play.players import Players
from service.play.work_needed import work_needed

VALID_S = 300
"""Time in which a challenge must be answered (seconds)."""
PASSKEYS_MAX = 10
"""Maximum number of passkeys of a player."""
NONCE = 16
TIME = 8
MAC = 32
SIGN_IN = "sign-in"


class Site(NamedTuple):
    """What passkeys are bound to."""

    domain: str
    origin: str


class Attestation(NamedTuple):
    """The answer of a browser that made a passkey, in base64url."""

    id: str
    client_data: str
    attestation: str
    transports: Sequence[str]


class Assertion(NamedTuple):
    """The answer of a browser that signs in with a passkey, in base64url."""

    id: str
    client_data: str
    authenticator_data: str
    signature: str
    user_handle: str


class _ClientData(msgspec.Struct):
    challenge: str


class Passkeys:
    """The passkeys of players."""

    def __init__(self, players: Players, keys: Keys, work: Any, public_url: str) -> None:
        """Keep passkeys in the players' records; without a public URL they work at localhost."""
        self._players = players
        self._keys = keys
        self._work = work
        self._public_url = public_url

    def site(self, url: str) -> Site:
        """Return the site of a service that was called at a URL; raises `Problem` 422."""
        origin = self._public_url or url
        domain = urlsplit(origin).hostname or ""
        if not self._public_url and domain != "localhost":
            raise Problem(
                422,
                "no-passkeys-here",
                f"Passkeys do not work at {url}. Open the service at http://localhost, or ask the "
                "operator to set SHIPLOG_PUBLIC_URL.",
            )
        return Site(domain, origin)

    def challenge(self, player: str = "") -> str:
        """Return a challenge for a passkey that a player makes, or else for a sign-in."""
        made = secrets.token_bytes(NONCE) + now_micros().to_bytes(TIME)
        return encoded(made + self._mac(made, player or SIGN_IN))

    async def of(self, player: str) -> tuple[Passkey, ...]:
        """Return a player's passkeys, oldest first."""
        record = await self._players.get(player)
        return () if record is None else record.passkeys

    async def add(self, player: str, site: Site, name: str, answer: Attestation) -> Passkey:
        """Add a passkey that a browser made. Raises `Problem` 400, 403, 404, 422, 503."""
        await _load()
        import webauthn  # noqa: PLC0415
        from webauthn.helpers.exceptions import WebAuthnException  # noqa: PLC0415

        name = nickname(name)
        challenge = self._challenge_of(answer.client_data, player)
        response = {"clientDataJSON": answer.client_data, "attestationObject": answer.attestation}
        try:
            verified = webauthn.verify_registration_response(
                credential=_credential(answer.id, response),
                expected_challenge=challenge,
                expected_rp_id=site.domain,
                expected_origin=site.origin,
            )
        except (WebAuthnException, ValueError) as error:
            raise refused(str(error)) from None
        await self._use(challenge)
        made = Passkey(
            encoded(verified.credential_id),
            encoded(verified.credential_public_key),
            name,
            at_text(now_micros()),
            verified.sign_count,
            tuple(answer.transports),
        )

        def add(record: Player) -> Player:
            if len(record.passkeys) >= PASSKEYS_MAX:
                raise Problem(
                    422,
                    "too-many-passkeys",
                    f"You may have at most {PASSKEYS_MAX} passkeys. Delete one first.",
                )
            kept = tuple(one for one in record.passkeys if one.id != made.id)
            return replace(record, passkeys=(*kept, made))

        await self._players.update(player, add)
        return made

    async def player_of(self, site: Site, answer: Assertion) -> str:
        """Return the player who signs in with a passkey. Raises `Problem` 403, 503."""
        await _load()
        import webauthn  # noqa: PLC0415
        from webauthn.helpers.exceptions import WebAuthnException  # noqa: PLC0415

        challenge = self._challenge_of(answer.client_data, SIGN_IN)
        player = _read(answer.user_handle).decode("ascii", "replace")
        record = await self._players.get(player)
        known = None if record is None else _passkey(record, answer.id)
        if known is None:
            raise refused("This passkey belongs to no player.")
        response = {
            "clientDataJSON": answer.client_data,
            "authenticatorData": answer.authenticator_data,
            "signature": answer.signature,
            "userHandle": answer.user_handle,
        }
        try:
            verified = webauthn.verify_authentication_response(
                credential=_credential(answer.id, response),
                expected_challenge=challenge,
                expected_rp_id=site.domain,
                expected_origin=site.origin,
                credential_public_key=decoded(known.key),
                credential_current_sign_count=known.count,
            )
        except (WebAuthnException, ValueError) as error:
            raise refused(str(error)) from None
        await self._use(challenge)
        await self._change(player, replace(known, count=verified.new_sign_count))
        return player

    async def rename(self, player: str, passkey: str, name: str) -> Passkey:
        """Rename a passkey. Raises `Problem` 400, 404."""
        name = nickname(name)
        known = next((one for one in await self.of(player) if one.id == passkey), None)
        if known is None:
            raise not_found("passkey")
        return await self._change(player, replace(known, name=name))

    async def delete(self, player: str, passkey: str) -> None:
        """Delete a passkey. Raises `Problem` 404."""

        def remove(record: Player) -> Player:
            if _passkey(record, passkey) is None:
                raise not_found("passkey")
            kept = tuple(one for one in record.passkeys if one.id != passkey)
            return replace(record, passkeys=kept)

        await self._players.update(player, remove)

    async def _change(self, player: str, changed: Passkey) -> Passkey:
        def change(record: Player) -> Player:
            if _passkey(record, changed.id) is None:
                raise not_found("passkey")
            passkeys = (changed if one.id == changed.id else one for one in record.passkeys)
            return replace(record, passkeys=tuple(passkeys))

        await self._players.update(player, change)
        return changed

    def _challenge_of(self, client_data: str, purpose: str) -> bytes:
        """Return the challenge that a browser answered. Raises `Problem` 403."""
        try:
            found = _read(msgspec.json.decode(_read(client_data), type=_ClientData).challenge)
        except msgspec.DecodeError as error:
            raise refused(f"The client data cannot be read: {error}.") from None
        made, mac = found[:-MAC], found[-MAC:]
        if len(made) != NONCE + TIME or not hmac.compare_digest(mac, self._mac(made, purpose)):
            raise refused("The challenge is not one of this service for this call.")
        age_s = (now_micros() - int.from_bytes(made[NONCE:])) / 1_000_000
        if not 0 <= age_s <= VALID_S:
            raise refused(f"The challenge is older than {VALID_S} seconds. Ask for another one.")
        return found

    async def _use(self, challenge: bytes) -> None:
        """Note that a challenge was answered. Raises `Problem` 403, 503."""
        with work_needed():
            first = await self._work.set(
                f"passkey:used:{encoded(challenge[:NONCE])}", b"", nx=True, ex=VALID_S
            )
        if not first:
            raise refused("The challenge was answered already. Ask for another one.")

    def _mac(self, made: bytes, purpose: str) -> bytes:
        return self._keys.derive("passkey", purpose, made.hex())


def refused(why: str) -> Problem:
    """Refuse the answer of a browser."""
    return Problem(403, "passkey-refused", f"This passkey was not accepted. {why}")


async def _load() -> None:
    """Load WebAuthn, which few use and which takes long, without holding up other calls."""
    await asyncio.to_thread(import_module, "webauthn")


def _read(text: str) -> bytes:
    """Return the bytes of what a browser sent. Raises `Problem` 403."""
    try:
        return decoded(text)
    except ValueError:
        raise refused("A value is not base64url.") from None


def _passkey(record: Player, passkey: str) -> Passkey | None:
    return next((one for one in record.passkeys if one.id == passkey), None)


def _credential(passkey: str, response: dict[str, str]) -> dict[str, Any]:
    return {"id": passkey, "rawId": passkey, "type": "public-key", "response": response}
