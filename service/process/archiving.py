"""Move matches from the log's Redis to the archive, some time after their end.

The rows say which matches are due, and the log itself confirms it. A move can be interrupted
anywhere: the match is then in both places, and is moved again.
"""

import asyncio

import structlog
from redis.exceptions import RedisError

from events.chain import follow
from events.codec import unseal_header
from events.store import StoreError, Unavailable
from events.tiered_store import TieredStore
from games import GAMES
from games.match.clocks import SECOND
from projections.folded import Folded
from projections.rows import NoRows
from projections.summary import Summary
from service.base.clock import now_micros
from service.base.keys import Keys
from service.base.metrics import ARCHIVE_FAILURES
from service.process.context import Context
from service.process.due import due_matches

EVERY_S = 30.0
"""Interval of checks for due matches (seconds)."""
ENDED = frozenset(("finished", "abandoned"))

log = structlog.get_logger("shiplog")


class NotOver(Exception):
    """The match is not over, or has not been over for long enough."""


async def retire(store: TieredStore, keys: Keys, match: str, after_s: int) -> bool:
    """Move a match that has been over for a number of seconds; False if it is not in Redis.

    If it raises, the match stays: `NotOver`, `ChainBroken`, errors of the fold and of the stores.
    """
    assert store.archive is not None, "there is an archive"
    lines = await store.live.read(match)
    if not lines:
        return False
    kept = await store.archive.read(match)
    if kept[: len(lines)] == lines:
        await store.forget(match)
        return True
    for _ in follow(lines):
        pass
    service_seed = keys.service_seed(match, unseal_header(lines[0]).events[0].key)
    folded = await asyncio.to_thread(Folded.checked, GAMES, lines, service_seed)
    if not folded.match.over or folded.match.at + after_s * SECOND > now_micros():
        raise NotOver(match)
    head = await store.head(match, folded.version)
    head = head or keys.sign(match, folded.version, folded.head)
    await store.retire(match, lines, head)
    return True


async def retire_due(context: Context) -> int:
    """Move all matches that are due; return their number.

    Raises `StoreError`, `RedisError`, `OSError`, `NoRows`.
    """
    store, settings = context.store, context.settings
    if store.archive is None:
        return 0
    until = now_micros() - settings.archive_after_s * SECOND

    def is_due(row: Summary) -> bool:
        return row.status in ENDED and row.told_at <= until

    moved = 0
    async for match in due_matches(context, is_due):
        try:
            moved += await retire(store, context.keys, match, settings.archive_after_s)
        except NotOver:
            continue
        except Unavailable:
            raise
        except Exception:  # a damaged or newer match must not stop the others
            ARCHIVE_FAILURES.inc()
            log.exception("archive", match=match)
    if moved:
        log.info("archive", moved=moved)
    return moved


async def keep_archiving(context: Context) -> None:
    """Move due matches until cancelled."""
    while True:
        try:
            await retire_due(context)
        except (RedisError, OSError, NoRows, StoreError) as error:
            ARCHIVE_FAILURES.inc()
            log.warning("archive", error=type(error).__name__, why=str(error))
        await asyncio.sleep(EVERY_S)
