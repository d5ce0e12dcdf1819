"""The outbox, in the work Redis: what waits to be sent to webhooks, browsers and mailboxes.

A message is sent at least once, always under the same id. Each lane has a schedule of
receivers with something to send, by the time of their next round. Whoever begins a round puts it
off for a while, so that nobody else begins it, and a round that does not end is begun again.
"""

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import msgspec
from msgspec.structs import replace

from events.record import at_micros
from games.match.clocks import SECOND
from service.base.clock import DAY_S, now_micros
from service.play.deliveries import LANES, TEST, Delivery, Health, Lane

ROUND = 5
"""Maximum number of messages in a round."""
CLAIMED_S = 120
"""Time after which a round that has not ended is begun again (seconds)."""
WAITING_MAX = 500
"""Maximum number of waiting messages of a webhook. Above it, the oldest are dropped."""
KEPT = 100
"""Number of messages in the log that do not wait any more."""
KEPT_S = 7 * DAY_S
"""Time for which messages are kept after the last change (seconds)."""
FIRST = 0
"""Due time of an urgent message, which is sent before others."""
MAILBOX = "ml_"
"""How the ids of mailboxes begin."""

CLAIM = """\
local due = redis.call('ZRANGEBYSCORE', KEYS[1], '-inf', ARGV[1], 'LIMIT', 0, ARGV[3])
for _, webhook in ipairs(due) do redis.call('ZADD', KEYS[1], ARGV[2], webhook) end
return due
"""
REST = """\
for place = 2, #KEYS do redis.call('ZREM', KEYS[place], ARGV[1]) end
local due = redis.call('ZRANGE', KEYS[1], 0, 0, 'WITHSCORES')[2]
if not due then return end
local soonest = tonumber(due) == 0 and ARGV[3] or ARGV[4]
local at = math.max(tonumber(due), tonumber(soonest))
redis.call('ZADD', KEYS[tonumber(ARGV[2])], string.format('%.0f', at), ARGV[1])
"""


class Address(NamedTuple):
    """A webhook, a subscribed browser or the mailbox of a player."""

    player: str
    target: str
    """Id of the webhook, the subscription or the mailbox."""


class Message(msgspec.Struct, frozen=True):
    """A delivery with what is told."""

    delivery: Delivery
    body: str
    """Body of the message to a webhook. Others are written from it."""
    place: str = ""
    """Place of the notice among those of the player; empty for an urgent message."""


MESSAGE = msgspec.json.Decoder(Message)
HEALTH = msgspec.json.Decoder(Health)


