"""The rows in the work Redis: one per match, updated together with its index entries.

A row carries the version of the log that it was computed from, and the number of errata. An older
row, or one with fewer errata, never replaces a newer one, so applying rows twice or out of order
changes nothing. All keys begin with a generation. The hash `projections` names the generation that
is read (`current`) and the one that a rebuild fills (`building`). Every row is written to both.

With a row, its news are appended to the notices of players: index entries of `standing_index` that
the old row lacked, and the notices of a new status.

Redis may lose all of this at any time. Then `NoRows` is raised, and everything is folded from the
logs again. When that is done, the field `complete` names the generation.
"""

import re
import secrets
from collections.abc import Callable, Iterable, Sequence
from typing import Any, Literal

import msgspec

from projections.entries import IndexEntry, entries, standing_index
from projections.notices import Notice, StandingNotice
from projections.summary import Summary

POINTER = "projections"
NOTICES = "notices"
"""Stream of the players with new notices. With `:` and a player's id: the notices themselves."""
NOTICES_KEPT = 1_000
"""Number of notices that are kept for a player."""
NOTICES_KEPT_S = 86_400
"""Time for which they are kept after the last one (seconds)."""
WRITTEN = f"{POINTER}:written"
"""Stream of the matches whose rows were written, for who extends the checkpoint log."""
WRITTEN_KEPT = 10_000
"""Number of entries that are kept of it."""
APPLY_KEYS = (POINTER, NOTICES, WRITTEN)
PAGE_MAX = 200
TOGETHER = 64
"""Number of rows that are written by one call: Redis does nothing else for two milliseconds."""
MEMBER = re.compile(r"\d{16} [A-Za-z0-9_-]{1,64}", re.ASCII)

NewsOf = Callable[[Summary], Iterable[tuple[str, Notice]]]
"""Returns the notices of a new status, by player."""
Slot = Literal["current", "building"]

APPLY = """\
local generations = {}
if ARGV[1] ~= '' then
  generations[1] = ARGV[1]
else
  for _, generation in ipairs(redis.call('HMGET', KEYS[1], 'current', 'building')) do
    if generation then generations[#generations + 1] = generation end
  end
end
local function tell(player, notice)
  local key = KEYS[2] .. ':' .. player
  redis.call('XADD', key, 'MAXLEN', '~', ARGV[2], '*', 'n', notice)
  redis.call('EXPIRE', key, ARGV[3])
  redis.call('XADD', KEYS[2], 'MAXLEN', '~', ARGV[2], '*', 'p', player)
end
local function apply(match, data, news)
  local row = cjson.decode(data)
  local applied = 0
  for place, generation in ipairs(generations) do
    local rows = generation .. ':rows'
    local found = redis.call('HGET', rows, match)
    local old = found and cjson.decode(found) or {version = 0, entries = {}}
    local errata = old.summary and old.summary.errata or 0
    if old.version < row.version
        or (old.version == row.version and errata < row.summary.errata) then
      for _, entry in ipairs(old.entries) do
        redis.call('ZREM', generation .. ':' .. entry[1], entry[3])
      end
      local before = {}
      for _, entry in ipairs(old.entries) do before[entry[1] .. entry[3]] = true end
      local told = place == 1 and ARGV[1] == ''
      if told and not (old.summary and old.summary.status == row.summary.status) then
        for _, change in ipairs(cjson.decode(news)) do tell(change[1], change[2]) end
      end
      for _, entry in ipairs(row.entries) do
        redis.call('ZADD', generation .. ':' .. entry[1], entry[2], entry[3])
        local player = string.match(entry[1], '^standing:(.*)$')
        if told and player and not before[entry[1] .. entry[3]] then tell(player, entry[3]) end
      end
      redis.call('HSET', rows, match, data)
      applied = applied + 1
    end
  end
  return applied
end
local counts, matches = {}, {}
for at = 5, #ARGV, 3 do
  counts[#counts + 1] = apply(ARGV[at], ARGV[at + 1], ARGV[at + 2])
  matches[#matches + 1] = ARGV[at]
end
if ARGV[4] ~= '' then
  redis.call('XADD', KEYS[3], 'MAXLEN', '~', ARGV[4], '*', 'm', table.concat(matches, ' '))
end
return {#generations, counts}
"""

PAGE = """\
local found = redis.call('HMGET', KEYS[1], 'current', 'complete')
local generation = found[1]
if not generation then return false end
local complete = found[2] == generation and 1 or 0
local members = redis.call('ZREVRANGEBYLEX', generation .. ':' .. ARGV[1], ARGV[2], ARGV[4],
                           'LIMIT', 0, ARGV[3])
if #members == 0 then return {{}, {}, complete} end
local matches = {}
for place, member in ipairs(members) do matches[place] = string.sub(member, 18) end
return {members, redis.call('HMGET', generation .. ':rows', unpack(matches)), complete}
"""

