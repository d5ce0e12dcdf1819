"""`shiplog worker`: the worker processes, the projector, and the scheduler that wakes clocks and bots."""

import asyncio
import signal
from contextlib import AsyncExitStack, suppress

import msgspec
import structlog
from prometheus_client import CollectorRegistry
from redis import Redis
from redis.exceptions import RedisError

from games import GAMES
from projections.rows import NoRows
from service.base.settings import Settings
from service.play.projector import Projector, following
from service.process import demo
from service.process.archiving import archiving
from service.process.context import Context, opened
from service.process.exposition import VitalFigures, listening, looped, registry_of
from service.worker.pool import Crew
from service.worker.scheduler import Scheduler
from service.worker.worker_metrics import CrewFigures

log = structlog.get_logger("shiplog")


async def run_workers(settings: Settings) -> None:
    """Work until SIGTERM or SIGINT: what is running ends first."""
    stopping = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, stopping.set)
    async with opened(settings) as context, AsyncExitStack() as stack:
        named = msgspec.structs.replace(
            settings, log_url=context.log_url, work_url=context.work_url
        )
        crew = Crew(named)
        stack.callback(crew.stop)
        await stack.enter_async_context(looped())
        stack.enter_context(listening(settings, _figures(context, crew, stack)))
        projector = Projector(context.lives, context.store, context.feed, context.work, GAMES)
        await stack.enter_async_context(following(projector))
        await stack.enter_async_context(archiving(context))
        if settings.demo:
            await stack.enter_async_context(demo.playing(context, settings.demo))
        log.info("working", bots=settings.bot_workers)
        await _watch(context, projector, crew, stopping)
        log.info("stopped")


def _figures(context: Context, crew: Crew, stack: AsyncExitStack) -> CollectorRegistry:
    left = Redis.from_url(context.work_url)
    stack.callback(left.close)
    return registry_of(CrewFigures(left, crew.pids), VitalFigures(context.watch, context.lives))


async def _watch(
    context: Context, projector: Projector, crew: Crew, stopping: asyncio.Event
) -> None:
    """See to the processes, and to what is due: as often as set, and at once when rows have changed."""
    settings = context.settings
    scheduler = Scheduler(projector.rows, context.work_url, settings.bot_pause_ms)
    failing = False
    while not stopping.is_set():
        crew.look()
        projector.moved.clear()
        try:
            await scheduler.tick()
            failing = False
        except (RedisError, OSError, NoRows) as error:
            if not failing:
                log.warning("scheduler", error=type(error).__name__)
            failing = True
        with suppress(TimeoutError):
            await asyncio.wait_for(projector.moved.wait(), settings.worker_poll_ms / 1_000)
