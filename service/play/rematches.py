"""Rematches: the players of a match that is over agree to play it again.

An offer is in the work Redis, and expires. The rematch and its seats follow from the ended match,
so there is one at most, whoever completes the offer and however often.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import msgspec

from events.record import at_text
from games.match.clocks import SECOND
from games.match.commands import AddBot, CreateMatch, TakeSeat
from games.match.model import Chair, Match
from games.wire import Time
from projections.notices import RematchNotice, RematchState
from service.base.clock import now_micros
from service.base.problems import Problem, limited, not_found
from service.play.blocks import Blocks
from service.play.caller import Caller
from service.play.match_cache import NOT_FOUND, CachedMatch, MatchCache
from service.play.matches import Matches
from service.play.notices import Notices
from service.play.players import Players
from service.play.series import SeriesReader
from service.play.work_needed import work_needed

KEPT_S = 1_800
"""Time to answer an offer (seconds)."""
OPEN_MAX = 10
"""Maximum number of open offers of a player."""
RETRY_S = 60
TERMS, DECLINED = b"terms", b"declined"
"""Fields of an offer. All others are ids of players who agree, with their entropy."""

AGREE = """\
if redis.call('HEXISTS', KEYS[1], 'declined') == 1 then
  if redis.call('HGET', KEYS[1], 'declined') ~= ARGV[1] then return 'declined' end
  redis.call('DEL', KEYS[1])
end
local answer = 'agreed'
if redis.call('EXISTS', KEYS[1]) == 0 then
  redis.call('ZREMRANGEBYSCORE', KEYS[2], '-inf', ARGV[6])
  if redis.call('ZCARD', KEYS[2]) >= tonumber(ARGV[7]) then return 'full' end
  redis.call('ZADD', KEYS[2], ARGV[6] + ARGV[4] * 1000000, ARGV[5])
  redis.call('HSET', KEYS[1], 'terms', ARGV[3])
  for _, key in ipairs(KEYS) do redis.call('EXPIRE', key, ARGV[4]) end
  answer = 'opened'
