"""Seeks as the work Redis has them: places, lists, and the scripts that change them.

Seeks and their lists expire. A player may have a limited number of them.
"""

import hashlib
from collections.abc import Collection, Sequence
from typing import Any

import msgspec

from games.match.clocks import SECOND
from service.base.clock import DAY_S, now_micros
from service.base.problems import Problem, limited, not_found
from service.play.open_seeks import Offer, OpenSeek, Seek, Taken, people_of
from service.play.work_needed import work_needed

OPEN_MAX = 10
"""Maximum number of open seeks that a player has posted or taken."""
FILLED_S = 3_600
"""Time for which a completed seek is known, for players who repeat their call (seconds)."""
RETRY_S = 60
OFFERED_S = DAY_S
"""Time after its latest seek when the list of a game's, an offer's or a player's seeks expires
(seconds). No seek lasts longer.
"""
WAITING_FOR_BOTS = "seeks:bots"
"""Seeks that bots complete, by when (microseconds since 1970)."""
BATCH = 500

LIST = """\
local posted = redis.call('GET', KEYS[1]) or '0'
if ARGV[1] ~= '' and ARGV[1] ~= posted then return 0 end
redis.call('ZREMRANGEBYSCORE', KEYS[2], '-inf', ARGV[5])
if redis.call('ZCARD', KEYS[2]) >= tonumber(ARGV[6]) then return -4 end
redis.call('INCR', KEYS[1])
redis.call('EXPIRE', KEYS[1], ARGV[4])
for place = 2, #KEYS do
  redis.call('ZADD', KEYS[place], ARGV[3], ARGV[2])
  redis.call('EXPIRE', KEYS[place], ARGV[4])
end
return 1
"""
"""List a seek, unless its player has too many: then the answer is -4.

If a number is given, only while no more seeks than these have had its offer.
"""

TAKE = """\
local left = redis.call('PTTL', KEYS[1])
if left < 0 then return -1 end
local count = redis.call('HLEN', KEYS[2])
local checked = {}
for place = 8, #ARGV do checked[ARGV[place]] = true end
for _, player in ipairs(redis.call('HKEYS', KEYS[2])) do
  if not checked[player] then return -3 end
end
if redis.call('HEXISTS', KEYS[2], ARGV[1]) == 1 then return count end
if count >= tonumber(ARGV[2]) then return -2 end
redis.call('ZREMRANGEBYSCORE', KEYS[3], '-inf', ARGV[5])
if not redis.call('ZSCORE', KEYS[3], ARGV[4]) and redis.call('ZCARD', KEYS[3]) >= tonumber(ARGV[6])
then return -4 end
redis.call('ZADD', KEYS[3], ARGV[5] + left * 1000, ARGV[4])
redis.call('EXPIRE', KEYS[3], ARGV[7])
redis.call('HSET', KEYS[2], ARGV[1], ARGV[3])
redis.call('PEXPIRE', KEYS[2], left)
return count + 1
"""
"""Take a place. The answer is -3 if a player who was not checked has come, -4 if the player has
too many seeks.
"""
UNCHECKED, TOO_MANY = -3, -4

LEAVE = """\
if redis.call('HEXISTS', KEYS[2], 'bot:0') == 1 then return 0 end
if ARGV[1] == '' then return redis.call('DEL', KEYS[1], KEYS[2]) end
return redis.call('HDEL', KEYS[2], ARGV[1])
"""
"""Give up a place, or delete the seek, unless bots have come: then the match is being created."""
FILL = """\
local left = redis.call('PTTL', KEYS[1])
local count = redis.call('HLEN', KEYS[2])
if left < 0 or count == 0 then return 0 end
if redis.call('HEXISTS', KEYS[2], 'bot:0') == 1 then return 1 end
local free = tonumber(ARGV[1]) - count
if free <= 0 then return 0 end
for bot = 0, free - 1 do redis.call('HSET', KEYS[2], 'bot:' .. bot, ARGV[2]) end
redis.call('PEXPIRE', KEYS[2], left)
return 1
"""
"""Let bots take all free places. The answer is 0 if the seek is gone, or complete without bots."""
SEEK = msgspec.json.Decoder(Seek)
TAKEN = msgspec.json.Decoder(Taken)


