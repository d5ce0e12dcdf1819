"""Seeks: offers of a match that others take. When all places are taken, the match is created.

They are in the work Redis, and expire. All steps of a completion can be repeated: the match and
its seats follow from the id of the seek.
"""

import secrets
from collections.abc import Iterable
from typing import Any

import msgspec

from events.record import at_text
from games.match.clocks import SECOND
from games.match.commands import Clock, CreateMatch, TakeSeat
from games.wire import GameOptions, Time
from projections.notices import SeekNotice
from service.base.clock import now_micros
from service.base.metrics import LIMITED
from service.base.problems import Problem, not_found
from service.play.blocks import Blocks
from service.play.matches import Matches
from service.play.notices import Notices
from service.play.players import Caller
from service.play.work_needed import work_needed

OPEN_MAX = 10
"""Maximum number of open seeks that a player has posted or taken."""
LISTED_MAX = 200
FILLED_S = 3_600
"""Time for which a completed seek is known, for players who repeat their call (seconds)."""
RETRY_S = 60
LIST = "seeks"

TAKE = """\
local left = redis.call('PTTL', KEYS[1])
if left < 0 then return -1 end
local count = redis.call('HLEN', KEYS[2])
local checked = {}
for place = 4, #ARGV do checked[ARGV[place]] = true end
for _, player in ipairs(redis.call('HKEYS', KEYS[2])) do
  if not checked[player] then return -3 end
end
if redis.call('HEXISTS', KEYS[2], ARGV[1]) == 1 then return count end
if count >= tonumber(ARGV[2]) then return -2 end
redis.call('HSET', KEYS[2], ARGV[1], ARGV[3])
redis.call('PEXPIRE', KEYS[2], left)
return count + 1
"""
"""Take a place, unless a player who was not checked has come: then the answer is -3."""
UNCHECKED = -3


class Offer(msgspec.Struct, frozen=True):
    """What a seek offers."""

    game: str
    seats: int
    options: GameOptions
    clock: Clock | None
    undo_limit: int | None

    def command(self) -> CreateMatch:
        """Return the command that creates the match."""
        return CreateMatch(
            self.game,
            self.seats,
            self.options,
            self.clock,
            undo_limit=self.undo_limit,
        )


class Seek(msgspec.Struct, frozen=True):
    """An offer of a match that waits for others to take it."""

    id: str
    by: str
    """Id of the player who posted the seek."""
    offer: Offer
    created: Time
    expires: Time
    match: str | None = None
    """The match, once the seek is complete."""


class Taken(msgspec.Struct, frozen=True):
    """A place that a player has taken."""

    at: int
    """When it was taken (microseconds since 1970)."""
    entropy: str


