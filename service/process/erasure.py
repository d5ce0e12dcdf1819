"""The use case: forget a person. No log is touched, since none holds more than an id."""

from collections.abc import AsyncIterator

import structlog
from redis.exceptions import RedisError

from projections.entries import history_index
from projections.rows import PAGE_MAX, NoRows, Rows
from service.base.problems import not_found, work_unavailable
from service.play.talk import Talk
from service.process.context import Context

log = structlog.get_logger("shiplog")


async def erase(context: Context, player: str) -> None:
    """Forget a player's talk, then name, identity, roles and tokens; raises `Problem` 404, 503.

    It may be done again: after a failure nothing is left half told, as the name goes last.
    """
    if not await context.players.names([player]):
        raise not_found("player")
    talk = Talk(context.work)
    async for match in _matches(context, player):
        live = await context.lives.get(match)
        seat = live.folded.players.get(player)
        if seat is not None:
            await talk.forget(live.match, seat)
    await context.players.erase(player)
    log.info("erased", player=player)


async def _matches(context: Context, player: str) -> AsyncIterator[str]:
    """Yield the ids of the matches that a player sits in; without rows, of all in which anybody has talked."""
    rows, after = Rows(context.work), None
    index = history_index(player, private=True)
    try:
        while True:
            page = await rows.page(index, after, PAGE_MAX)
            for summary in page.summaries:
                yield summary.match
            if (after := page.next) is None:
                return
    except NoRows:
        async for match in Talk(context.work).matches():
            yield match
    except (RedisError, OSError):
        raise work_unavailable() from None