DUE = """\
local generation = redis.call('HGET', KEYS[1], 'current')
if not generation then return false end
return redis.call('ZRANGEBYSCORE', generation .. ':' .. ARGV[1], '-inf', ARGV[2],
                  'WITHSCORES', 'LIMIT', ARGV[3], ARGV[4])
"""


def check_cursor(after: str | None) -> None:
    """Raise `ValueError` unless this is a cursor in an index of matches, or None."""
    if after is not None and not MEMBER.fullmatch(after):
        raise ValueError(f"not a cursor: {after!r}")


class NoRows(Exception):
    """There are no rows: Redis was emptied, or they have not been built yet."""


class Row(msgspec.Struct, frozen=True):
    """The stored projection of a match."""

    version: int
    entries: tuple[IndexEntry, ...]
    summary: Summary


class Page(msgspec.Struct, frozen=True):
    """A page of matches, most recently opened first."""

    summaries: list[Summary]
    next: str | None
    """Cursor of the next page. None on the last page."""
    complete: bool
    """Whether all logs have been folded, so that no match is missing."""


class DueMember(msgspec.Struct, frozen=True):
    """A member of an index of times."""

    member: str
    at: int
    """Time from which the member is due (microseconds since 1970)."""


ROW = msgspec.json.Decoder(Row)
STANDING: msgspec.json.Decoder[StandingNotice] = msgspec.json.Decoder(StandingNotice)
ENCODER = msgspec.json.Encoder()


def row(summary: Summary) -> Row:
    """Return the row of a match."""
    return Row(summary.version, entries(summary), summary)


def no_news(_: Summary) -> Iterable[tuple[str, Notice]]:
    """Return that nobody is told of a row."""
    return ()


def _arguments(
    summaries: Iterable[Summary], generation: str, news: NewsOf, *, noted: bool
) -> list[str | bytes | int]:
    """Return the arguments of `APPLY`."""
    found: list[str | bytes | int] = [generation, NOTICES_KEPT, NOTICES_KEPT_S]
    found.append(WRITTEN_KEPT if noted else "")
    for one in summaries:
        told = [(player, ENCODER.encode(notice).decode()) for player, notice in news(one)]
        found += [one.match, ENCODER.encode(row(one)), ENCODER.encode(told)]
    return found