class SeekStore:
    """All seeks in the work Redis.

    Without it, all methods but `due` raise `Problem` 503.
    """

    def __init__(self, work: Any) -> None:
        """Use an asyncio client of the work Redis (of bytes)."""
        self._work = work
        self._list = work.register_script(LIST)
        self._take = work.register_script(TAKE)
        self._leave = work.register_script(LEAVE)
        self._fill = work.register_script(FILL)

    async def posted(self, offer: Offer) -> int:
        """Return the number of seeks that were posted with the same offer."""
        with work_needed():
            return int(await self._work.get(_posted(offer)) or 0)

    async def add(self, seek: Seek, now: int, kept_s: int, posted: int | None) -> bool:
        """Add and list a seek. Raises `Problem` 429 if its player has too many.

        If a number is given, only while no more seeks than these have had its offer. Return whether
        the seek was added.
        """
        until = now + kept_s * SECOND
        with work_needed():
            await self._work.set(_key(seek.id), msgspec.json.encode(seek), ex=kept_s)
            listed = await self._list(
                keys=[_posted(seek.offer), _of(seek.by), *_lists(seek.offer)],
                args=["" if posted is None else posted, seek.id, until, OFFERED_S, now, OPEN_MAX],
            )
            if listed <= 0:
                await self._work.delete(_key(seek.id))
                if listed == TOO_MANY:
                    raise _too_many()
                return False
            if seek.bots is not None:
                due = now + seek.bots.after_s * SECOND
                await self._work.zadd(WAITING_FOR_BOTS, {seek.id: due})
        return True

    async def get(self, seek: str) -> Seek | None:
        """Return a seek, if it is there. With a colon, the key would be another's."""
        if ":" in seek:
            return None
        with work_needed():
            data = await self._work.get(_key(seek))
        return None if data is None else SEEK.decode(data)

    async def places(self, seek: str) -> dict[str, Taken]:
        """Return the places of a seek in the order in which they were taken."""
        with work_needed():
            return _ordered(await self._work.hgetall(_places(seek)))

    async def listed(self, key: str, count: int) -> list[OpenSeek]:
        """Return seeks of a list, those that expire last first."""
        with work_needed():
            await self._work.zremrangebyscore(key, "-inf", now_micros())
            return await self._read(_decoded(await self._work.zrevrange(key, 0, count - 1)))

    async def of(self, player: str) -> list[OpenSeek]:
        """Return the open seeks that a player has a place in."""
        with work_needed():
            return await self._read(await self.ids_of(player))

    async def ids_of(self, player: str) -> list[str]:
        """Return the ids of the seeks that a player has a place in; some may have expired."""
        with work_needed():
            return _decoded(await self._work.zrange(_of(player), 0, -1))

    async def take(
        self, seek: Seek, player: str, taken: Taken, checked: Collection[str]
    ) -> int | None:
        """Take a place; return the number of taken places. Raises `Problem` 404, 429.

        Return None without a change if somebody has a place who is not among the `checked`.
        """
        with work_needed():
            count = await self._take(
                keys=[_key(seek.id), _places(seek.id), _of(player)],
                args=[
                    player,
                    seek.offer.seats,
                    msgspec.json.encode(taken),
                    seek.id,
                    taken.at,
                    OPEN_MAX,
                    OFFERED_S,
                    *checked,
                ],
            )
        if count == UNCHECKED:
            return None
        if count == TOO_MANY:
            raise _too_many()
        if count < 0:
            raise not_found("seek")
        return count

    async def leave(self, seek: str, player: str) -> bool:
        """Give up a player's place; return whether that was possible."""
        with work_needed():
            if not await self._leave(keys=[_key(seek), _places(seek)], args=[player]):
                return False
            await self._work.zrem(_of(player), seek)
        return True

    async def withdraw(self, seek: Seek, players: Sequence[str]) -> bool:
        """Delete a seek that players have places in; return whether that was possible."""
        with work_needed():
            if not await self._leave(keys=[_key(seek.id), _places(seek.id)], args=[""]):
                return False
            await self._unlist(seek, players)
        return True

    async def due(self) -> list[str]:
        """Return the seeks that bots should complete now. Raises `RedisError`."""
        return _decoded(
            await self._work.zrangebyscore(
                WAITING_FOR_BOTS, "-inf", now_micros(), start=0, num=BATCH
            )
        )

    async def fill(self, seek: Seek) -> bool:
        """Return whether bots have taken all places that were free, now or in an earlier try."""
        taken = msgspec.json.encode(Taken(now_micros(), ""))
        keys = [_key(seek.id), _places(seek.id)]
        with work_needed():
            return bool(await self._fill(keys=keys, args=[seek.offer.seats, taken]))

    async def stop_waiting(self, seek: str) -> None:
        """Let a seek no longer wait for bots."""
        with work_needed():
            await self._work.zrem(WAITING_FOR_BOTS, seek)

    async def complete(self, seek: Seek, players: Sequence[str]) -> None:
        """Keep a seek with its match for a while, and list it no longer."""
        with work_needed():
            await self._work.set(_key(seek.id), msgspec.json.encode(seek), ex=FILLED_S)
            await self._work.expire(_places(seek.id), FILLED_S)
            await self._unlist(seek, players)

    async def forget(self, player: str) -> None:
        """Delete the list of a player's seeks."""
        with work_needed():
            await self._work.delete(_of(player))

    async def _read(self, ids: Sequence[str]) -> list[OpenSeek]:
        if not ids:
            return []
        pipe = self._work.pipeline(transaction=False)
        pipe.mget([_key(one) for one in ids])
        for one in ids:
            pipe.hgetall(_places(one))
        found, *places = await pipe.execute()
        return [
            OpenSeek(SEEK.decode(data), people_of(_ordered(taken)))
            for data, taken in zip(found, places, strict=True)
            if data is not None
        ]

    async def _unlist(self, seek: Seek, players: Sequence[str]) -> None:
        pipe = self._work.pipeline(transaction=False)
        for listed in (*_lists(seek.offer), WAITING_FOR_BOTS, *map(_of, players)):
            pipe.zrem(listed, seek.id)
        await pipe.execute()


