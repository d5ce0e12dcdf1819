"""Rewrite the append file of the log after erasures, because it keeps what was overwritten.

Redis rewrites it by itself only when it has doubled. Only the archiver's account may ask for that.
"""

import asyncio

import structlog
from redis.exceptions import RedisError

from events.store import Unavailable
from service.base.clock import now_micros
from service.play.leftovers import Leftovers
from service.process.context import Context

EVERY_S = 3_600.0
"""Interval of rewrites, since each costs as much as all logs (seconds)."""
START_S = 300.0
"""Time until the first check of a process, and until the next one after a failure (seconds)."""
LEASE = "erasures:rewriting"
LEASE_S = 600
"""Time for which other processes leave a rewrite to this one (seconds)."""

log = structlog.get_logger("shiplog")


async def rewrite_if_due(context: Context) -> bool:
    """Rewrite the file if something was erased; return whether that was done.

    Raises `Unavailable`, `RedisError`, `OSError`.
    """
    leftovers = Leftovers(context.work)
    if not await leftovers.due() or not await context.work.set(LEASE, b"", nx=True, ex=LEASE_S):
        return False
    begun_at = now_micros()
    try:
        await context.archiver.rewrite()
        await leftovers.rewritten(begun_at)
    finally:
        await context.work.delete(LEASE)
    log.info("rewritten")
    return True


async def keep_rewriting(context: Context) -> None:
    """Rewrite the file whenever that is due, until cancelled."""
    pause = START_S
    while True:
        await asyncio.sleep(pause)
        try:
            await rewrite_if_due(context)
            pause = EVERY_S
        except (RedisError, OSError, Unavailable) as error:
            log.warning("rewrite", error=str(error) or type(error).__name__)
            pause = START_S
