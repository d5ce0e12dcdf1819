"""Seeks: offers of a match that others take. When all places are taken, the match is created.

They are in the work Redis, and expire. All steps of a completion can be repeated: the match and
its seats follow from the id of the seek. If a seek lets bots in, a job of the worker completes it
with them when it is time.
"""

import hashlib
import secrets
from collections.abc import Collection, Iterable
from typing import Any

import msgspec

from events.record import at_text
from games.match.clocks import SECOND
from games.match.commands import AddBot, TakeSeat
from projections.notices import SeekNotice
from service.base.clock import DAY_S, now_micros
from service.base.problems import Problem, limited, malformed, not_found
from service.play.blocks import Blocks
from service.play.caller import Caller
from service.play.matches import Matches
from service.play.notices import Notices
from service.play.open_seeks import (
    BOT,
    Offer,
    OpenSeek,
    Seek,
    SeekBots,
    Taken,
    fits,
    people_of,
    rank,
)
from service.play.work_needed import work_needed

OPEN_MAX = 10
"""Maximum number of open seeks that a player has posted or taken."""
LISTED_MAX = 200
"""Maximum number of seeks that are listed, and of those among which `join` looks."""
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
LOOKS_MAX = 50
"""Number of times that `join` looks again because others have posted meanwhile."""

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


