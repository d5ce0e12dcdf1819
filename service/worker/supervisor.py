"""`shiplog worker`: the pool of worker processes, the projector and the scheduler."""

import asyncio
import signal
from contextlib import AsyncExitStack, suppress

import msgspec
import structlog
from prometheus_client import CollectorRegistry
from redis import Redis
from redis.exceptions import RedisError

from projections.rows import NoRows
from service.base.background import in_background
from service.base.settings import Settings
from service.play.projector import Projector
from service.process.archiving import keep_archiving
from service.process.checkpointing import projecting
from service.process.context import Context, opened
from service.process.demo import keep_playing
from service.process.expiry import keep_expiring
from service.process.exposition import (
    HealthMetrics,
    combined_registry,
    keep_measuring_loop,
    metrics_listener,
)
from service.process.rewriting import keep_rewriting
from service.worker.pool import WorkerPool
from service.worker.pool_metrics import PoolMetrics
from service.worker.scheduler import Scheduler
from service.worker.webhook_feed import keep_feeding

log = structlog.get_logger("shiplog")


async def run_workers(settings: Settings) -> None:
    """Run until SIGTERM or SIGINT; running jobs end first."""
    stopping = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, stopping.set)
    async with opened(settings) as context, AsyncExitStack() as stack:
        named = msgspec.structs.replace(
            settings, log_url=context.log_url, work_url=context.work_url
        )
        pool = WorkerPool(named)
        stack.callback(pool.stop)
        await stack.enter_async_context(in_background(keep_measuring_loop()))
        stack.enter_context(metrics_listener(settings, _registry(context, pool, stack)))
        projector = await stack.enter_async_context(projecting(context))
        for keep in (keep_archiving, keep_expiring, keep_rewriting, keep_feeding):
            await stack.enter_async_context(in_background(keep(context)))
        if settings.demo:
            await stack.enter_async_context(in_background(keep_playing(context, settings.demo)))
        log.info("working", bots=settings.bot_workers)
        await _watch(context, projector, pool, stopping)
        log.info("stopped")


def _registry(context: Context, pool: WorkerPool, stack: AsyncExitStack) -> CollectorRegistry:
    left = Redis.from_url(context.work_url)
    stack.callback(left.close)
    return combined_registry(
        PoolMetrics(left, pool.pids), HealthMetrics(context.health, context.cache)
    )


async def _watch(
    context: Context, projector: Projector, pool: WorkerPool, stopping: asyncio.Event
) -> None:
    """Keep the processes running and enqueue what is due, at an interval and when rows change."""
    settings = context.settings
    scheduler = Scheduler(
        projector.rows,
        context.seeks,
        context.work_url,
        bot_pause_ms=settings.bot_pause_ms,
        bot_workers=settings.bot_workers,
    )
    failing = False
    while not stopping.is_set():
        pool.ensure_running()
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
