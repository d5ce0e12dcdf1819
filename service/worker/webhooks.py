"""Jobs that send messages to webhooks. Each may run twice or late."""

import asyncio
from collections.abc import Sequence

import structlog
from msgspec.structs import replace

from events.release import RELEASE
from projections.notices import WebhookNotice
from service.base.clock import now_micros
from service.base.metrics import WEBHOOK_TRIES
from service.play.deliveries import QUICK_S, Lane
from service.play.outbox import Address, Outbox
from service.process.context import Context
from service.worker.posting import Poster, posting
from service.worker.runtime import runtime

PATIENT_S = 10
"""Time limit of a try for receivers that have not been quick (seconds)."""
AGENT = {"Content-Type": "application/json", "User-Agent": f"Shiplog/{RELEASE}"}

log = structlog.get_logger("shiplog")


def send_webhooks(lane: Lane, webhooks: Sequence[tuple[str, str]]) -> None:
    """Send what is due to webhooks, each named with its player. RQ calls this function."""
    limit_s = QUICK_S if lane == "webhooks" else PATIENT_S

    async def send(context: Context) -> None:
        async with posting(context.settings.reachable) as poster:
            rounds = (send_round(context, poster, Address(*each), limit_s) for each in webhooks)
            outcomes = await asyncio.gather(*rounds, return_exceptions=True)
        for outcome in outcomes:
            if isinstance(outcome, BaseException):
                raise outcome

    runtime().run(send)


async def send_round(context: Context, poster: Poster, to: Address, limit_s: float) -> None:
    """Send the messages that are due to a webhook, until one fails or the time is over."""
    outbox = Outbox(context.work)
    known = await context.webhooks.standing(to.player)
    webhook = next((one for one in known if one.id == to.webhook), None)
    if webhook is None:
        await outbox.forget(to)
        return
    health = await outbox.health(to.webhook)
    spent_ms = 0
    for message in await outbox.due(to.webhook, health):
        headers = AGENT | context.webhooks.headers(to, message, now_micros())
        tried = await poster.post(webhook.url, message.body.encode(), headers, limit_s)
        now, before = now_micros(), health
        health = health.after(tried, now)
        delivery = message.delivery.after(tried, now)
        await outbox.put(to.webhook, replace(message, delivery=delivery), health)
        outcome = "delivered" if tried.succeeded else tried.error or "refused"
        WEBHOOK_TRIES.labels(outcome).inc()
        log.info("webhook", webhook=to.webhook, id=delivery.id, outcome=outcome, ms=tried.ms)
        if health.disabled is not None and before.disabled is None:
            told = WebhookNotice(to.webhook, health.disabled)
            await context.notices.send([(to.player, told)])
            log.warning("webhook", webhook=to.webhook, disabled=health.disabled)
        spent_ms += tried.ms
        if not tried.succeeded or spent_ms > QUICK_S * 1_000:
            break
    await outbox.rest(to, health)
