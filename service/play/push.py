"""Web Push: the browsers that a player has subscribed, in the player's record.

A message goes to the push service of the browser's maker, encrypted for the browser (RFC 8291), and
signed by this service (VAPID, RFC 8292). What waits to be sent is in the outbox, with the messages
to webhooks (`service.play.outbox`).
"""

import secrets
from collections.abc import Sequence
from typing import Any
from urllib.parse import urlsplit

import http_ece
import jwt
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from msgspec.structs import replace

from events.record import at_text
from games.match.clocks import SECOND
from service.base.addresses import Network, check_url
from service.base.base64url import decoded, encoded
from service.base.clock import now_micros
from service.base.keys import Keys
from service.base.problems import Problem, not_found
from service.play.caller import Caller
from service.play.deliveries import TEST, Delivery
from service.play.outbox import Address, Outbox
from service.play.player_record import Player, Subscription
from service.play.players import Players
from service.play.webhooks import OWNERS, message
from service.play.work_needed import work_needed

SUBSCRIPTIONS_MAX = 10
"""Maximum number of subscribed browsers of a player."""
SIGNED_S = 12 * 3_600
"""Time for which the signature of a message is valid (seconds); push services allow a day."""
AUTH_BYTES = 16


class Push:
    """The subscribed browsers of players."""

    def __init__(
        self, players: Players, keys: Keys, work: Any, contact: str, networks: Sequence[Network]
    ) -> None:
        """Push to public addresses and to those of `networks`; nothing without a contact.

        `work` is an asyncio client of the work Redis (of bytes).
        """
        self._players = players
        self._key = keys.push_key()
        self._work = work
        self._outbox = Outbox(work)
        self._contact = contact
        self._networks = networks

    @property
    def key(self) -> str | None:
        """The public key with which browsers subscribe; None if nothing is pushed."""
        return encoded(_point(self._key.public_key())) if self._contact else None

    async def subscribe(self, caller: Caller, wanted: Subscription) -> Subscription:
        """Subscribe a browser, or change what it gets; raises `Problem` 404, 422, 503."""
        if self.key is None:
            raise Problem(
                422,
                "push-off",
                "This service sends no push messages. Its operator can set SHIPLOG_PUSH_CONTACT.",
            )
        check_url(wanted.endpoint, self._networks)
        _check_keys(wanted)
        if wanted.quiet is not None:
            wanted.quiet.check()
        made = replace(
            wanted,
            id=f"ps_{secrets.token_urlsafe(12)}",
            created=at_text(now_micros()),
            device=caller.device,
        )

        def put(record: Player) -> Player:
            nonlocal made
            kept = _standing(record)
            others = [one for one in kept if one.endpoint != made.endpoint]
            for known in kept:
                if known.endpoint == made.endpoint:
                    made = replace(made, id=known.id, created=known.created)
            if len(others) >= SUBSCRIPTIONS_MAX:
                raise Problem(
                    422,
                    "too-many-subscriptions",
                    f"You may have at most {SUBSCRIPTIONS_MAX} subscribed browsers. "
                    "Remove one first.",
                )
            return replace(record, subscriptions=(*others, made))

        with work_needed():
            await self._work.sadd(OWNERS, caller.player)
        await self._players.update(caller.player, put)
        return made

    async def of(self, caller: Caller) -> Sequence[Subscription]:
        """Return the caller's subscribed browsers; raises `Problem` 404."""
        return _standing(await self._players.stored(caller.player))

    def standing(self, record: Player) -> tuple[Subscription, ...]:
        """Return the browsers to which a player's messages go; none if nothing is pushed."""
        return _standing(record) if self._contact else ()

    async def test(self, caller: Caller, subscription: str) -> Delivery:
        """Queue a test unless one is waiting; raises `Problem` 404, 503."""
        await self._require(caller, subscription)
        made = message(f"msg_{secrets.token_urlsafe(18)}", TEST, now_micros(), b"{}")
        with work_needed():
            return await self._outbox.add_urgent(Address(caller.player, subscription), made)

    async def unsubscribe(self, caller: Caller, subscription: str) -> None:
        """Remove a browser, and what waits for it; raises `Problem` 404, 503."""
        await self._require(caller, subscription)
        await self.drop(Address(caller.player, subscription))

    async def drop(self, to: Address) -> None:
        """Remove a subscription of a player; raises `Problem` 404, 503."""
        await self._players.update(
            to.player,
            lambda record: replace(
                record,
                subscriptions=tuple(one for one in record.subscriptions if one.id != to.target),
            ),
        )
        with work_needed():
            await self._outbox.forget(to)

    async def forget(self, player: str) -> None:
        """Delete what waits for a player's browsers; raises `Problem` 404, 503."""
        record = await self._players.stored(player)
        with work_needed():
            for one in record.subscriptions:
                await self._outbox.forget(Address(player, one.id))

    def authorization(self, endpoint: str, now: int) -> str:
        """Return the header that tells a push service who sends, at a time (microseconds)."""
        parts = urlsplit(endpoint)
        claims = {
            "aud": f"{parts.scheme}://{parts.netloc}",
            "exp": now // SECOND + SIGNED_S,
            "sub": self._contact,
        }
        return f"vapid t={jwt.encode(claims, self._key, 'ES256')}, k={self.key}"

    async def _require(self, caller: Caller, subscription: str) -> None:
        if all(one.id != subscription for one in await self.of(caller)):
            raise not_found("subscription")


def encrypt(text: bytes, to: Subscription) -> bytes:
    """Return a message that only the subscribed browser can read."""
    return http_ece.encrypt(
        text,
        private_key=ec.generate_private_key(ec.SECP256R1()),
        dh=decoded(to.p256dh),
        auth_secret=decoded(to.auth),
        version="aes128gcm",
    )


def _standing(record: Player) -> tuple[Subscription, ...]:
    """Return the subscriptions of a player whose device is still signed in."""
    devices = {one.id for one in record.devices} | {"", str(record.generation or "")}
    return tuple(one for one in record.subscriptions if one.device in devices)


def _check_keys(one: Subscription) -> None:
    try:
        ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), decoded(one.p256dh))
        valid = len(decoded(one.auth)) == AUTH_BYTES
    except ValueError:
        valid = False
    if not valid:
        raise Problem(
            422,
            "bad-push-keys",
            "Expected `p256dh`, a point of P-256, and `auth`, 16 bytes, both as the browser's "
            "PushSubscription has them.",
        )


def _point(key: ec.EllipticCurvePublicKey) -> bytes:
    return key.public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
