"""Jobs that send messages to webhooks and browsers. Each may run twice or late."""

import asyncio
from collections.abc import Sequence

import structlog
from msgspec.structs import replace

from events.release import RELEASE
from projections.notices import WebhookNotice
from service.base.clock import now_micros
from service.base.metrics import PUSH_TRIES, WEBHOOK_TRIES
from service.base.problems import Problem
from service.play.deliveries import QUICK_S, Lane
from service.play.match_cache import NOT_FOUND
from service.play.outbox import Address, Outbox
from service.play.player_record import Subscription, Webhook
from service.play.webhooks import standing
from service.process.context import Context
from service.worker.posting import Poster, posting
from service.worker.pushing import Post, prepare, tag_of, unsent
from service.worker.runtime import runtime

PATIENT_S = 10
"""Time limit of a try for receivers that have not been quick (seconds)."""
FORGOTTEN = (404, 410)
"""Answers of a push service that does not know a browser any more."""
AGENT = {"Content-Type": "application/json", "User-Agent": f"Shiplog/{RELEASE}"}

log = structlog.get_logger("shiplog")


def send_webhooks(lane: Lane, targets: Sequence[tuple[str, str]]) -> None:
    """Send what is due to webhooks and browsers, each named with its player. RQ calls this."""
    limit_s = QUICK_S if lane == "webhooks" else PATIENT_S

    async def send(context: Context) -> None:
        async with posting(context.settings.reachable) as poster:
            rounds = (send_round(context, poster, Address(*each), limit_s) for each in targets)
            outcomes = await asyncio.gather(*rounds, return_exceptions=True)
        for outcome in outcomes:
            if isinstance(outcome, BaseException):
                raise outcome

    runtime().run(send)


async def send_round(context: Context, poster: Poster, to: Address, limit_s: float) -> None:
    """Send the messages that are due to a webhook or a browser, until one fails or time is up."""
    outbox = Outbox(context.work)
    target = await _find(context, to)
    if target is None:
        await outbox.forget(to)
        return
    health = await outbox.health(to.target)
    pushed = isinstance(target, Subscription)
    url, tries = (target.endpoint, PUSH_TRIES) if pushed else (target.url, WEBHOOK_TRIES)
    spent_ms = 0
    due = await outbox.due(to.target, health)
    newest = {tag_of(message): message for message in due} if pushed else {}
    for message in due:
        if pushed:
            replaced = newest[tag_of(message)] is not message
            made = None if replaced else await prepare(context, to, target, message)
        else:
            headers = AGENT | context.webhooks.headers(to, message, now_micros())
            made = Post(message.body.encode(), headers)
        if not isinstance(made, Post):
            await outbox.put(to.target, unsent(message, made), health)
            continue
        tried = await poster.post(url, made.body, made.headers, limit_s)
        now, before = now_micros(), health
        health = health.after(tried, now)
        delivery = message.delivery.after(tried, now)
        outcome = "delivered" if tried.succeeded else tried.error or "refused"
        tries.labels(outcome).inc()
        log.info("sent", target=to.target, id=delivery.id, outcome=outcome, ms=tried.ms)
        if pushed and (tried.status in FORGOTTEN or health.disabled is not None):
            await _forget(context, to)
            return
        await outbox.put(to.target, replace(message, delivery=delivery), health)
        if health.disabled is not None and before.disabled is None:
            told = WebhookNotice(to.target, health.disabled)
            await context.notices.send([(to.player, told)])
            log.warning("webhook", webhook=to.target, disabled=health.disabled)
        spent_ms += tried.ms
        if not tried.succeeded or spent_ms > QUICK_S * 1_000:
            break
    await outbox.rest(to, health)


async def _find(context: Context, to: Address) -> Webhook | Subscription | None:
    """Return a webhook or a subscription if it still stands."""
    record = await context.players.fresh(to.player)
    if record is None:
        return None
    targets = (*standing(record), *context.push.standing(record))
    return next((one for one in targets if one.id == to.target), None)


async def _forget(context: Context, to: Address) -> None:
    """Forget a browser whose push service does not know it any more."""
    try:
        await context.push.drop(to)
    except Problem as problem:
        if problem.status != NOT_FOUND:
            raise
    log.info("forgotten", subscription=to.target)
