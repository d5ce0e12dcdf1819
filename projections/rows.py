"""The rows in the work Redis: one per match, with the indexes that list it, changed together or not at all.

A row carries the log's version that it is at; an older one never replaces it, so that applying twice or out of order
changes nothing. All keys begin with a generation, and the hash `projections` names the generation that is read
(`current`) and the one that a rebuild fills (`building`). What is applied goes into both. Redis may lose all of this
at any time: then `NoRows` is raised, and everything is folded from the logs again. When that is done, `complete`
names the generation.
"""

import re
import secrets
from collections.abc import Sequence
from typing import Any, Literal

import msgspec

from projections.entries import Entry, entries
from projections.summary import Summary

POINTER = "projections"
PAGE_MAX = 200
MEMBER = re.compile(r"\d{16} [A-Za-z0-9_-]{1,64}", re.ASCII)

Slot = Literal["current", "building"]

APPLY = """\
local generations = {}
if ARGV[3] ~= '' then
  generations[1] = ARGV[3]
else
  for _, generation in ipairs(redis.call('HMGET', KEYS[1], 'current', 'building')) do
    if generation then generations[#generations + 1] = generation end
  end
end
local row = cjson.decode(ARGV[2])
local applied = 0
for _, generation in ipairs(generations) do
  local rows = generation .. ':rows'
  local found = redis.call('HGET', rows, ARGV[1])
  local old = found and cjson.decode(found) or {version = 0, entries = {}}
  if old.version < row.version then
    for _, entry in ipairs(old.entries) do
      redis.call('ZREM', generation .. ':' .. entry[1], entry[3])
    end
    for _, entry in ipairs(row.entries) do
      redis.call('ZADD', generation .. ':' .. entry[1], entry[2], entry[3])
    end
    redis.call('HSET', rows, ARGV[1], ARGV[2])
    applied = applied + 1
  end
end
return {#generations, applied}
"""

PAGE = """\
local generation = redis.call('HGET', KEYS[1], 'current')
if not generation then return false end
local members = redis.call('ZREVRANGEBYLEX', generation .. ':' .. ARGV[1], ARGV[2], '-', 'LIMIT', 0, ARGV[3])
if #members == 0 then return {{}, {}} end
local matches = {}
for place, member in ipairs(members) do matches[place] = string.sub(member, 18) end
return {members, redis.call('HMGET', generation .. ':rows', unpack(matches))}
"""

DUE = """\
local generation = redis.call('HGET', KEYS[1], 'current')
if not generation then return false end
return redis.call('ZRANGEBYSCORE', generation .. ':' .. ARGV[1], '-inf', ARGV[2],
                  'WITHSCORES', 'LIMIT', ARGV[3], ARGV[4])
"""


class NoRows(Exception):
    """There are no rows: Redis was wiped, or they have not been built yet."""


class Row(msgspec.Struct, frozen=True):
    """What is stored of a match."""

    version: int
    entries: tuple[Entry, ...]
    summary: Summary


class Page(msgspec.Struct, frozen=True):
    """Some matches, the latest opened first."""

    summaries: list[Summary]
    next: str | None
    """The cursor of the next page; None when this is the last."""


class Due(msgspec.Struct, frozen=True):
    """Something that is to happen from a time on."""

    member: str
    at: int
    """Microseconds since 1970."""


ROW = msgspec.json.Decoder(Row)


def row(summary: Summary) -> Row:
    """Give a match's row."""
    return Row(summary.version, entries(summary), summary)


class Rows:
    """The rows of all matches."""

    def __init__(self, client: Any) -> None:
        """Work on an asyncio client of the work Redis, giving bytes."""
        self.client = client
        self._apply = client.register_script(APPLY)
        self._page = client.register_script(PAGE)
        self._due = client.register_script(DUE)

    async def generation(self, slot: Slot = "current") -> str:
        """Name the generation in a slot; raises `NoRows`."""
        found = await self.client.hget(POINTER, slot)
        if found is None:
            raise NoRows
        return found.decode()

    async def begin(self, slot: Slot) -> str:
        """Put a new, empty generation into a slot, if there is none; name the one that is there."""
        name = f"{POINTER}:{secrets.token_hex(4)}"
        await self.client.hsetnx(POINTER, slot, name)
        return await self.generation(slot)

    async def is_complete(self, generation: str) -> bool:
        """Tell whether all logs have been folded into a generation."""
        found = await self.client.hget(POINTER, "complete")
        return found is not None and found.decode() == generation

    async def complete(self, generation: str) -> None:
        """Take note that all logs have been folded into a generation."""
        await self.client.hset(POINTER, "complete", generation)

    async def doubt(self) -> None:
        """Take note that something may be missing: all logs are to be folded again."""
        await self.client.hdel(POINTER, "complete")

    async def switch(self, built: str) -> None:
        """Let the generation that was built be read, and forget the one that was."""
        old = await self.client.hget(POINTER, "current")
        async with self.client.pipeline(transaction=True) as pipe:
            pipe.hset(POINTER, mapping={"current": built, "complete": built})
            pipe.hdel(POINTER, "building")
            await pipe.execute()
        if old is not None:
            await self.drop(old.decode())

    async def abandon(self) -> None:
        """Forget what a rebuild that did not end has built."""
        found = await self.client.hget(POINTER, "building")
        if found is not None:
            await self.client.hdel(POINTER, "building")
            await self.drop(found.decode())

    async def drop(self, generation: str) -> None:
        """Forget a generation's rows."""
        async for key in self.client.scan_iter(match=f"{generation}:*", count=1_000):
            await self.client.unlink(key)

    async def apply(self, summary: Summary, generation: str = "") -> bool:
        """Put a match's row where it is newer, in all generations or in one; tell whether it was.

        Raises `NoRows` when there is no generation.
        """
        data = msgspec.json.encode(row(summary))
        generations, applied = await self._apply(
            keys=[POINTER], args=[summary.match, data, generation]
        )
        if not generations:
            raise NoRows
        return bool(applied)

    async def page(self, index: str, after: str | None, count: int) -> Page:
        """Give a page of an index of matches; raises `ValueError` for a bad cursor, `NoRows`."""
        if after is not None and not MEMBER.fullmatch(after):
            raise ValueError("no cursor")
        count = max(1, min(count, PAGE_MAX))
        start = "+" if after is None else f"({after}"
        found = await self._page(keys=[POINTER], args=[index, start, count])
        if found is None:
            raise NoRows
        members, rows = found
        summaries = [ROW.decode(data).summary for data in rows if data is not None]
        return Page(summaries, members[-1].decode() if len(members) == count else None)

    async def due(self, index: str, until: int, start: int, count: int) -> list[Due]:
        """Give what an index of times holds up to a time, soonest first; raises `NoRows`."""
        found = await self._due(keys=[POINTER], args=[index, until, start, count])
        if found is None:
            raise NoRows
        return [
            Due(member.decode(), int(score))
            for member, score in zip(found[::2], found[1::2], strict=True)
        ]

    async def raw(self, match: str) -> bytes:
        """Give a match's row as it is stored, empty if there is none; raises `NoRows`."""
        generation = await self.generation()
        return await self.client.hget(f"{generation}:rows", match) or b""

    async def summaries(self, generation: str, matches: Sequence[str]) -> list[Summary]:
        """Give the summaries of matches that have rows in a generation."""
        if not matches:
            return []
        found = await self.client.hmget(f"{generation}:rows", matches)
        return [ROW.decode(data).summary for data in found if data is not None]
