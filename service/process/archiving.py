"""Moves matches that are over from the log's Redis to the archive, some time after their end.

The rows say which ones are due; the log itself says whether that is so. A move may be broken off anywhere: the match
is then in both places, and is moved again.
"""

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, suppress

import structlog
from redis.exceptions import RedisError

from events.chain import follow
from events.store import StoreError
from events.tiered_store import TieredStore
from games import GAMES
from games.match.clocks import SECOND
from projections.folded import Folded
from projections.rows import NoRows, Rows
from service.base.clock import now_micros
from service.base.keys import Keys
from service.process.context import Context

EVERY_S = 30.0
"""Seconds between two looks at what is due."""
BATCH = 200
"""Rows read at once."""
ENDED = frozenset(("finished", "abandoned"))

log = structlog.get_logger("shiplog")


class NotOver(Exception):
    """The match goes on, or has not been over for long enough."""


async def retire(store: TieredStore, keys: Keys, match: str, after_s: int) -> bool:
    """Move a match that has been over for so many seconds; False when it is not in Redis.

    Raises `NotOver`, `ChainBroken` for a log that does not hang together, what a fold raises, and what the stores do:
    then it stays.
    """
    assert store.archive is not None, "there is an archive"
    lines = await store.live.read(match)
    if not lines:
        return False
    kept = await store.archive.read(match)
    if kept[: len(lines)] == lines:
        await store.live.forget(match)
        return True
    folded = await asyncio.to_thread(_checked, lines)
    if not folded.match.over or folded.match.at + after_s * SECOND > now_micros():
        raise NotOver(match)
    await store.retire(match, lines, keys.sign(match, folded.version, folded.head))
    return True


def _checked(lines: Sequence[bytes]) -> Folded:
    for _ in follow(lines):
        pass
    return Folded.of(GAMES, lines)


async def retire_due(context: Context) -> int:
    """Move all that is due; give how many there were. Raises what the stores and the work Redis raise, and `NoRows`."""
    store, settings = context.store, context.settings
    if store.archive is None:
        return 0
    matches = [match async for match in store.live.matches()]
    moved = 0
    for start in range(0, len(matches), BATCH):
        for match in await _due(context, matches[start : start + BATCH]):
            try:
                moved += await retire(store, context.keys, match, settings.archive_after_s)
            except NotOver:
                continue
            except Exception:  # one match must not stop the others: it may be of a later release, or damaged in any way
                log.exception("archive", match=match)
    if moved:
        log.info("archive", moved=moved)
    return moved


async def _due(context: Context, matches: Sequence[str]) -> list[str]:
    rows = Rows(context.work)
    until = now_micros() - context.settings.archive_after_s * SECOND
    found = await rows.summaries(await rows.generation(), matches)
    return [one.match for one in found if one.status in ENDED and one.told_at <= until]


@asynccontextmanager
async def archiving(context: Context) -> AsyncIterator[None]:
    """Let this go on beside something else."""
    task = asyncio.create_task(_run(context))
    try:
        yield
    finally:
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task


async def _run(context: Context) -> None:
    while True:
        try:
            await retire_due(context)
        except (RedisError, OSError, NoRows, StoreError) as error:
            log.warning("archive", error=type(error).__name__)
        await asyncio.sleep(EVERY_S)
