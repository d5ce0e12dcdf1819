"""A worker in the test's process, and matches for it."""

import asyncio
from contextlib import asynccontextmanager
from functools import partial

from rq import Worker

from games import GAMES
from games.match.commands import AddBot, CreateMatch, TakeSeat
from service.jobs.queues import open_queues
from service.play.caller import Caller
from service.play.projector import Projector, following
from service.worker import pool, supervisor
from tests.e2e.service import wait_until
from tests.projections.recorded import no_errata

ADA, BOB = Caller("p_ada"), Caller("p_bob")


@asynccontextmanager
async def working(context, *queues):
    """Run what `shiplog worker` runs, with processes for some of the queues."""
    projector = Projector(
        context.cache, context.store, context.feed, context.work, GAMES, no_errata
    )
    few = pool.WorkerPool(context.settings)
    few.members = [member for member in few.members if member.queue in queues]
    stopping = asyncio.Event()
    async with following(projector):
        watching = asyncio.create_task(supervisor._watch(context, projector, few, stopping))
        try:
            yield projector, few
        finally:
            stopping.set()
            try:
                await watching
            finally:
                few.stop()


async def sit(context, *levels, **fields):
    """Open a match between rivals: "" is a person."""
    command = CreateMatch("tranquility", 2, {"variant": "competitive"}, **fields)
    cached = await context.matches.create(ADA, command, None)
    for seat, level in enumerate(levels):
        sit_down = AddBot(seat, level) if level else TakeSeat(seat)
        caller = ADA if level else (ADA, BOB)[seat]
        await context.matches.play(cached, caller, sit_down, None)
    return cached


async def served(context, workers=1):
    """Wait until so many workers have registered."""
    queue = open_queues(context.work_url)["analysis"]
    count = partial(Worker.count, connection=queue.connection, queue=queue)
    await asyncio.to_thread(wait_until, lambda: count() >= workers)
