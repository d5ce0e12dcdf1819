"""Showings: people look back at a finished match together. One leads, the others follow.

They are in the work Redis, and expire there. A showing names moments and nothing of the match:
each of its people reads the match as far as they may see it.
"""

import asyncio
import secrets
import time
from collections.abc import AsyncIterator
from contextlib import suppress
from typing import Annotated, Any

import msgspec
from msgspec import Meta
from redis.exceptions import RedisError

from games.match.model import Match
from service.base.metrics import LIMITED
from service.base.problems import Problem, forbidden, limited, no_such_version, not_found
from service.base.waiting import Signal, wait_for_any
from service.play.changes import Changes
from service.play.codes import as_read, fresh_code
from service.play.work_needed import work_needed

STREAM = "showings"
KEPT = 1_000
KEPT_S = 6 * 3_600
"""Time after which a showing ends if its leader shows nothing more (seconds)."""
PEOPLE_MAX = 20
"""Maximum number of open streams of a showing."""
DEVICES_MAX = 3
"""Maximum number of them that are of the same player."""
OWN_MAX = 5
"""Maximum number of showings that a player leads."""
MOMENTS_PER_S = 10
"""Maximum number of moments that are shown in a second."""
QUIET_S = 15.0
"""Time after which a quiet stream yields None (seconds)."""
PRESENT_S = 40
"""Time for which somebody counts as present without a sign of life (seconds)."""

OPEN = """\
redis.call('ZREMRANGEBYSCORE', KEYS[2], '-inf', ARGV[1])
if redis.call('ZCARD', KEYS[2]) >= tonumber(ARGV[2]) then return 'full' end
if redis.call('HSETNX', KEYS[1], 'match', ARGV[5]) == 0 then return 'taken' end
redis.call('HSET', KEYS[1], 'leader', ARGV[6], 'moment', ARGV[7])
redis.call('EXPIRE', KEYS[1], ARGV[3])
redis.call('ZADD', KEYS[2], ARGV[1] + ARGV[3], ARGV[4])
redis.call('EXPIRE', KEYS[2], ARGV[3])
return ''
"""
"""Open a showing under a code, unless its leader has too many or the code is taken."""
ENTER = """\
redis.call('ZREMRANGEBYSCORE', KEYS[2], '-inf', ARGV[1])
if redis.call('EXISTS', KEYS[1]) == 0 then return 'gone' end
if not redis.call('ZSCORE', KEYS[2], ARGV[3]) then
  local own = 0
  local members = redis.call('ZRANGE', KEYS[2], 0, -1)
  for _, member in ipairs(members) do
    if string.sub(member, 1, #ARGV[5]) == ARGV[5] then own = own + 1 end
  end
  if #members >= tonumber(ARGV[4]) or own >= tonumber(ARGV[6]) then return 'full' end
end
redis.call('ZADD', KEYS[2], ARGV[1] + ARGV[2], ARGV[3])
redis.call('EXPIRE', KEYS[2], ARGV[2])
return ''
"""
"""Count one stream of somebody as present."""
SHOW = """\
local leader = redis.call('HGET', KEYS[1], 'leader')
if not leader then return 'gone' end
if leader ~= ARGV[1] then return 'led' end
local shown = redis.call('INCR', KEYS[2])
if shown == 1 then redis.call('EXPIRE', KEYS[2], 1) end
if shown > tonumber(ARGV[3]) then return 'fast' end
redis.call('HSET', KEYS[1], 'moment', ARGV[2])
redis.call('ZADD', KEYS[3], ARGV[5] + ARGV[4], ARGV[6])
for _, key in ipairs({KEYS[1], KEYS[3]}) do redis.call('EXPIRE', key, ARGV[4]) end
return ''
"""
"""Show another moment, as the leader."""
HAND = """\
local leader = redis.call('HGET', KEYS[1], 'leader')
if not leader then return 'gone' end
if leader ~= ARGV[1] then return 'led' end
redis.call('HSET', KEYS[1], 'leader', ARGV[2])
redis.call('ZREM', KEYS[2], ARGV[5])
redis.call('ZADD', KEYS[3], ARGV[3] + ARGV[4], ARGV[5])
redis.call('EXPIRE', KEYS[3], ARGV[4])
return ''
"""
"""Replace the leader, unless somebody else was faster."""


