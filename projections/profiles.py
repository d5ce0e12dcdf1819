"""What the rows say of one player: results against others, and the course of the rating."""

from typing import Any

import msgspec

from projections.entries import opponents_index, played_index
from projections.results import CODES, PRIVATE
from projections.rows import PAGE_MAX, POINTER, NoRows, Rows, check_cursor
from projections.standings import Standing
from projections.tables import BEFORE, STANDING, Table, keys_of

OPPONENTS = """\
local generation = redis.call('HGET', KEYS[1], 'current')
if not generation then return false end
local key = generation .. ':' .. ARGV[1]
local from = ARGV[2] == '' and '-' or '[' .. ARGV[2] .. '!'
local found = {}
while #found < tonumber(ARGV[3]) do
  local member = redis.call('ZRANGEBYLEX', key, from, '+', 'LIMIT', 0, 1)[1]
  if not member then break end
  local name = string.match(member, '^[^ ]+')
  local counts, all = {name}, 0
  for code in string.gmatch(ARGV[4], '.') do
    local start = name .. ' ' .. code
    local count = redis.call('ZLEXCOUNT', key, '[' .. start .. ' ', '(' .. start .. '!')
    counts[#counts + 1], all = count, all + count
  end
  if all > 0 then found[#found + 1] = counts end
  from = '[' .. name .. '!'
end
return found
"""
"""Go from name to name, and count each name's results: no result is read.

Names without such results are passed over: a cursor may not name them either.
"""


class HeadToHead(msgspec.Struct, frozen=True):
    """The results of a player against another, or beside one in a team."""

    name: str
    won: int
    lost: int
    drawn: int
    together: int
    """Number of matches in the same team."""
    won_together: int
    """Number of those that were won."""


class RatedMatch(msgspec.Struct, frozen=True):
    """A result and the standing after it."""

    match: str
    at: int
    """When the match ended (microseconds since 1970)."""
    standing: Standing


class Ranking(msgspec.Struct, frozen=True):
    """The place of a player in a game."""

    game: str
    table: Table
    place: int
    standing: Standing


class Profiles:
    """Reads what the rows say of a player."""

    def __init__(self, work: Any) -> None:
        """Use an asyncio client of the work Redis (of bytes)."""
        self._rows = Rows(work)
        self._opponents = work.register_script(OPPONENTS)

    async def opponents(
        self, player: str, after: str, count: int, *, private: bool
    ) -> tuple[list[HeadToHead], str | None]:
        """Return results by opponent, and the last name unless no others follow.

        Those in private matches count only if asked for. Raises `NoRows`.
        """
        codes = CODES + PRIVATE(CODES) if private else CODES
        found = await self._opponents(
            keys=[POINTER], args=[opponents_index(player), after, count, codes]
        )
        if found is None:
            raise NoRows
        rows = [_head_to_head(name.decode(), counts) for name, *counts in found]
        return rows, rows[-1].name if len(rows) == count else None

    async def rankings(self, player: str, games: list[str]) -> list[Ranking]:
        """Return the places of a player in the games that it has played. Raises `NoRows`."""
        generation = await self._rows.generation()
        pipe = self._rows.client.pipeline(transaction=False)
        for game in games:
            keys = keys_of(generation, game)
            pipe.hget(keys.standings, player)
            pipe.zrevrank(keys.tables["rated"], player)
            pipe.zrevrank(keys.tables["together"], player)
        found = await pipe.execute()
        rankings: list[Ranking] = []
        for game, data, *places in zip(games, found[::3], found[1::3], found[2::3], strict=True):
            tables: tuple[Table, Table] = ("rated", "together")
            rankings += [
                Ranking(game, table, place + 1, STANDING.decode(data))
                for table, place in zip(tables, places, strict=True)
                if data is not None and place is not None
            ]
        return rankings

    async def curve(
        self, player: str, game: str, after: str | None, count: int
    ) -> tuple[list[RatedMatch], str | None]:
        """Return a player's results in a game, the last one first, and the cursor of the rest.

        The cursor is the last result that counted: the standing before it is the next one's.
        Raises `ValueError` for an invalid cursor, and `NoRows`.
        """
        check_cursor(after)
        generation = await self._rows.generation()
        keys, client = keys_of(generation, game), self._rows.client
        count = max(1, min(count, PAGE_MAX))
        start = "+" if after is None else f"[{after}"
        members = await client.zrevrangebylex(
            f"{generation}:{played_index(game, player)}", start, "-", 0, count + (after is not None)
        )
        if not members:
            return [], None
        found = [member.decode().split(" ") for member in members]
        befores = await client.hmget(keys.before, [match for _, match in found])
        now = await client.hget(keys.standings, player)
        standing = None if now is None else STANDING.decode(now)
        points: list[RatedMatch] = []
        last = None
        for (at, match), data in zip(found, befores, strict=True):
            before = {} if data is None else BEFORE.decode(data)
            if player not in before or standing is None:
                continue
            points.append(RatedMatch(match, int(at), standing))
            standing, last = before[player], f"{at} {match}"
        if after is not None and points and found[0][1] == points[0].match:
            del points[0]
        more = points and len(members) == count + (after is not None)
        return points, last if more else None


def _head_to_head(name: str, counts: list[int]) -> HeadToHead:
    sums = [sum(counts[place :: len(CODES)]) for place in range(len(CODES))]
    won, lost, drawn, won_together, lost_together = sums
    return HeadToHead(name, won, lost, drawn, won_together + lost_together, won_together)