end
redis.call('HSETNX', KEYS[1], ARGV[1], ARGV[2])
return answer
"""
"""Agree to the offer of a match, or open it, unless another player has declined it or the player
has too many open offers.
"""
DECLINE = """\
if redis.call('HEXISTS', KEYS[1], 'terms') == 0 then return 0 end
if redis.call('HEXISTS', KEYS[1], 'declined') == 1 then return 0 end
local terms = redis.call('HGET', KEYS[1], 'terms')
local left = redis.call('PTTL', KEYS[1])
redis.call('DEL', KEYS[1])
redis.call('HSET', KEYS[1], 'terms', terms, 'declined', ARGV[1])
redis.call('PEXPIRE', KEYS[1], left)
return 1
"""


class Terms(msgspec.Struct, frozen=True):
    """What an offer says of itself."""

    match: str
    game: str
    by: str
    expires: Time


class RematchOffer(msgspec.Struct, frozen=True):
    """An offer of a rematch."""

    match: str
    """The match that is over."""
    game: str
    by: str
    """Id of the player who offers the rematch."""
    expires: Time
    agreed: list[str]
    """Ids of the players who agree; the match starts as soon as all do."""
    declined: str | None
    """Id of the player who declined; null while the offer is open."""


TERMS_OF = msgspec.json.Decoder(Terms)


class Rematches:
    """The offers of rematches of all players."""

    def __init__(
        self,
        work: Any,
        cache: MatchCache,
        matches: Matches,
        players: Players,
        blocks: Blocks,
        notices: Notices,
        series: SeriesReader,
    ) -> None:
        """Use an asyncio client of the work Redis (of bytes)."""
        self._work = work
        self._cache = cache
        self._matches = matches
        self._players = players
        self._blocks = blocks
        self._notices = notices
        self._series = series
        self._agree = work.register_script(AGREE)
        self._decline = work.register_script(DECLINE)

    async def agree(self, cached: CachedMatch, caller: Caller, entropy: str) -> str | None:
        """Offer a rematch or agree to one; return the rematch if all players agree.

        Raises `Problem` 403, 422, 429, 503.
        """
        match, people = cached.match, await self._players_of(cached, caller)
        if (made := await self.rematch(cached)) is not None:
            return made
        now, player, name = now_micros(), caller.player, match.header.match
        until = now + KEPT_S * SECOND
        terms = msgspec.json.encode(Terms(name, match.header.game, player, at_text(until)))
        with work_needed():
            answer = await self._agree(
                keys=[_key(name), _offered(player)],
                args=[player, entropy, terms, KEPT_S, name, now, OPEN_MAX],
            )
            if answer == b"declined":
                raise Problem(422, "rematch-declined", "A player has declined the rematch.")
            if answer == b"full":
                raise _too_many()
            fields = await self._work.hgetall(_key(name))
            if answer == b"opened":
                await self._ask(name, [one for one in people if one != player], until)
        if set(people) <= {field.decode() for field in fields}:
            shares = {one: fields[one.encode()].decode() for one in people}
            return await self._create(cached, shares)
        if answer == b"opened":
            await self._tell(match, player, "offered", people)
        return None

    async def decline(self, cached: CachedMatch, caller: Caller) -> None:
        """Decline an offer, or withdraw the caller's own; raises `Problem` 403, 404, 503."""
        people = await self._players_of(cached, caller)
        name = cached.match.header.match
        if (offer := await self.offer(cached, caller.player)) is None or offer.declined:
            raise not_found("offer of a rematch")
        with work_needed():
            if offer.by == caller.player:
                await self._work.delete(_key(name))
            elif not await self._decline(keys=[_key(name)], args=[caller.player]):
                raise not_found("offer of a rematch")
            await self._unlist(name, offer.by, people)
        state = "withdrawn" if offer.by == caller.player else "declined"
        await self._tell(cached.match, caller.player, state, people)

    async def offer(self, cached: CachedMatch, player: str) -> RematchOffer | None:
        """Return the offer that a player of an ended match may see; raises `Problem` 503."""
        if player not in _people(cached.match):
            return None
        with work_needed():
            return _offer(await self._work.hgetall(_key(cached.match.header.match)))

    async def asking(self, player: str) -> list[RematchOffer]:
        """Return the open offers that a player has not answered; raises `Problem` 503."""
        with work_needed():
            await self._work.zremrangebyscore(_asking(player), "-inf", now_micros())
            names = [one.decode() for one in await self._work.zrange(_asking(player), 0, -1)]
            pipe = self._work.pipeline(transaction=False)
            for name in names:
                pipe.hgetall(_key(name))
            offers = [_offer(fields) for fields in await pipe.execute()]
        return [
            one
            for one in offers
            if one is not None
            and one.declined is None
            and player not in one.agreed
            and not await self._blocks.stands(player, one.by)
        ]

    async def rematch(self, cached: CachedMatch) -> str | None:
        """Return the match that follows an ended one, if it exists; raises `Problem` 503."""
        if not cached.match.over:
            return None
        place = self._series.place(cached)
        name = self._series.match(place, place.number + 1)
        try:
            await self._cache.known(name)
        except Problem as problem:
            if problem.status != NOT_FOUND:
                raise
            return None
        return name

    async def forget(self, player: str) -> None:
        """Delete the offers that a player made or agreed to; raises `Problem` 503."""
        with work_needed():
            for index in (_asking(player), _offered(player)):
                for name in await self._work.zrange(index, 0, -1):
                    await self._work.delete(_key(name.decode()))
                await self._work.delete(index)

    async def _players_of(self, cached: CachedMatch, caller: Caller) -> list[str]:
        """Return the players who must agree; raises `Problem` 403, 422."""
        match, people = cached.match, _people(cached.match)
        if caller.player not in people:
            raise Problem(403, "not-a-seat", "Only the players of a match may play it again.")
        if not match.over:
            raise Problem(422, "match-not-over", "The match is not over yet.")
        if match.header.branch is not None:
            raise Problem(422, "no-rematch", "A branch cannot be played again. Open a new match.")
        for player in people:
            if await self._players.is_erased(player):
                raise Problem(422, "no-rematch", "A player of the match has been erased.")
        return people

    async def _create(self, cached: CachedMatch, shares: Mapping[str, str]) -> str:
        header, place = cached.match.header, self._series.place(cached)
        key = self._series.key(place.first, place.number + 1)
        again = CreateMatch(
            header.game,
            header.seats,
            header.options,
            header.clock,
            header.private,
            header.away_after,
            header.undo_limit,
            header.stand_in,
            header.proposal_seconds,
            header.spectator_delay,
            header.bot_pace,
        )
        host = Caller(place.host)
        made = await self._matches.create(host, again, key)
        for seat, chair in enumerate(rotated(cached.match)):
            own = self._matches.seat_key(key, seat)
            if chair.player:
                sit = TakeSeat(seat, shares[chair.player])
                await self._matches.play(made, Caller(chair.player), sit, own)
            else:
                await self._matches.play(made, host, AddBot(seat, chair.bot), own)
        name = header.match
        with work_needed():
            offer = _offer(await self._work.hgetall(_key(name)))
            await self._work.delete(_key(name))
            await self._unlist(name, place.host if offer is None else offer.by, list(shares))
        rematch = made.match.header.match
        await self._tell(cached.match, "", "started", list(shares), rematch)
        return rematch

    async def _tell(
        self,
        match: Match,
        by: str,
        state: RematchState,
        people: Sequence[str],
        rematch: str | None = None,
    ) -> None:
        """Tell the others, but nobody of an offer by a player whom they have blocked."""
        told = RematchNotice(match.header.match, match.header.game, by or None, state, rematch)
        others = [player for player in people if player != by]
        if state in ("offered", "withdrawn"):
            others = [one for one in others if not await self._blocks.stands(one, by)]
        await self._notices.send([(player, told) for player in others])

    async def _ask(self, name: str, people: Iterable[str], until: int) -> None:
        pipe = self._work.pipeline(transaction=False)
        for index in map(_asking, people):
            pipe.zadd(index, {name: until})
            pipe.expire(index, KEPT_S)
        await pipe.execute()

    async def _unlist(self, name: str, by: str, people: Iterable[str]) -> None:
        pipe = self._work.pipeline(transaction=False)
        for index in (_offered(by), *map(_asking, people)):
            pipe.zrem(index, name)
        await pipe.execute()


