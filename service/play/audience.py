"""Talk of the audience of a match. Those who have a seat read it once the match is over.

It is in the work Redis alone, apart from the talk of the table.
"""

import secrets
from collections.abc import AsyncIterator
from typing import Any

import msgspec

from events.record import at_text
from games.match.model import Match
from games.wire import Time
from projections.folded import Viewer
from service.base.clock import DAY_S, now_micros
from service.base.problems import forbidden, limited, not_found
from service.play.caller import Caller
from service.play.talk import Text
from service.play.work_needed import work_needed

KEPT = 500
"""Maximum number of messages per match. The oldest give way."""
KEPT_S = 30 * DAY_S
MINUTE_S = 60
MINUTE_MAX, DAY_MAX = 10, 200
"""Maximum numbers of messages that a player sends in a minute, and in a day."""

ADD = """\
for place = 3, 4 do
  local limit, left = tonumber(ARGV[2 * place - 1]), redis.call('TTL', KEYS[place])
  if tonumber(redis.call('GET', KEYS[place]) or '0') >= limit then return math.max(left, 1) end
end
for place = 3, 4 do
  if redis.call('INCR', KEYS[place]) == 1 then
    redis.call('EXPIRE', KEYS[place], ARGV[2 * place])
  end
end
redis.call('XADD', KEYS[1], 'MAXLEN', ARGV[3], '*', 'm', ARGV[1])
redis.call('XTRIM', KEYS[1], 'MINID', (redis.call('TIME')[1] - ARGV[4]) * 1000)
redis.call('EXPIRE', KEYS[1], ARGV[4])
redis.call('SADD', KEYS[2], ARGV[2])
redis.call('EXPIRE', KEYS[2], 2 * ARGV[4])
return 0
"""
"""Add a message, unless a limit is reached: the answer is the time to wait (seconds).

A message may stay for as long again as it is kept, after the last one of others. The author's list
of matches, by which it is erased, stays as long.
"""


class AudienceMessage(msgspec.Struct, frozen=True):
    """A message of a spectator to the audience."""

    id: str
    at: Time
    by: str
    """Id of the player who wrote it."""
    text: Text


MESSAGE = msgspec.json.Decoder(AudienceMessage)


class Audience:
    """The messages of the audiences of all matches."""

    def __init__(self, work: Any) -> None:
        """Use an asyncio client of the work Redis (of bytes)."""
        self._work = work
        self._add = work.register_script(ADD)

    async def say(self, match: Match, viewer: Viewer, caller: Caller, text: str) -> AudienceMessage:
        """Store a message of a spectator; raises `Problem` 403, 429, 503."""
        if viewer is not None:
            raise forbidden("Only spectators may write to the audience.")
        name, player = match.header.match, caller.player
        message = AudienceMessage(secrets.token_urlsafe(9), at_text(now_micros()), player, text)
        with work_needed():
            wait_s = await self._add(
                keys=[_key(name), _of(player), _minute(player), _today(player)],
                args=[
                    msgspec.json.encode(message), name, KEPT, KEPT_S,
                    MINUTE_MAX, MINUTE_S, DAY_MAX, DAY_S,
                ],
            )  # fmt: skip
        if wait_s:
            pace = f"{MINUTE_MAX} messages a minute and {DAY_MAX} a day"
            raise limited(
                "audience",
                "rate-limited",
                f"You may send {pace} to audiences.",
                retry_after=wait_s,
            )
        return message

    async def heard(self, match: Match, viewer: Viewer) -> list[AudienceMessage]:
        """Return the messages, oldest first; raises `Problem` 403, 503."""
        if viewer is not None and not match.over:
            raise forbidden("Players may read what the audience says once the match is over.")
        with work_needed():
            return await self._read(match.header.match)

    async def delete(self, match: Match, caller: Caller, message: str) -> None:
        """Delete an own message or, as an operator, any. Raises `Problem` 403, 404, 503."""
        name = match.header.match
        with work_needed():
            for entry, fields in await self._work.xrange(_key(name)):
                found = MESSAGE.decode(fields[b"m"])
                if found.id != message:
                    continue
                if found.by != caller.player and caller.operator is None:
                    raise forbidden("Only its author and operators may delete a message.")
                await self._work.xdel(_key(name), entry)
                return
        raise not_found("message")

    async def written(self, player: str) -> AsyncIterator[tuple[str, AudienceMessage]]:
        """Yield a player's messages, each with its match; raises `Problem` 503."""
        with work_needed():
            for match in await self._matches(player):
                for found in await self._read(match):
                    if found.by == player:
                        yield match, found

    async def forget(self, player: str) -> None:
        """Delete all messages of a player; raises `Problem` 503."""
        with work_needed():
            for match in await self._matches(player):
                for entry, fields in await self._work.xrange(_key(match)):
                    if MESSAGE.decode(fields[b"m"]).by == player:
                        await self._work.xdel(_key(match), entry)
            await self._work.delete(_of(player), _minute(player), _today(player))

    async def _matches(self, player: str) -> list[str]:
        return sorted(match.decode() for match in await self._work.smembers(_of(player)))

    async def _read(self, match: str) -> list[AudienceMessage]:
        return [MESSAGE.decode(fields[b"m"]) for _, fields in await self._work.xrange(_key(match))]


def _key(match: str) -> str:
    return f"audience:{match}"


def _of(player: str) -> str:
    return f"audience:of:{player}"


def _minute(player: str) -> str:
    return f"audience:minute:{player}"


def _today(player: str) -> str:
    return f"audience:today:{player}"
