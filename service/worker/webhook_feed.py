"""Fill the outbox from the notices of players, and enqueue the rounds that are due.

Several may run: a message has an id that follows from its notice, so queueing it twice is queueing
it once.
"""

import asyncio
from collections.abc import Iterable, Iterator
from hashlib import sha256

import msgspec
import structlog
from msgspec.structs import replace
from redis.exceptions import RedisError

from events.record import at_micros, at_text
from events.store import StoreError
from games.match.clocks import SECOND
from projections.notices import TurnNotice
from projections.rows import NOTICES, NOTICES_KEPT
from service.base.clock import now_micros
from service.base.problems import Problem
from service.jobs.queues import enqueue, open_queues, send_mails, send_webhooks
from service.play.changes import START
from service.play.deliveries import LANES, TOGETHER, Lane
from service.play.notices import OPENED, TYPED
from service.play.outbox import Address, Message, Outbox
from service.play.player_record import Mailbox, Subscription, Webhook
from service.play.webhooks import OWNERS, message, standing
from service.process.context import Context
from service.worker.pushing import LOOK_S, REMINDER, remind_at

PLACE = "webhooks:place"
"""Place in the stream of players with new notices up to which it was read."""
PLACES = "webhooks:places"
"""Places in the notices of players up to which they were read, by player."""
EVERYBODY = b""
"""Member of the owners that says that all of them are in the set."""
WAIT_MS = 200
RETRY_S = 0.5
PAGE = 100
MAILS_TOGETHER = 20
"""Maximum number of mailboxes in a job: e-mails are sent one after the other."""
QUEUED_MAX = 2
"""Number of jobs that may wait in a queue before others are enqueued."""

Target = Webhook | Subscription | Mailbox
"""Where a player is sent messages."""

TURN = msgspec.json.Decoder(TurnNotice)

log = structlog.get_logger("shiplog")


class WebhookFeed:
    """Follows the notices of all players who have webhooks, subscribed browsers or mailboxes."""

    def __init__(self, context: Context) -> None:
        """Prepare to follow."""
        self._work = context.work
        self._players = context.players
        self._push = context.push
        self._mailboxes = context.mailboxes
        self._store = context.store
        self._outbox = Outbox(context.work)
        self._queues = open_queues(context.work_url)
        self._settings = context.settings

    async def run(self) -> None:
        """Follow until cancelled."""
        failing = False
        while True:
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
        await self._mailboxes.queue_asked()
        for lane in LANES:
            await self._enqueue(lane)

    async def _find_owners(self) -> None:
        """List whom to send to: the work Redis is new, or was emptied."""
        async for player in self._store.documents("player"):
            record = await self._players.get(player)
            if record is not None and (record.webhooks or record.subscriptions or record.mailbox):
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
        """Return those players who may have webhooks, subscribed browsers or a mailbox."""
        if players is None:
            found = await self._work.smembers(OWNERS)
        elif wanted := list(players):
            has = await self._work.smismember(OWNERS, wanted)
            found = [player for player, owner in zip(wanted, has, strict=True) if owner]
        else:
            found = []
        return [player.decode() for player in found if player != EVERYBODY]

    async def _collect(self, player: str) -> None:
        """Queue a player's new notices."""
        targets = await self._targets(player)
        if not targets:
            await self._work.hdel(PLACES, player)
            return
        place = await self._work.hget(PLACES, player)
        while True:
            start = "-" if place is None else f"({place.decode()}"
            entries = await self._work.xrange(f"{NOTICES}:{player}", start, count=PAGE)
            if not entries:
                return
            notices = [(name.decode(), fields[b"n"]) for name, fields in entries]
            for target in targets:
                await self._add(player, target, notices)
            place = entries[-1][0]
            await self._work.hset(PLACES, player, place)

    async def _targets(self, player: str) -> tuple[Target, ...]:
        """Return where the player is sent messages."""
        record = await self._players.fresh(player)
        if record is None:
            return ()
        return (
            *(standing(record) if self._settings.webhooks_max else ()),
            *self._push.standing(record),
            *self._mailboxes.standing(record),
        )

    async def _add(self, player: str, target: Target, notices: list[tuple[str, bytes]]) -> None:
        health = await self._outbox.health(target.id)
        if health.disabled is not None:
            return
        delay_s = self._delay_s(target)
        messages = [
            made for place, notice in notices for made in _messages(target, place, notice, delay_s)
        ]
        if messages:
            await self._outbox.add(Address(player, target.id), messages)

    def _delay_s(self, target: Target) -> int | None:
        """Return how long notices wait for an open page to show them (seconds)."""
        match target:
            case Subscription():
                return self._settings.push_delay_s
            case Mailbox():
                return self._settings.mail_delay_s
            case Webhook():
                return None

    async def _enqueue(self, lane: Lane) -> None:
        """Enqueue rounds that are due, unless the queue has enough."""
        queue = self._queues["slow_webhooks" if lane == "mails" else lane]
        if await asyncio.to_thread(lambda: queue.count) >= QUEUED_MAX:
            return
        together = MAILS_TOGETHER if lane == "mails" else TOGETHER
        if due := await self._outbox.claim(lane, together):
            job = send_mails(due) if lane == "mails" else send_webhooks(lane, due)
            await asyncio.to_thread(enqueue, self._queues, job)


async def keep_feeding(context: Context) -> None:
    """Fill the outbox until cancelled, unless everything that it is for is turned off."""
    settings = context.settings
    if settings.webhooks_max or settings.push_contact or settings.smtp_host:
        await WebhookFeed(context).run()


def _messages(target: Target, place: str, notice: bytes, delay_s: int | None) -> Iterator[Message]:
    """Yield the messages about a notice, unless it is older than the target, or not wanted."""
    at = int(place.partition("-")[0]) * 1_000
    if notice == OPENED or at < at_micros(target.created):
        return
    kind = TYPED.decode(notice).type
    if kind in target.events:
        made = _message(target.id, place, kind, at, notice)
        yield made if delay_s is None else _due(made, at + delay_s * SECOND)
    if kind == "turn" and REMINDER in target.events:
        deadline = TURN.decode(notice).deadline
        due = None if deadline is None else remind_at(at, at_micros(deadline))
        if due is not None:
            yield _due(_message(target.id, place, REMINDER, at, notice), due)


def _message(target: str, place: str, kind: str, at: int, notice: bytes) -> Message:
    """Return a message, whose id follows from its notice."""
    of = f"{target} {place}" + (f" {kind}" if kind == REMINDER else "")
    name = sha256(of.encode()).hexdigest()[:24]
    return replace(message(f"msg_{name}", kind, at, notice), place=place)


def _due(made: Message, at: int) -> Message:
    """Return a message that is due at a time (microseconds), but soon enough to be kept."""
    at = min(at, now_micros() + LOOK_S * SECOND)
    return replace(made, delivery=replace(made.delivery, due=at_text(at)))
