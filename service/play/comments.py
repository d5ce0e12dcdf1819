"""Comments on moments of finished matches, outside the log: in the work Redis.

All comments on a match are dropped a year after the first one, or with the work Redis.
"""

import secrets
from collections.abc import AsyncIterator
from typing import Annotated, Any

import msgspec
from msgspec import Meta

from events.record import at_text
from games.match.model import Match
from games.wire import Time
from service.base.clock import DAY_S, now_micros
from service.base.problems import forbidden, limited, no_such_version, not_found
from service.play.caller import Caller
from service.play.work_needed import work_needed

MATCH_MAX = 200
"""Maximum number of comments on a match."""
OWN_MAX = 20
"""Maximum number of a player's comments on a match."""
DAY_MAX = 100
"""Maximum number of comments that a player writes in a day."""
KEPT_S = 365 * DAY_S

ADD = """\
if redis.call('HLEN', KEYS[1]) >= tonumber(ARGV[5]) then return 'match' end
local own = tonumber(redis.call('HGET', KEYS[2], ARGV[1]) or '0')
if own >= tonumber(ARGV[6]) then return 'own' end
if tonumber(redis.call('GET', KEYS[3]) or '0') >= tonumber(ARGV[7]) then return 'day' end
redis.call('HSET', KEYS[1], ARGV[2], ARGV[3])
redis.call('HINCRBY', KEYS[2], ARGV[1], 1)
redis.call('INCR', KEYS[3])
for key, left in pairs({[KEYS[1]]=ARGV[8], [KEYS[2]]=ARGV[8], [KEYS[3]]=ARGV[9]}) do
  if redis.call('TTL', key) < 0 then redis.call('EXPIRE', key, left) end
end
redis.call('SADD', KEYS[4], ARGV[4])
redis.call('EXPIRE', KEYS[4], ARGV[8])
return ''
"""
"""Add a comment, unless a limit is reached: the answer names it."""
REMOVE = """\
local removed = redis.call('HDEL', KEYS[1], unpack(ARGV, 2))
if redis.call('HINCRBY', KEYS[2], ARGV[1], -removed) <= 0 then
  redis.call('HDEL', KEYS[2], ARGV[1])
end
"""
"""Remove comments of a player, and the player's id with the last one."""
FULL = {
    "match": f"A match may have at most {MATCH_MAX} comments.",
    "own": f"You may write at most {OWN_MAX} comments on a match. Delete one first.",
    "day": f"You may write at most {DAY_MAX} comments a day. Try again tomorrow.",
}
"""What a limit allows, and what to do."""

CommentText = Annotated[str, Meta(min_length=1, max_length=500)]


class Comment(msgspec.Struct, frozen=True):
    """A comment on a moment of a match."""

    id: str
    at: Time
    by: str
    """Id of the player who wrote it."""
    version: int
    """Version of the log, as in the full view."""
    text: str


COMMENT = msgspec.json.Decoder(Comment)


class Comments:
    """The comments on all matches."""

    def __init__(self, work: Any) -> None:
        """Use an asyncio client of the work Redis (of bytes)."""
        self._work = work
        self._add = work.register_script(ADD)
        self._drop = work.register_script(REMOVE)

    async def add(self, match: Match, caller: Caller, version: int, text: str) -> Comment:
        """Store a comment; raises `Problem` 403, 404, 429, 503."""
        if not match.over:
            raise forbidden("Comments are open once the match is over.")
        if version > match.version:
            raise no_such_version(version, match.version)
        name = match.header.match
        comment = Comment(
            secrets.token_urlsafe(9), at_text(now_micros()), caller.player, version, text
        )
        with work_needed():
            limit = await self._add(
                keys=[_key(name), _counts(name), _today(caller.player), _of(caller.player)],
                args=[
                    caller.player, comment.id, msgspec.json.encode(comment), name,
                    MATCH_MAX, OWN_MAX, DAY_MAX, KEPT_S, DAY_S,
                ],
            )  # fmt: skip
        if limit:
            raise limited("comments", "too-many-comments", FULL[limit.decode()], retry_after=DAY_S)
        return comment

    async def of(self, match: Match) -> list[Comment]:
        """Return the comments on a match, in the order of its versions; raises `Problem` 503."""
        with work_needed():
            found = await self._work.hvals(_key(match.header.match))
        return sorted(map(COMMENT.decode, found), key=lambda one: (one.version, one.at))

    async def written(self, player: str) -> AsyncIterator[tuple[str, Comment]]:
        """Yield a player's comments, each with its match; raises `Problem` 503."""
        with work_needed():
            for data in sorted(await self._work.smembers(_of(player))):
                for found in map(COMMENT.decode, await self._work.hvals(_key(data.decode()))):
                    if found.by == player:
                        yield data.decode(), found

    async def delete(self, match: Match, caller: Caller, comment: str) -> None:
        """Delete an own comment or, as an operator, any. Raises `Problem` 403, 404, 503."""
        name = match.header.match
        with work_needed():
            data = await self._work.hget(_key(name), comment)
            if data is None:
                raise not_found("comment")
            by = COMMENT.decode(data).by
            if by != caller.player and caller.operator is None:
                raise forbidden("Only its author and operators may delete a comment.")
            await self._remove(name, by, [comment])

    async def forget(self, player: str) -> None:
        """Delete all comments of a player; raises `Problem` 503."""
        with work_needed():
            for data in await self._work.smembers(_of(player)):
                name = data.decode()
                found = map(COMMENT.decode, await self._work.hvals(_key(name)))
                await self._remove(name, player, [one.id for one in found if one.by == player])
            await self._work.delete(_of(player), _today(player))

    async def _remove(self, name: str, player: str, comments: list[str]) -> None:
        if comments:
            await self._drop(keys=[_key(name), _counts(name)], args=[player, *comments])


def _key(match: str) -> str:
    return f"comments:{match}"


def _counts(match: str) -> str:
    return f"comments:{match}:by"


def _of(player: str) -> str:
    return f"comments:of:{player}"


def _today(player: str) -> str:
    return f"comments:today:{player}"