class ShownMoment(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What the leader looks at."""

    version: Annotated[int, Meta(ge=1, le=999_999_999)]
    """Version of the log, as in the full view."""
    view: Annotated[str, Meta(pattern="^(full|spectator|[0-9]{1,2})$")]
    """Whose eyes: a seat, `spectator`, or `full` for everything."""


class Showing(msgspec.Struct, frozen=True):
    """A showing as all of its people see it."""

    showing: str
    """Its code."""
    match: str
    leader: str
    """Id of the player whose moment is shown."""
    moment: ShownMoment
    """What the leader looks at."""
    people: list[str]
    """Ids of the players who are present."""


class Showings:
    """All showings."""

    def __init__(self, work: Any, closing: Signal) -> None:
        """Use an asyncio client of the work Redis (of bytes). Streams end once `closing` is set."""
        self._work = work
        self._closing = closing
        self._changes = Changes(work, STREAM, KEPT)
        self._open = work.register_script(OPEN)
        self._enter = work.register_script(ENTER)
        self._show = work.register_script(SHOW)
        self._hand = work.register_script(HAND)

    async def open(self, match: Match, player: str, moment: ShownMoment) -> Showing:
        """Open a showing of a finished match; raises `Problem` 403, 404, 422, 429, 503."""
        if not match.over:
            raise forbidden("Matches are watched together once they are over.")
        check_moment(match, moment)
        name = match.header.match
        with work_needed():
            while True:
                code = fresh_code(1)
                said = await self._open(
                    keys=[_key(code), _of(player)],
                    args=[
                        _now(), OWN_MAX, KEPT_S, code, name, player, msgspec.json.encode(moment),
                    ],
                )  # fmt: skip
                if said == b"full":
                    raise limited(
                        "showings",
                        "too-many-showings",
                        f"You may lead at most {OWN_MAX} showings. End one first.",
                        retry_after=KEPT_S,
                    )
                if not said:
                    return Showing(code, name, player, moment, [])

    async def get(self, code: str) -> Showing:
        """Return a showing; raises `Problem` 404, 503."""
        with work_needed():
            if (found := await self._read(as_read(code))) is None:
                raise not_found("showing")
        return found

    async def show(self, showing: Showing, player: str, moment: ShownMoment) -> None:
        """Show another moment, as the leader; raises `Problem` 403, 404, 429, 503."""
        code = showing.showing
        with work_needed():
            said = await self._show(
                keys=[_key(code), f"{_key(code)}:rate", _of(player)],
                args=[player, msgspec.json.encode(moment), MOMENTS_PER_S, KEPT_S, _now(), code],
            )
            if said == b"gone":
                raise not_found("showing")
            if said == b"led":
                raise forbidden("Only the leader shows other moments.")
            if said == b"fast":
                raise limited(
                    "showings",
                    "rate-limited",
                    f"A showing has at most {MOMENTS_PER_S} moments a second.",
                    retry_after=1,
                )
        await self._tell(code)

    async def hand_over(self, showing: Showing, player: str, to: str) -> None:
        """Let somebody who is present lead; raises `Problem` 403, 422, 503.

        The leader may hand over. Anybody may take the lead while the leader is away.
        """
        took_over = showing.leader not in showing.people and player == to
        if player != showing.leader and not took_over:
            raise forbidden("Only the leader hands over, unless the leader is away.")
        if to not in showing.people:
            raise Problem(422, "not-present", f"Player {to} is not at this showing.")
        code = showing.showing
        with work_needed():
            said = await self._hand(
                keys=[_key(code), _of(showing.leader), _of(to)],
                args=[showing.leader, to, _now(), KEPT_S, code],
            )
        if said == b"gone":
            raise not_found("showing")
        if said == b"led":
            raise forbidden("Somebody else leads by now.")
        await self._tell(code)

    async def end(self, showing: Showing, player: str) -> None:
        """End a showing, as its leader; raises `Problem` 403, 503."""
        if player != showing.leader:
            raise forbidden("Only the leader ends a showing.")
        with work_needed():
            await self._delete(showing.showing)
            await self._work.zrem(_of(player), showing.showing)

    async def watch(self, showing: Showing, player: str) -> AsyncIterator[Showing | None]:
        """Return a showing now and whenever it changes, and None after a quiet time.

        Ends with the showing. Raises `Problem` 404, 409, 503.
        """
        code, member = showing.showing, f"{player} {secrets.token_urlsafe(6)}"
        with work_needed():
            said = await self._come(code, member)
        if said == b"gone":
            raise not_found("showing")
        if said == b"full":
            LIMITED.labels("showings").inc()
            raise Problem(
                409,
                "showing-full",
                f"A showing has room for {PEOPLE_MAX} streams, {DEVICES_MAX} of the same player.",
            )
        return self._watched(code, member)

    async def _watched(self, code: str, member: str) -> AsyncIterator[Showing | None]:
        shown: Showing | None = None
        try:
            with self._changes.following(code):
                await self._tell(code)
                while True:
                    changed = self._changes.next(code)
                    try:
                        found = await self._read(code)
                    except (RedisError, OSError):
                        found = shown
                    if found is None:
                        return
                    if found != shown:
                        yield found
                        shown = found
                    if self._closing.is_set():
                        return
                    if not await wait_for_any(QUIET_S, changed, self._closing):
                        with suppress(RedisError, OSError):
                            await self._come(code, member)
                        yield None
        finally:
            await asyncio.shield(self._leave(code, member))

    async def forget(self, player: str) -> None:
        """End all showings that a player leads; raises `Problem` 503."""
        with work_needed():
            for code in await self._work.zrange(_of(player), 0, -1):
                await self._delete(code.decode())
            await self._work.delete(_of(player))

    async def _read(self, code: str) -> Showing | None:
        pipe = self._work.pipeline(transaction=False)
        pipe.hgetall(_key(code))
        pipe.zrangebyscore(_people(code), _now(), "+inf")
        found, members = await pipe.execute()
        if not found:
            return None
        people = dict.fromkeys(member.decode().partition(" ")[0] for member in members)
        return Showing(
            code,
            found[b"match"].decode(),
            found[b"leader"].decode(),
            msgspec.json.decode(found[b"moment"], type=ShownMoment),
            sorted(people),
        )

    async def _come(self, code: str, member: str) -> bytes:
        return await self._enter(
            keys=[_key(code), _people(code)],
            args=[
                _now(), PRESENT_S, member, PEOPLE_MAX, member.partition(" ")[0] + " ", DEVICES_MAX,
            ],
        )  # fmt: skip

    async def _leave(self, code: str, member: str) -> None:
        with suppress(RedisError, OSError):
            await self._work.zrem(_people(code), member)
        await self._tell(code)

    async def _tell(self, code: str) -> None:
        """Wake those who watch. Without the work Redis they look again after a quiet time."""
        pipe = self._work.pipeline(transaction=False)
        self._changes.tell(pipe, code)
        with suppress(RedisError, OSError):
            await pipe.execute()

    async def _delete(self, code: str) -> None:
        await self._work.delete(_key(code), _people(code))
        await self._tell(code)


def check_moment(match: Match, moment: ShownMoment) -> None:
    """Raise `Problem` 404 unless the match has the moment's version."""
    if moment.version > match.version:
        raise no_such_version(moment.version, match.version)


def _now() -> int:
    return int(time.time())


def _key(code: str) -> str:
    return f"showing:{code}"


def _people(code: str) -> str:
    return f"showing:{code}:people"


def _of(player: str) -> str:
    return f"showings:of:{player}"
