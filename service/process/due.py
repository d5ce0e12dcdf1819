"""Find the matches that something is due for, by their rows."""

from collections.abc import AsyncIterator, Callable

from projections.rows import Rows
from projections.summary import Summary
from service.process.context import Context

BATCH = 200
"""Number of rows read at once."""


async def due_matches(context: Context, is_due: Callable[[Summary], bool]) -> AsyncIterator[str]:
    """Yield the matches in the log's Redis whose rows say that they are due.

    Raises `Unavailable`, `RedisError`, `OSError`, `NoRows`.
    """
    rows = Rows(context.work)
    matches = [match async for match in context.store.live.matches()]
    for start in range(0, len(matches), BATCH):
        page = matches[start : start + BATCH]
        for summary in await rows.summaries(await rows.generation(), page):
            if is_due(summary):
                yield summary.match
