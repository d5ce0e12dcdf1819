"""Fill the outbox of webhooks from the notices of players, and enqueue the rounds that are due.

Several may run: a message has an id that follows from its notice, so queueing it twice is queueing
it once.
"""

import asyncio
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from hashlib import sha256

import structlog
from redis.exceptions import RedisError

from events.record import at_micros
from events.store import StoreError
from projections.rows import NOTICES, NOTICES_KEPT
from service.base.background import in_background
from service.base.problems import Problem
from service.jobs.queues import enqueue, open_queues, send_webhooks
from service.play.deliveries import LANES, Lane
from service.play.notices import OPENED, START, TYPED
from service.play.outbox import Address, Message, Outbox
from service.play.player_record import Webhook
from service.play.webhooks import OWNERS, message
from service.process.context import Context

PLACE = "webhooks:place"
"""Place in the stream of players with new notices up to which it was read."""
PLACES = "webhooks:places"
"""Places in the notices of players up to which they were read, by player."""
EVERYBODY = b""
"""Member of the owners that says that all of them are in the set."""
WAIT_MS = 200
RETRY_S = 0.5
PAGE = 100
TOGETHER = 100
"""Number of webhooks in a job."""
QUEUED_MAX = 2
"""Number of jobs that may wait in a queue before others are enqueued."""

log = structlog.get_logger("shiplog")


class WebhookFeed:
    """Follows the notices of all players who have webhooks."""

    def __init__(self, context: Context) -> None:
        """Prepare to follow."""
        self._work = context.work
        self._players = context.players
        self._webhooks = context.webhooks
        self._store = context.store
        self._outbox = Outbox(context.work)
        self._queues = open_queues(context.work_url)

    async def run(self) -> None:
        """Follow until cancelled; the client may answer a cancellation with an error of its own."""
        failing = False
        task = asyncio.current_task()
        assert task is not None, "run is called in a task"
        while not task.cancelling():
            try:
                await self.step()
                failing = False
            except (RedisError, OSError, StoreError, Problem) as error:
                if not failing:
                    log.warning("webhooks", error=type(error).__name__)
                failing = True
                await asyncio.sleep(RETRY_S)

    async def step(self) -> None:
        """Wait a moment for new notices, queue what they say, and enqueue what is due."""
        if not await self._work.sismember(OWNERS, EVERYBODY):
            await self._find_owners()
        place, players = await self._told()
        for player in await self._owners(players):
            await self._collect(player)
        await self._work.set(PLACE, place)
        for lane in LANES:
            await self._enqueue(lane)

    async def _find_owners(self) -> None:
        """List who has webhooks: the work Redis is new, or was emptied."""
        async for player in self._store.players():
            record = await self._players.get(player)
            if record is not None and record.webhooks:
                await self._work.sadd(OWNERS, player)
        await self._work.sadd(OWNERS, EVERYBODY)

    async def _told(self) -> tuple[bytes, Iterable[bytes] | None]:
        """Return the next place, and the players with new notices. None is everybody."""
        place = await self._work.get(PLACE)
        if place is None or (place != START and not await self._work.xrange(NOTICES, place, place)):
            last = await self._work.xrevrange(NOTICES, count=1)
            return (last[0][0] if last else START), None
        found = await self._work.xread({NOTICES: place}, count=NOTICES_KEPT, block=WAIT_MS)
        entries = found[0][1] if found else []
        if place == START and len(entries) == NOTICES_KEPT:
            return entries[-1][0], None
        players = dict.fromkeys(fields[b"p"] for _, fields in entries)
        return (entries[-1][0] if entries else place), players

    async def _owners(self, players: Iterable[bytes] | None) -> list[str]:
        """Return those players who may have webhooks."""
        if players is None:
            found = await self._work.smembers(OWNERS)
        elif wanted := list(players):
            has = await self._work.smismember(OWNERS, wanted)
            found = [player for player, owner in zip(wanted, has, strict=True) if owner]
        else:
            found = []
        return [player.decode() for player in found if player != EVERYBODY]

    async def _collect(self, player: str) -> None:
        """Queue a player's new notices for its webhooks."""
        webhooks = await self._webhooks.standing(player)
        if not webhooks:
            await self._work.hdel(PLACES, player)
            return
        place = await self._work.hget(PLACES, player)
        while True:
            start = "-" if place is None else f"({place.decode()}"
            entries = await self._work.xrange(f"{NOTICES}:{player}", start, count=PAGE)
            if not entries:
                return
            notices = [(name.decode(), fields[b"n"]) for name, fields in entries]
            for webhook in webhooks:
                await self._add(player, webhook, notices)
            place = entries[-1][0]
            await self._work.hset(PLACES, player, place)

    async def _add(self, player: str, webhook: Webhook, notices: list[tuple[str, bytes]]) -> None:
        health = await self._outbox.health(webhook.id)
        if health.disabled is not None:
            return
        messages = [
            made
            for place, notice in notices
            if (made := _message(webhook, place, notice)) is not None
        ]
        if messages:
            await self._outbox.add(Address(player, webhook.id), messages)

    async def _enqueue(self, lane: Lane) -> None:
        """Enqueue rounds that are due, unless the queue has enough."""
        queue = self._queues[lane]
        if await asyncio.to_thread(lambda: queue.count) >= QUEUED_MAX:
            return
        if due := await self._outbox.claim(lane, TOGETHER):
            await asyncio.to_thread(enqueue, self._queues, send_webhooks(lane, due))


@asynccontextmanager
async def feeding_webhooks(context: Context) -> AsyncIterator[None]:
    """Fill the outbox in the background, unless webhooks are turned off."""
    if not context.settings.webhooks_max:
        yield
        return
    async with in_background(WebhookFeed(context).run()):
        yield


def _message(webhook: Webhook, place: str, notice: bytes) -> Message | None:
    """Return the message about a notice; None if it is older, or of another type."""
    at = int(place.partition("-")[0]) * 1_000
    if notice == OPENED or at < at_micros(webhook.created):
        return None
    kind = TYPED.decode(notice).type
    if kind not in webhook.events:
        return None
    name = sha256(f"{webhook.id} {place}".encode()).hexdigest()[:24]
    return message(f"msg_{name}", kind, at, notice)
