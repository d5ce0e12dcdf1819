"""Abandon matches that nobody completes.

They then leave the lobby at once, and the log when they are archived.

The rows say which matches are due, and the log itself confirms it.
"""

import asyncio

import structlog
from redis.exceptions import RedisError

from events.store import StoreError
from games.game import Illegal
from games.match.clocks import SECOND
from games.match.commands import Abandon, Actor
from projections.rows import NoRows
from projections.summary import Summary
from service.base.clock import now_micros
from service.base.problems import Problem
from service.play.matches import Submission
from service.process.context import Context
from service.process.due import due_matches

EVERY_S = 60.0
"""Interval of checks for due matches (seconds)."""
OPERATOR = Actor(operator="p_expiry")
"""The operator who abandons them. Nobody has a token of this player."""

log = structlog.get_logger("shiplog")


async def expire_due(context: Context) -> int:
    """Abandon the matches that have waited too long for players; return their number.

    Raises `StoreError`, `RedisError`, `OSError`, `NoRows`.
    """
    if not context.settings.waiting_s:
        return 0
    until = now_micros() - context.settings.waiting_s * SECOND

    def is_due(row: Summary) -> bool:
        return row.status == "waiting" and row.opened <= until

    expired = 0
    async for match in due_matches(context, is_due):
        try:
            expired += await _expire(context, match)
        except (Illegal, Problem) as error:
            log.warning("expiry", match=match, error=str(error))
    if expired:
        log.info("expiry", matches=expired)
    return expired


async def _expire(context: Context, match: str) -> bool:
    """Abandon a match; False if it has started, or has changed in the meantime."""
    cached = await context.cache.get(match)
    if cached.match.status != "waiting":
        return False
    version = cached.folded.version
    sent = Submission(OPERATOR, f"expiry-{version}", Abandon())
    return await context.matches.play_at(cached, sent, version)


async def keep_expiring(context: Context) -> None:
    """Abandon due matches until cancelled."""
    while True:
        try:
            await expire_due(context)
        except (RedisError, OSError, NoRows, StoreError) as error:
            log.warning("expiry", error=type(error).__name__)
        await asyncio.sleep(EVERY_S)