class Seeks:
    """The seeks of all players."""

    def __init__(self, work: Any, matches: Matches, blocks: Blocks, notices: Notices) -> None:
        """Use an asyncio client of the work Redis (of bytes)."""
        self._work = work
        self._matches = matches
        self._blocks = blocks
        self._notices = notices
        self._list = work.register_script(LIST)
        self._take = work.register_script(TAKE)
        self._leave = work.register_script(LEAVE)
        self._fill = work.register_script(FILL)

    async def post(
        self, caller: Caller, offer: Offer, bots: SeekBots | None, kept_s: int, entropy: str
    ) -> OpenSeek:
        """Post a seek that expires after a time; raises `Problem` 400, 404, 422, 429, 503."""
        self._check(offer, bots, kept_s)
        seek = await self._post(caller, offer, bots, kept_s, None)
        assert seek is not None, "nothing was to be compared"
        return await self._taken(seek, caller, entropy)

    async def _post(
        self, caller: Caller, offer: Offer, bots: SeekBots | None, kept_s: int, posted: int | None
    ) -> Seek | None:
        """Post a seek, or return None if the number of posted seeks is no longer the given one."""
        now = now_micros()
        until = now + kept_s * SECOND
        name = f"s_{secrets.token_urlsafe(12)}"
        seek = Seek(name, caller.player, offer, at_text(now), at_text(until), bots=bots)
        with work_needed():
            await self._work.set(_key(seek.id), msgspec.json.encode(seek), ex=kept_s)
            listed = await self._list(
                keys=[_posted(offer), _of(caller.player), *_lists(offer)],
                args=["" if posted is None else posted, seek.id, until, OFFERED_S, now, OPEN_MAX],
            )
            if listed <= 0:
                await self._work.delete(_key(seek.id))
                if listed == TOO_MANY:
                    raise _too_many()
                return None
            if bots is not None:
                due = now + bots.after_s * SECOND
                await self._work.zadd(WAITING_FOR_BOTS, {seek.id: due})
        return seek

    async def join(
        self, caller: Caller, offer: Offer, bots: SeekBots | None, kept_s: int, entropy: str
    ) -> OpenSeek:
        """Take a place in an open seek that fits, or post a seek if there is none.

        A fitting seek that the player has a place in is returned as it is. If others post a seek
        with the same offer after the look at the list, the call looks again, so that two at once do
        not post two seeks. Raises `Problem` as `post` and `take` do.
        """
        self._check(offer, bots, kept_s)
        gone: set[str] = set()
        looks = 0
        while True:
            looks += 1
            with work_needed():
                posted = int(await self._work.get(_posted(offer)) or 0)
            found = await self._listed(caller.player, _same(offer), LISTED_MAX)
            fitting = [
                one
                for one in found
                if one.seek.id not in gone and fits(one, caller.player, offer, bots)
            ]
            if not fitting:
                seen = posted if looks < LOOKS_MAX else None
                seek = await self._post(caller, offer, bots, kept_s, seen)
                if seek is None:
                    continue
                return await self._taken(seek, caller, entropy)
            best = min(fitting, key=lambda one: rank(one, caller.player))
            if caller.player in best.players:
                return best
            try:
                return await self.take(caller, best.seek.id, entropy)
            except Problem as problem:
                if problem.code != "not-found":
                    raise
                gone.add(best.seek.id)

    async def take(self, caller: Caller, seek: str, entropy: str) -> OpenSeek:
        """Take a place, and create the match if it was the last; raises `Problem`."""
        with work_needed():
            found = await self._get(seek)
            players = await self._players(seek)
        if found is None:
            raise not_found("seek")
        if found.match is not None:
            if caller.player not in players:
                raise not_found("seek")
            return OpenSeek(found, people_of(players))
        return await self._taken(found, caller, entropy)

    async def leave(self, player: str, seek: str) -> None:
        """Withdraw a seek, or leave one that was taken; raises `Problem` 404, 503."""
        with work_needed():
            found = await self._get(seek)
            if found is None:
                raise not_found("seek")
            players = people_of(await self._players(seek))
            if found.match is not None:
                raise _complete_seek(found.match) if player in players else not_found("seek")
            whole = found.by == player
            keys = [_key(seek), _places(seek)]
            if not await self._leave(keys=keys, args=["" if whole else player]):
                raise not_found("seek")
            if whole:
                await self._unlist(found, players)
            else:
                await self._work.zrem(_of(player), seek)

    async def due(self) -> list[str]:
        """Return the seeks that bots should complete now. Raises `RedisError`."""
        found = await self._work.zrangebyscore(
            WAITING_FOR_BOTS, "-inf", now_micros(), start=0, num=BATCH
        )
        return [one.decode() for one in found]

    async def fill(self, seek: str) -> str | None:
        """Seat bots on the free seats of a seek that is due, and return the match that starts.

        Return None if the seek is gone or complete. A repeated call goes on where the last one
        failed. Raises `Problem`.
        """
        with work_needed():
            found = await self._get(seek)
            if found is None or found.match is not None or not await self._filled(found):
                await self._work.zrem(WAITING_FOR_BOTS, seek)
                return None
            players = await self._players(seek)
        return (await self._complete(found, players)).match

    async def open(self, player: str, games: Collection[str]) -> list[OpenSeek]:
        """Return the open seeks of games that a player may take, those that expire last first.

        Each game has an equal share of the list. Raises `Problem` 503.
        """
        count = LISTED_MAX // len(games)
        found = [one for game in games for one in await self._listed(player, _of_game(game), count)]
        return sorted(found, key=lambda one: one.seek.expires, reverse=True)

    async def of(self, player: str) -> list[OpenSeek]:
        """Return the open seeks that a player has a place in; raises `Problem` 503."""
        with work_needed():
            return await self._read(await self._work.zrange(_of(player), 0, -1))

    async def part(self, player: str) -> None:
        """Leave all seeks that a player shares with a blocked one; raises `Problem` 503."""
        await self._leave_all(player, blocked_only=True)

    async def forget(self, player: str) -> None:
        """Withdraw or leave all seeks of a player; raises `Problem` 503."""
        await self._leave_all(player, blocked_only=False)
        with work_needed():
            await self._work.delete(_of(player))

    async def _listed(self, player: str, listed: str, count: int) -> list[OpenSeek]:
        """Return seeks of a list that a player may take; raises `Problem` 503."""
        with work_needed():
            await self._work.zremrangebyscore(listed, "-inf", now_micros())
            found = await self._read(await self._work.zrevrange(listed, 0, count - 1))
        return [
            one
            for one in found
            if player in one.players or not await self._blocks.between(player, one.players)
        ]

    async def _read(self, seeks: list[bytes]) -> list[OpenSeek]:
        ids = [one.decode() for one in seeks]
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

    async def _leave_all(self, player: str, *, blocked_only: bool) -> None:
        with work_needed():
            seeks = [one.decode() for one in await self._work.zrange(_of(player), 0, -1)]
        for seek in seeks:
            with work_needed():
                others = [one for one in people_of(await self._players(seek)) if one != player]
            if blocked_only and not await self._blocks.between(player, others):
                continue
            try:
                await self.leave(player, seek)
            except Problem as problem:
                if problem.code != "not-found":
                    raise

    async def _taken(self, seek: Seek, caller: Caller, entropy: str) -> OpenSeek:
        now = now_micros()
        taken = msgspec.json.encode(Taken(now, entropy))
        with work_needed():
            count = UNCHECKED
            while count == UNCHECKED:
                players = await self._players(seek.id)
                if caller.player not in players:
                    await self._require_unblocked(caller.player, people_of(players))
                count = await self._take(
                    keys=[_key(seek.id), _places(seek.id), _of(caller.player)],
                    args=[
                        caller.player,
                        seek.offer.seats,
                        taken,
                        seek.id,
                        now,
                        OPEN_MAX,
                        OFFERED_S,
                        *players,
                    ],
                )
            if count == TOO_MANY:
                raise _too_many()
            if count < 0:
                raise not_found("seek")
            players = await self._players(seek.id)
        if count == seek.offer.seats:
            seek = await self._complete(seek, players)
        return OpenSeek(seek, people_of(players))

    async def _complete(self, seek: Seek, players: dict[str, Taken]) -> Seek:
        host, key = Caller(seek.by), self._matches.seek_key(seek.id)
        cached = await self._matches.create(host, seek.offer.command(), key)
        for seat, (player, taken) in enumerate(players.items()):
            key = self._matches.seat_key(seek.id, seat)
            if player.startswith(BOT):
                assert seek.bots is not None, "bots come only where the seek allows them"
                await self._matches.play(cached, host, AddBot(seat, seek.bots.level), key)
            else:
                await self._matches.play(cached, Caller(player), TakeSeat(seat, taken.entropy), key)
        match, people = cached.match.header.match, people_of(players)
        seek = msgspec.structs.replace(seek, match=match)
        with work_needed():
            await self._work.set(_key(seek.id), msgspec.json.encode(seek), ex=FILLED_S)
            await self._work.expire(_places(seek.id), FILLED_S)
            await self._unlist(seek, people)
        told = SeekNotice(seek.id, match, seek.offer.game)
        await self._notices.send([(player, told) for player in people])
        return seek

    async def _filled(self, seek: Seek) -> bool:
        """Return whether bots have taken all places that were free, now or in an earlier try."""
        taken = msgspec.json.encode(Taken(now_micros(), ""))
        keys = [_key(seek.id), _places(seek.id)]
        return bool(await self._fill(keys=keys, args=[seek.offer.seats, taken]))

    def _check(self, offer: Offer, bots: SeekBots | None, kept_s: int) -> None:
        """Raise `Problem` 400, 404, 422 if a seek like this cannot become a match."""
        self._matches.check(offer.command())
        if bots is None:
            return
        self._matches.check_level(offer.game, bots.level, "/bots/level")
        if bots.after_s >= kept_s:
            raise malformed(
                f"Bots come after {bots.after_s} s, but the seek expires after {kept_s} s. "
                "Let bots come sooner."
            ).at(pointer="/bots/after_s")

    async def _require_unblocked(self, player: str, others: Iterable[str]) -> None:
        """Raise `Problem` 404, as if the seek were gone: the blocked are not told of it."""
        if await self._blocks.between(player, others):
            raise not_found("seek")

    async def _get(self, seek: str) -> Seek | None:
        data = await self._work.get(_key(seek))
        return None if data is None else SEEK.decode(data)

    async def _players(self, seek: str) -> dict[str, Taken]:
        return _ordered(await self._work.hgetall(_places(seek)))

    async def _unlist(self, seek: Seek, players: list[str]) -> None:
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