def _too_many() -> Problem:
    return limited(
        "seeks",
        "too-many-seeks",
        f"You may have at most {OPEN_MAX} open seeks. Leave one, or try again later.",
        retry_after=RETRY_S,
    )


def _decoded(ids: Sequence[bytes]) -> list[str]:
    return [one.decode() for one in ids]


def _ordered(places: dict[bytes, bytes]) -> dict[str, Taken]:
    """Return the places in the order in which they were taken."""
    found = {player.decode(): TAKEN.decode(data) for player, data in places.items()}
    return dict(sorted(found.items(), key=lambda place: (place[1].at, place[0])))


def _lists(offer: Offer) -> tuple[str, str]:
    return of_game(offer.game), same_offer(offer)


def of_game(game: str) -> str:
    """Return the key of all seeks of a game."""
    return f"seeks:game:{game}"


def same_offer(offer: Offer) -> str:
    """Return the key of all seeks with the same offer, which no other seeks can crowd out."""
    digest = hashlib.sha256(msgspec.json.encode(offer, order="sorted")).hexdigest()
    return f"seeks:offer:{digest[:32]}"


def _posted(offer: Offer) -> str:
    """Return the key of the number of seeks that were posted with the same offer."""
    return f"{same_offer(offer)}:posted"


def _key(seek: str) -> str:
    return f"seek:{seek}"


def _places(seek: str) -> str:
    return f"seek:{seek}:places"


def _of(player: str) -> str:
    return f"seeks:of:{player}"
