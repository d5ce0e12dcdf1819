"""The leases of projectors: which process leads, and which partitions each writes the rows of.

The processes share the partitions evenly. Leases expire, so that others take over from a process
that is gone.
"""

import secrets
from typing import Any, NamedTuple

from service.play.feed import starts

LEASE = "projector"
"""Key of the process that leads. With `:` and a partition: of the process that writes its rows."""
LEASE_MS = 3_000
MEMBERS = "projector:members"
"""The processes that share the partitions, by the time until which they count (milliseconds)."""

SHARE = """\
local now = redis.call('TIME')
local now_ms = now[1] * 1000 + math.floor(now[2] / 1000)
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now_ms)
redis.call('ZADD', KEYS[1], now_ms + ARGV[2], ARGV[1])
local share = math.ceil((#KEYS - 2) / redis.call('ZCARD', KEYS[1]))
local leads, held, free = 0, {}, {}
for place = 2, #KEYS do
  local holder = redis.call('GET', KEYS[place])
  if place == 2 then
    if not holder or holder == ARGV[1] then
      redis.call('SET', KEYS[place], ARGV[1], 'PX', ARGV[2])
      leads = 1
    end
  elseif not holder then
    free[#free + 1] = place
  elseif holder == ARGV[1] then
    if #held < share then
      redis.call('SET', KEYS[place], ARGV[1], 'PX', ARGV[2])
      held[#held + 1] = place - 3
    else
      redis.call('DEL', KEYS[place])
    end
  end
end
for _, place in ipairs(free) do
  if #held < share then
    redis.call('SET', KEYS[place], ARGV[1], 'PX', ARGV[2])
    held[#held + 1] = place - 3
  end
end
return {leads, held}
"""
"""Take or renew the lead if it is free, and a fair share of the partitions."""


class Leased(NamedTuple):
    """What a process holds."""

    leads: bool
    partitions: frozenset[bytes]


class Leases:
    """The leases of one process."""

    def __init__(self, work: Any) -> None:
        """Use an asyncio client of the work Redis (of bytes)."""
        self._work = work
        self._name = secrets.token_hex(8)
        self._share = work.register_script(SHARE)

    async def renew(self) -> Leased:
        """Renew what the process holds, up to its share, and take what is free."""
        partitions = list(starts())
        keys = [MEMBERS, LEASE, *map(lease_of, partitions)]
        leads, held = await self._share(keys=keys, args=[self._name, LEASE_MS])
        return Leased(bool(leads), frozenset(partitions[place] for place in held))

    async def end(self, held: Leased) -> None:
        """Leave the partitions, and the lead, to other processes at once."""
        leases = [*map(lease_of, held.partitions), *([LEASE] if held.leads else [])]
        await self._work.zrem(MEMBERS, self._name)
        if leases:
            await self._work.delete(*leases)


def lease_of(partition: bytes) -> str:
    """Return the key of the process that writes the rows of a partition."""
    return f"{LEASE}:{partition.decode()}"