class Rows:
    """The rows of all matches."""

    def __init__(self, client: Any) -> None:
        """Use an asyncio client of the work Redis that does not decode replies."""
        self.client = client
        self._apply = client.register_script(APPLY)
        self._page = client.register_script(PAGE)
        self._due = client.register_script(DUE)

    async def generation(self, slot: Slot = "current") -> str:
        """Return the generation in a slot. Raises `NoRows`."""
        found = await self.client.hget(POINTER, slot)
        if found is None:
            raise NoRows
        return found.decode()

    async def begin(self, slot: Slot) -> str:
        """Start an empty generation in a slot unless there is one, and return the generation."""
        name = f"{POINTER}:{secrets.token_hex(4)}"
        await self.client.hsetnx(POINTER, slot, name)
        return await self.generation(slot)

    async def is_complete(self, generation: str) -> bool:
        """Return whether all logs have been folded into a generation."""
        found = await self.client.hget(POINTER, "complete")
        return found is not None and found.decode() == generation

    async def complete(self, generation: str, doubt: bytes | None) -> None:
        """Record that all logs have been folded into a generation.

        `doubt` is what `doubted` returned before they were. If there is another one by now, the
        generation is not complete.
        """
        await self.client.hset(POINTER, "complete", generation)
        if await self.doubted() != doubt:
            await self.client.hdel(POINTER, "complete")

    async def doubt(self) -> None:
        """Record that rows may be missing, so that all logs are folded again."""
        await self.client.hset(POINTER, "doubt", secrets.token_hex(8))
        await self.client.hdel(POINTER, "complete")

    async def doubted(self) -> bytes | None:
        """Return the mark of the last doubt, None if there was none."""
        return await self.client.hget(POINTER, "doubt")

    async def server(self) -> str:
        """Return the id of the running server. Each start has its own."""
        return str((await self.client.info("server"))["run_id"])

    async def noted_server(self) -> str | None:
        """Return the id of the server that was noted last, or None."""
        noted = await self.client.hget(POINTER, "server")
        return None if noted is None else noted.decode()

    async def note_server(self, server: str) -> None:
        """Note a server, to recognise the next one."""
        await self.client.hset(POINTER, "server", server)

    async def switch(self, built: str) -> None:
        """Make a finished rebuild the current generation, and delete the one before."""
        old = await self.client.hget(POINTER, "current")
        async with self.client.pipeline(transaction=True) as pipe:
            pipe.hset(POINTER, mapping={"current": built, "complete": built})
            pipe.hdel(POINTER, "building")
            await pipe.execute()
        if old is not None:
            await self.drop(old.decode())

    async def abandon(self) -> None:
        """Delete the rows of an unfinished rebuild."""
        found = await self.client.hget(POINTER, "building")
        if found is not None:
            await self.client.hdel(POINTER, "building")
            await self.drop(found.decode())

    async def drop(self, generation: str) -> None:
        """Delete all rows of a generation."""
        async for key in self.client.scan_iter(match=f"{generation}:*", count=1_000):
            await self.client.unlink(key)

    async def apply(self, summary: Summary, generation: str = "") -> bool:
        """Write the row of a match unless a newer one is stored. Return whether it was written.

        Without `generation` the row goes into all generations, and players get notices of what
        stands. Raises `NoRows` if there is none.
        """
        (applied,) = await self.apply_all([summary], generation)
        return applied

    async def apply_all(
        self,
        summaries: Sequence[Summary],
        generation: str = "",
        news: NewsOf = no_news,
        *,
        noted: bool = False,
    ) -> list[bool]:
        """Write the rows of many matches as `apply` does. Return which of them were written.

        Players also get `news` if the status of a match is new. If `noted`, `written_after` returns
        these matches.
        """
        written: list[bool] = []
        for start in range(0, len(summaries), TOGETHER):
            some = summaries[start : start + TOGETHER]
            arguments = _arguments(some, generation, news, noted=noted)
            generations, counts = await self._apply(keys=APPLY_KEYS, args=arguments)
            if not generations:
                raise NoRows
            written += map(bool, counts)
        return written

    async def written_after(self, position: bytes) -> tuple[list[str], bytes]:
        """Return the matches noted after a position, and the position after them.

        Raises `LookupError` if some may have been trimmed before they were read.
        """
        found = await self.client.xrange(WRITTEN, b"(" + position, count=WRITTEN_KEPT)
        if len(found) == WRITTEN_KEPT:
            raise LookupError
        names = (name.decode() for _, fields in found for name in fields[b"m"].split())
        return list(dict.fromkeys(names)), found[-1][0] if found else position

    async def written_end(self) -> bytes:
        """Return the position after the last noted match."""
        last = await self.client.xrevrange(WRITTEN, count=1)
        return last[0][0] if last else b"0-0"

    async def page(
        self,
        index: str,
        after: str | None,
        count: int,
        since: int | None = None,
        until: int | None = None,
    ) -> Page:
        """Return a page of an index of matches. `after` is the cursor.

        `since` and `until` bound the time by which the index is ordered, the latter exclusively
        (microseconds since 1970). Raises `ValueError` for an invalid cursor, and `NoRows`.
        """
        check_cursor(after)
        count = max(1, min(count, PAGE_MAX))
        bounds = [] if after is None else [after]
        bounds += [] if until is None else [f"{until:016d}"]
        start = f"({min(bounds)}" if bounds else "+"
        end = "-" if since is None else f"[{since:016d}"
        found = await self._page(keys=[POINTER], args=[index, start, count, end])
        if found is None:
            raise NoRows
        members, rows, complete = found
        summaries = [ROW.decode(data).summary for data in rows if data is not None]
        cursor = members[-1].decode() if len(members) == count else None
        return Page(summaries, cursor, bool(complete))

    async def standing(self, player: str, count: int) -> list[StandingNotice]:
        """Return what a player is asked to do. Raises `NoRows`."""
        generation = await self.generation()
        found = await self.client.zrange(f"{generation}:{standing_index(player)}", 0, count - 1)
        return [STANDING.decode(notice) for notice in found]

    async def due(self, index: str, until: int, start: int, count: int) -> list[DueMember]:
        """Return the members of an index of times that are due at `until`, earliest first.

        `until` is in microseconds since 1970. Raises `NoRows`.
        """
        found = await self._due(keys=[POINTER], args=[index, until, start, count])
        if found is None:
            raise NoRows
        return [
            DueMember(member.decode(), int(score))
            for member, score in zip(found[::2], found[1::2], strict=True)
        ]

    async def raw(self, match: str) -> bytes:
        """Return the stored bytes of a match's row, empty if there is none. Raises `NoRows`."""
        generation = await self.generation()
        return await self.client.hget(f"{generation}:rows", match) or b""

    async def raw_of(self, matches: Sequence[str]) -> list[bytes]:
        """Return the stored bytes of the rows of matches as `raw` does. Raises `NoRows`."""
        generation = await self.generation()
        return [data or b"" for data in await self.client.hmget(f"{generation}:rows", matches)]

    async def summaries(self, generation: str, matches: Sequence[str]) -> list[Summary]:
        """Return the summaries of those matches that have a row in a generation."""
        if not matches:
            return []
        found = await self.client.hmget(f"{generation}:rows", matches)
        return [ROW.decode(data).summary for data in found if data is not None]