class OpenSeek(msgspec.Struct, frozen=True):
    """A seek and the players who have taken places, the one who posted it first."""

    seek: Seek
    players: list[str]


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
        self._take = work.register_script(TAKE)

    async def post(self, caller: Caller, offer: Offer, kept_s: int, entropy: str) -> OpenSeek:
        """Post a seek that expires after a time; raises `Problem` 404, 422, 429, 503."""
        self._matches.check(offer.command())
        now = now_micros()
        until = now + kept_s * SECOND
        seek = Seek(
            f"s_{secrets.token_urlsafe(12)}", caller.player, offer, at_text(now), at_text(until)
        )
        with work_needed():
            await self._require_room(caller.player, now)
            await self._work.set(_key(seek.id), msgspec.json.encode(seek), ex=kept_s)
            await self._work.zadd(LIST, {seek.id: until})
        return await self._taken(seek, caller, entropy)

    async def take(self, caller: Caller, seek: str, entropy: str) -> OpenSeek:
        """Take a place, and create the match if it was the last; raises `Problem`."""
        with work_needed():
            found = await self._get(seek)
            players = await self._players(seek)
        if found is None:
            raise not_found("seek")
        if caller.player not in players:
            if found.match is not None:
                raise not_found("seek")
            with work_needed():
                await self._require_room(caller.player, now_micros())
        if found.match is not None:
            return OpenSeek(found, list(players))
        return await self._taken(found, caller, entropy)

    async def leave(self, player: str, seek: str) -> None:
        """Withdraw a seek, or leave one that was taken; raises `Problem` 404, 503."""
        with work_needed():
            found = await self._get(seek)
            if found is None or found.match is not None:
                raise not_found("seek")
            if found.by == player:
                await self._delete(found, list(await self._players(seek)))
            elif await self._work.hdel(_places(seek), player):
                await self._work.zrem(_of(player), seek)
            else:
                raise not_found("seek")

    async def open(self, player: str, game: str | None) -> list[OpenSeek]:
        """Return the open seeks that a player may take, of one game if it is named.

        Raises `Problem` 503.
        """
        with work_needed():
            await self._work.zremrangebyscore(LIST, "-inf", now_micros())
            ids = [one.decode() for one in await self._work.zrevrange(LIST, 0, LISTED_MAX - 1)]
            if not ids:
                return []
            pipe = self._work.pipeline(transaction=False)
            pipe.mget([_key(one) for one in ids])
            for one in ids:
                pipe.hgetall(_places(one))
            seeks, *places = await pipe.execute()
        found = [
            OpenSeek(SEEK.decode(data), list(_ordered(taken)))
            for data, taken in zip(seeks, places, strict=True)
            if data is not None
        ]
        return [
            one
            for one in found
            if game in (None, one.seek.offer.game)
            and (player in one.players or not await self._blocks.between(player, one.players))
        ]

    async def part(self, player: str) -> None:
        """Leave all seeks that a player shares with a blocked one; raises `Problem` 503."""
        await self._leave_all(player, blocked_only=True)

    async def forget(self, player: str) -> None:
        """Withdraw or leave all seeks of a player; raises `Problem` 503."""
        await self._leave_all(player, blocked_only=False)
        with work_needed():
            await self._work.delete(_of(player))

    async def _leave_all(self, player: str, *, blocked_only: bool) -> None:
        with work_needed():
            seeks = [one.decode() for one in await self._work.zrange(_of(player), 0, -1)]
        for seek in seeks:
            with work_needed():
                others = [one for one in await self._players(seek) if one != player]
            if blocked_only and not await self._blocks.between(player, others):
                continue
            try:
                await self.leave(player, seek)
            except Problem as problem:
                if problem.code != "not-found":
                    raise

    async def _taken(self, seek: Seek, caller: Caller, entropy: str) -> OpenSeek:
        taken = msgspec.json.encode(Taken(now_micros(), entropy))
        with work_needed():
            count = UNCHECKED
            while count == UNCHECKED:
                players = await self._players(seek.id)
                if caller.player not in players:
                    await self._require_unblocked(caller.player, players)
                count = await self._take(
                    keys=[_key(seek.id), _places(seek.id)],
                    args=[caller.player, seek.offer.seats, taken, *players],
                )
            if count < 0:
                raise not_found("seek")
            until = await self._work.zscore(LIST, seek.id) or now_micros()
            await self._work.zadd(_of(caller.player), {seek.id: until})
            players = await self._players(seek.id)
        if count == seek.offer.seats:
            seek = await self._complete(seek, players)
        return OpenSeek(seek, list(players))

    async def _complete(self, seek: Seek, players: dict[str, Taken]) -> Seek:
        cached = await self._matches.create(Caller(seek.by), seek.offer.command(), seek.id)
        for seat, (player, taken) in enumerate(players.items()):
            sit = TakeSeat(seat, taken.entropy)
            key = self._matches.seat_key(seek.id, seat)
            await self._matches.play(cached, Caller(player), sit, key)
        match = cached.match.header.match
        seek = msgspec.structs.replace(seek, match=match)
        with work_needed():
            await self._work.set(_key(seek.id), msgspec.json.encode(seek), ex=FILLED_S)
            await self._work.expire(_places(seek.id), FILLED_S)
            await self._unlist(seek.id, list(players))
        told = SeekNotice(seek.id, match, seek.offer.game)
        await self._notices.send([(player, told) for player in players])
        return seek

    async def _require_unblocked(self, player: str, others: Iterable[str]) -> None:
        """Raise `Problem` 404, as if the seek were gone: the blocked are not told of it."""
        if await self._blocks.between(player, others):
            raise not_found("seek")

    async def _require_room(self, player: str, now: int) -> None:
        await self._work.zremrangebyscore(_of(player), "-inf", now)
        if await self._work.zcard(_of(player)) >= OPEN_MAX:
            LIMITED.labels("seeks").inc()
            raise Problem(
                429,
                "too-many-seeks",
                f"You may have at most {OPEN_MAX} open seeks. Leave one, or try again later.",
                retry_after=RETRY_S,
            )

    async def _get(self, seek: str) -> Seek | None:
        data = await self._work.get(_key(seek))
        return None if data is None else SEEK.decode(data)

    async def _players(self, seek: str) -> dict[str, Taken]:
        return _ordered(await self._work.hgetall(_places(seek)))

    async def _delete(self, seek: Seek, players: list[str]) -> None:
        await self._work.delete(_key(seek.id), _places(seek.id))
        await self._unlist(seek.id, players)

    async def _unlist(self, seek: str, players: list[str]) -> None:
        pipe = self._work.pipeline(transaction=False)
        pipe.zrem(LIST, seek)
        for player in players:
            pipe.zrem(_of(player), seek)
        await pipe.execute()


def _ordered(places: dict[bytes, bytes]) -> dict[str, Taken]:
    """Return the places in the order in which they were taken."""
    found = {player.decode(): TAKEN.decode(data) for player, data in places.items()}
    return dict(sorted(found.items(), key=lambda place: (place[1].at, place[0])))


def _key(seek: str) -> str:
    return f"seek:{seek}"


def _places(seek: str) -> str:
    return f"seek:{seek}:places"


def _of(player: str) -> str:
    return f"seeks:of:{player}"