class Outbox:
    """The messages to all webhooks, subscribed browsers and mailboxes."""

    def __init__(self, work: Any) -> None:
        """Use an asyncio client of the work Redis (of bytes)."""
        self._work = work
        self._claim = work.register_script(CLAIM)
        self._rest = work.register_script(REST)

    async def add(self, to: Address, messages: Sequence[Message]) -> None:
        """Queue messages. Those that are known stay as they are."""
        now = now_micros()
        dues = [
            now - len(messages) + place if one.delivery.due is None else at_micros(one.delivery.due)
            for place, one in enumerate(messages)
        ]
        async with self._work.pipeline(transaction=True) as pipe:
            for message, due in zip(messages, dues, strict=True):
                name = message.delivery.id
                pipe.zadd(_waiting(to.target), {name: due}, nx=True)
                pipe.hsetnx(_messages(to.target), name, msgspec.json.encode(message))
            _expire(pipe, to.target)
            await pipe.execute()
        excess = await self._work.zcard(_waiting(to.target)) - WAITING_MAX
        if excess > 0:
            await self._drop(to.target, excess)
        health = await self.health(to.target)
        soonest = max(now, health.soonest, min(dues))
        schedule = _schedule(_lane(to, health))
        known = await self._work.zscore(schedule, _name(to))
        # What is due earlier may be a round under way, at whose end the next one is scheduled.
        if known is None or known > max(soonest, now + CLAIMED_S * SECOND):
            await self._work.zadd(schedule, {_name(to): soonest})

    async def add_urgent(self, to: Address, message: Message) -> Delivery:
        """Queue a message that no pause delays, such as a test, and return it.

        If one is waiting, only return that.
        """
        waiting = await self._work.zrangebyscore(_waiting(to.target), FIRST, FIRST)
        for known in await self._read(to.target, waiting):
            return known.delivery
        name = message.delivery.id
        async with self._work.pipeline(transaction=True) as pipe:
            pipe.zadd(_waiting(to.target), {name: FIRST})
            pipe.hset(_messages(to.target), name, msgspec.json.encode(message))
            _expire(pipe, to.target)
            await pipe.execute()
        health = await self.health(to.target)
        soonest = {_name(to): max(now_micros(), health.soonest_test)}
        await self._work.zadd(_schedule(_lane(to, health)), soonest, lt=True)
        return message.delivery

    async def claim(self, lane: Lane, count: int) -> list[Address]:
        """Return webhooks of a lane whose next round is due, and put it off for others."""
        now = now_micros()
        names = await self._claim(
            keys=[_schedule(lane)], args=[now, now + CLAIMED_S * SECOND, count]
        )
        return [Address(*name.decode().split(" ")) for name in names]

    async def due(self, target: str, health: Health, count: int = ROUND) -> list[Message]:
        """Return the messages of a round, in their order; only urgent ones in a pause."""
        now = now_micros()
        until = now if health.disabled is None and health.soonest <= now else FIRST
        names = await self._work.zrangebyscore(_waiting(target), "-inf", until, 0, count)
        return await self._read(target, names)

    async def put(self, target: str, message: Message, health: Health) -> None:
        """Store what a try has changed."""
        delivery = message.delivery
        async with self._work.pipeline(transaction=True) as pipe:
            pipe.set(_health(target), msgspec.json.encode(health))
            pipe.hset(_messages(target), delivery.id, msgspec.json.encode(message))
            if delivery.due is None:
                pipe.zrem(_waiting(target), delivery.id)
                pipe.zadd(_ended(target), {delivery.id: now_micros()})
            else:
                pipe.zadd(_waiting(target), {delivery.id: at_micros(delivery.due)})
            if delivery.type == TEST and delivery.state == "delivered":
                await self._hasten(target, pipe)
            _expire(pipe, target)
            await pipe.execute()
        if health.disabled is not None:
            await self._drop(target, WAITING_MAX)
        else:
            await self._trim(target)

    async def rest(self, to: Address, health: Health) -> None:
        """Schedule the next round of a webhook if there is something to send."""
        schedules = [_schedule(lane) for lane in LANES]
        place = 2 + LANES.index(_lane(to, health))
        await self._rest(
            keys=[_waiting(to.target), *schedules],
            args=[_name(to), place, health.soonest_test, health.soonest],
        )

    async def log(self, target: str) -> list[Delivery]:
        """Return the waiting messages and the last others, newest first."""
        found = await self._work.hvals(_messages(target))
        deliveries = [MESSAGE.decode(data).delivery for data in found]
        return sorted(deliveries, key=lambda one: (one.created, one.id), reverse=True)

    async def count(self, target: str) -> int:
        """Return the number of waiting messages."""
        return await self._work.zcard(_waiting(target))

    async def health(self, target: str) -> Health:
        """Return how a webhook has fared."""
        data = await self._work.get(_health(target))
        return Health() if data is None else HEALTH.decode(data)

    async def forget(self, to: Address) -> None:
        """Delete everything of a webhook."""
        of = (_health, _messages, _waiting, _ended)
        await self._work.delete(*(key(to.target) for key in of))
        for lane in LANES:
            await self._work.zrem(_schedule(lane), _name(to))

    async def _hasten(self, target: str, pipe: Any) -> None:
        """Make everything due that waits: a test has shown that the receiver is back."""
        now = now_micros()
        for name in await self._work.zrange(_waiting(target), 0, -1):
            pipe.zadd(_waiting(target), {name: now}, xx=True, lt=True)

    async def _drop(self, target: str, count: int) -> None:
        """Drop the messages that are due first."""
        names = await self._work.zrange(_waiting(target), 0, count - 1)
        dropped = [
            replace(one, delivery=replace(one.delivery, state="dropped", due=None))
            for one in await self._read(target, names)
        ]
        async with self._work.pipeline(transaction=True) as pipe:
            for message in dropped:
                name = message.delivery.id
                pipe.hset(_messages(target), name, msgspec.json.encode(message))
                pipe.zrem(_waiting(target), name)
                pipe.zadd(_ended(target), {name: now_micros()})
            await pipe.execute()
        await self._trim(target)

    async def _trim(self, target: str) -> None:
        excess = await self._work.zcard(_ended(target)) - KEPT
        if excess > 0:
            names = [name for name, _ in await self._work.zpopmin(_ended(target), excess)]
            await self._work.hdel(_messages(target), *names)

    async def _read(self, target: str, names: Iterable[bytes]) -> list[Message]:
        """Return waiting messages. What is known to have ended is removed from those that wait."""
        if not (wanted := list(names)):
            return []
        found = await self._work.hmget(_messages(target), wanted)
        messages = [None if data is None else MESSAGE.decode(data) for data in found]
        ended = [
            name
            for name, message in zip(wanted, messages, strict=True)
            if message is None or message.delivery.state != "waiting"
        ]
        if ended:
            await self._work.zrem(_waiting(target), *ended)
        return [one for one in messages if one is not None and one.delivery.state == "waiting"]


def _expire(pipe: Any, target: str) -> None:
    for key in (_messages, _waiting, _ended):
        pipe.expire(key(target), KEPT_S)


def _lane(to: Address, health: Health) -> Lane:
    return "mails" if to.target.startswith(MAILBOX) else health.lane


def _schedule(lane: Lane) -> str:
    return f"schedule:{lane}"


def _name(to: Address) -> str:
    return f"{to.player} {to.target}"


def _health(target: str) -> str:
    return f"webhook:{target}"


def _messages(target: str) -> str:
    return f"webhook:{target}:messages"


def _waiting(target: str) -> str:
    return f"webhook:{target}:waiting"


def _ended(target: str) -> str:
    return f"webhook:{target}:ended"