def rotated(match: Match) -> list[Chair]:
    """Return the chairs of an ended match in the order of the seats of its rematch.

    Everybody moves one seat on. Crews stay together: they change sides, and roles within the crew.
    """
    chairs = list(match.chairs)
    sides = [[seat] for seat in range(len(chairs))]
    if match.state is not None:
        sides = sorted(sorted(team) for team in match.game.teams(match.state))
    next_sides = sides[1:] + sides[:1] if len({len(side) for side in sides}) == 1 else sides
    for side, other in zip(sides, next_sides, strict=True):
        for seat, new in zip(side, other[1:] + other[:1], strict=True):
            chairs[new] = match.chairs[seat]
    return chairs


def _too_many() -> Problem:
    return limited(
        "rematches",
        "too-many-rematches",
        f"You may have at most {OPEN_MAX} open offers of a rematch. Try again later.",
        retry_after=RETRY_S,
    )


def _people(match: Match) -> list[str]:
    return [chair.player for chair in match.chairs if chair.player]


def _offer(fields: Mapping[bytes, bytes]) -> RematchOffer | None:
    if TERMS not in fields:
        return None
    terms = TERMS_OF.decode(fields[TERMS])
    declined = fields[DECLINED].decode() if DECLINED in fields else None
    agreed = sorted(field.decode() for field in fields if field not in (TERMS, DECLINED))
    return RematchOffer(terms.match, terms.game, terms.by, terms.expires, agreed, declined)


def _key(match: str) -> str:
    return f"rematch:{match}"


def _offered(player: str) -> str:
    return f"rematches:by:{player}"


def _asking(player: str) -> str:
    return f"rematches:to:{player}"