def _complete_seek(match: str) -> Problem:
    """Refuse to leave a seek that is complete, to a player who has a seat in its match."""
    detail = f"This seek is complete: you have a seat in match {match}. Resign there to leave."
    return Problem(404, "not-found", detail)


def _ordered(places: dict[bytes, bytes]) -> dict[str, Taken]:
    """Return the places in the order in which they were taken."""
    found = {player.decode(): TAKEN.decode(data) for player, data in places.items()}
    return dict(sorted(found.items(), key=lambda place: (place[1].at, place[0])))


def _lists(offer: Offer) -> tuple[str, str]:
    return _of_game(offer.game), _same(offer)


def _of_game(game: str) -> str:
    return f"seeks:game:{game}"


def _same(offer: Offer) -> str:
    """Return the key of all seeks with the same offer, which no other seeks can crowd out."""
    digest = hashlib.sha256(msgspec.json.encode(offer, order="sorted")).hexdigest()
    return f"seeks:offer:{digest[:32]}"


def _posted(offer: Offer) -> str:
    """Return the key of the number of seeks that were posted with the same offer."""
    return f"{_same(offer)}:posted"


def _key(seek: str) -> str:
    return f"seek:{seek}"


def _places(seek: str) -> str:
    return f"seek:{seek}:places"


def _of(player: str) -> str:
    return f"seeks:of:{player}"
