"""Webhooks of players: they make them, test them, read their log, and delete them.

They are in the players' records, next to the tokens, and end with the token they were made with.
The secrets follow from the token key, so that a stolen store contains none. Deliveries are in the
work Redis (`service.play.outbox`).
"""

import secrets
from base64 import b64encode
from collections.abc import Sequence
from hashlib import sha256
from hmac import digest
from typing import Any

import msgspec
from msgspec.structs import replace

from events.record import at_text
from service.base.addresses import Network, check_url
from service.base.clock import now_micros
from service.base.keys import Keys
from service.base.problems import Problem, not_found
from service.play.caller import Caller
from service.play.deliveries import TEST, Delivery, Health
from service.play.outbox import Address, Message, Outbox
from service.play.player_record import Player, Told, Webhook
from service.play.players import Players
from service.play.work_needed import work_needed

OWNERS = "webhooks:owners"
"""Set of the players who may have webhooks."""


class Body(msgspec.Struct, frozen=True):
    """What is sent to a webhook."""

    type: str
    timestamp: str
    data: msgspec.Raw


class WebhookTest(msgspec.Struct, frozen=True, tag_field="type", tag=TEST):
    """A test of a webhook, for which its owner has asked."""

    webhook: str
    """Id of the webhook."""


class Webhooks:
    """The webhooks of players."""

    def __init__(
        self, players: Players, keys: Keys, work: Any, most: int, networks: Sequence[Network]
    ) -> None:
        """Allow each player `most` webhooks to public addresses and to those of `networks`.

        `work` is an asyncio client of the work Redis (of bytes).
        """
        self._players = players
        self._keys = keys
        self._work = work
        self._outbox = Outbox(work)
        self._most = most
        self._networks = networks

    async def create(self, caller: Caller, url: str, events: Sequence[Told]) -> tuple[Webhook, str]:
        """Create a webhook; return it with its secret. Raises `Problem` 404, 422, 503."""
        check_url(url, self._networks)
        made = Webhook(
            f"wh_{secrets.token_urlsafe(12)}",
            url,
            tuple(sorted(set(events))),
            at_text(now_micros()),
            caller.app,
        )

        def add(record: Player) -> Player:
            kept = standing(record)
            if len(kept) >= self._most:
                raise Problem(
                    422,
                    "too-many-webhooks",
                    f"You may have at most {self._most} webhooks. Delete one first.",
                )
            return replace(record, webhooks=(*kept, made))

        with work_needed():
            await self._work.sadd(OWNERS, caller.player)
        await self._players.update(caller.player, add)
        return made, self.secret(Address(caller.player, made.id))

    async def of(self, caller: Caller) -> list[tuple[Webhook, Health, int]]:
        """Return the caller's webhooks, how they fare, and how many messages wait.

        An app sees only those that it made. Raises `Problem` 404, 503.
        """
        found = _visible(await self._players.stored(caller.player), caller)
        with work_needed():
            return [
                (one, await self._outbox.health(one.id), await self._outbox.count(one.id))
                for one in found
            ]

    async def log(self, caller: Caller, webhook: str) -> list[Delivery]:
        """Return the deliveries of a webhook, newest first; raises `Problem` 404, 503."""
        await self._require(caller, webhook)
        with work_needed():
            return await self._outbox.log(webhook)

    async def test(self, caller: Caller, webhook: str) -> Delivery:
        """Queue a test unless one is waiting; raises `Problem` 404, 503."""
        found = await self._require(caller, webhook)
        to = Address(caller.player, webhook)
        data = msgspec.json.encode(WebhookTest(found.id))
        made = message(f"msg_{secrets.token_urlsafe(18)}", TEST, now_micros(), data)
        with work_needed():
            return await self._outbox.add_urgent(to, made)

    async def delete(self, caller: Caller, webhook: str) -> None:
        """Delete a webhook, and what waits for it; raises `Problem` 404, 503."""
        await self._require(caller, webhook)
        await self._players.update(
            caller.player,
            lambda record: replace(
                record, webhooks=tuple(one for one in record.webhooks if one.id != webhook)
            ),
        )
        with work_needed():
            await self._outbox.forget(Address(caller.player, webhook))

    async def forget(self, player: str) -> None:
        """Delete the deliveries of a player; raises `Problem` 404, 503."""
        record = await self._players.stored(player)
        with work_needed():
            await self._work.srem(OWNERS, player)
            for one in record.webhooks:
                await self._outbox.forget(Address(player, one.id))

    def secret(self, to: Address) -> str:
        """Return the secret with which the messages to a webhook are signed."""
        return f"whsec_{b64encode(self._key(to)).decode()}"

    def headers(self, to: Address, message: Message, now: int) -> dict[str, str]:
        """Return the headers of a message that is sent at a time (microseconds)."""
        seconds = now // 1_000_000
        return {
            "webhook-id": message.delivery.id,
            "webhook-timestamp": str(seconds),
            "webhook-signature": sign(self._key(to), message.delivery.id, seconds, message.body),
        }

    async def _require(self, caller: Caller, webhook: str) -> Webhook:
        for one in _visible(await self._players.stored(caller.player), caller):
            if one.id == webhook:
                return one
        raise not_found("webhook")

    def _key(self, to: Address) -> bytes:
        return self._keys.derive("webhook", *to)


def standing(record: Player) -> tuple[Webhook, ...]:
    """Return the webhooks of a player whose token has not ended."""
    apps = {one.id for one in record.tokens if not one.has_expired()} | {""}
    return tuple(one for one in record.webhooks if one.app in apps)


def message(name: str, kind: str, at: int, data: bytes) -> Message:
    """Return the message with an id about something that happened at a time (microseconds)."""
    return Message(Delivery(name, kind, at_text(now_micros())), body_of(kind, at, data).decode())


def body_of(kind: str, at: int, data: bytes) -> bytes:
    """Return the body of a message about something that happened at a time (microseconds)."""
    return msgspec.json.encode(Body(kind, at_text(at), msgspec.Raw(data)))


def sign(key: bytes, name: str, seconds: int, body: str) -> str:
    """Return the signature of a message as Standard Webhooks has it."""
    signed = digest(key, f"{name}.{seconds}.{body}".encode(), sha256)
    return f"v1,{b64encode(signed).decode()}"


def _visible(record: Player, caller: Caller) -> Sequence[Webhook]:
    return [one for one in standing(record) if caller.app in ("", one.app)]
