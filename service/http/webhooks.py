"""Webhooks: where the service posts what concerns a player who has no stream open."""

from typing import Annotated, Any

import msgspec
from litestar import delete, get, post
from litestar.di import NamedDependency
from litestar.params import FromPath, JSONBody
from msgspec import Meta

from games.wire import Time
from projections.notices import DisabledReason
from service.play.caller import Caller
from service.play.deliveries import Delivery, Health
from service.play.player_record import Told, Webhook
from service.play.webhooks import Webhooks

USUAL: tuple[Told, ...] = ("turn", "match_over", "proposal", "invitation")


class NewWebhook(msgspec.Struct, forbid_unknown_fields=True):
    """A webhook to make."""

    url: Annotated[str, Meta(max_length=500, pattern="^https?://")]
    """Where to post: `https` or `http`, at a public address."""
    events: Annotated[tuple[Told, ...], Meta(min_length=1, max_length=9)] = USUAL
    """Types of notices to send."""


class WebhookView(msgspec.Struct):
    """A webhook, without its secret."""

    id: str
    url: str
    """Where messages are posted."""
    events: tuple[Told, ...]
    """Types of notices that are sent."""
    created: Time
    """When the webhook was made."""
    disabled: DisabledReason | None
    """Why nothing is sent until a test succeeds. `gone`: the receiver answered 410. `failing`: no
    message arrived for three days.
    """
    failures: int
    """Number of failed tries since the last success."""
    waiting: int
    """Number of messages that wait to be sent."""


class MadeWebhook(WebhookView):
    """A new webhook. Its secret is shown only once: keep it."""

    secret: str
    """Secret with which messages are signed (Standard Webhooks)."""


@post(
    "/players/me/webhooks",
    status_code=201,
    tags=["webhooks"],
    operation_id="createWebhook",
    scope="stream",
    refuses=("not-found", "bad-webhook-url", "too-many-webhooks"),
    secret=True,
)
async def create_webhook(
    data: JSONBody[NewWebhook],
    caller: NamedDependency[Caller],
    webhooks: NamedDependency[Webhooks],
) -> MadeWebhook:
    """Make a webhook: your notices are posted to a URL. It ends with the token that makes it."""
    made, secret = await webhooks.create(caller, data.url, data.events)
    return MadeWebhook(*_fields(made, Health(), 0), secret=secret)


@get(
    "/players/me/webhooks",
    tags=["webhooks"],
    operation_id="listWebhooks",
    scope="stream",
    refuses=("not-found",),
)
async def list_webhooks(
    caller: NamedDependency[Caller], webhooks: NamedDependency[Webhooks]
) -> list[WebhookView]:
    """List your webhooks, oldest first. An app sees only those that it made."""
    return [WebhookView(*_fields(*found)) for found in await webhooks.of(caller)]


@get(
    "/webhooks/{webhook:str}/deliveries",
    tags=["webhooks"],
    operation_id="listDeliveries",
    scope="stream",
    refuses=("not-found",),
)
async def list_deliveries(
    webhook: FromPath[str],
    caller: NamedDependency[Caller],
    webhooks: NamedDependency[Webhooks],
) -> list[Delivery]:
    """List the messages to a webhook that wait, and the last 100 others, newest first."""
    return await webhooks.log(caller, webhook)


@post(
    "/webhooks/{webhook:str}/test",
    status_code=202,
    tags=["webhooks"],
    operation_id="testWebhook",
    scope="stream",
    refuses=("not-found",),
)
async def send_test(
    webhook: FromPath[str],
    caller: NamedDependency[Caller],
    webhooks: NamedDependency[Webhooks],
) -> Delivery:
    """Send a test to a webhook. If it succeeds, a disabled webhook is enabled again.

    The list of deliveries tells what came of it. A test that is still waiting is not repeated.
    """
    return await webhooks.test(caller, webhook)


@delete(
    "/webhooks/{webhook:str}",
    tags=["webhooks"],
    operation_id="deleteWebhook",
    scope="stream",
    refuses=("not-found",),
)
async def delete_webhook(
    webhook: FromPath[str],
    caller: NamedDependency[Caller],
    webhooks: NamedDependency[Webhooks],
) -> None:
    """Delete a webhook, and the messages that wait for it."""
    await webhooks.delete(caller, webhook)


HANDLERS = (create_webhook, list_webhooks, list_deliveries, send_test, delete_webhook)


def _fields(one: Webhook, health: Health, waiting: int) -> tuple[Any, ...]:
    return (one.id, one.url, one.events, one.created, health.disabled, health.failures, waiting)
