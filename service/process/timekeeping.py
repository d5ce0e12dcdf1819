"""Compare this process's clock with that of the log's server, at the start and then regularly."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress

import structlog

from events.store import Unavailable
from service.base.background import in_background
from service.base.clock import Correction, correction, local_micros
from service.play.admission import LogServers

EVERY_S = 10.0
"""Interval of comparisons (seconds)."""

log = structlog.get_logger("shiplog")


async def compare(servers: LogServers, own: Correction) -> None:
    """Compare once; raises `Unavailable`. Of several servers, the middle reading counts."""
    before = local_micros()
    told = await servers.info()
    after = local_micros()
    readings = sorted(
        int(info["server_time_usec"]) for info in told.values() if "server_time_usec" in info
    )
    if not readings:
        return
    was = own.bounded
    own.compare(before, readings[len(readings) // 2], after)
    if own.bounded != was:
        log.warning("clock", skew_s=round(own.skew_s, 3), deadlines=own.bounded)


@asynccontextmanager
async def timekeeping(servers: LogServers) -> AsyncIterator[None]:
    """Keep the clock of this process corrected."""
    with suppress(Unavailable):
        await compare(servers, correction)
    try:
        async with in_background(_run(servers)):
            yield
    finally:
        correction.micros = 0


async def _run(servers: LogServers) -> None:
    while True:
        await asyncio.sleep(EVERY_S)
        with suppress(Unavailable):
            await compare(servers, correction)
