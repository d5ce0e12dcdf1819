"""Work that goes on beside a block of code."""

import asyncio
from collections.abc import AsyncIterator, Coroutine
from contextlib import asynccontextmanager
from typing import Any

import structlog

AGAIN_S = 2.0
"""Time until work that has not ended is cancelled again (seconds)."""

log = structlog.get_logger("shiplog")


@asynccontextmanager
async def in_background(work: Coroutine[Any, Any, None]) -> AsyncIterator[None]:
    """Run a coroutine until the end of the block, where it is cancelled.

    An error that ends the work is logged at once, since the block may go on for days, and is raised
    at the end of the block.

    A client may swallow a cancellation that comes together with an answer, or raise an error of its
    own in its place. The work then goes on, and is cancelled again.
    """
    task = asyncio.create_task(work, name=work.__qualname__)
    task.add_done_callback(_report)
    try:
        yield
    finally:
        while not task.done():
            task.cancel()
            await asyncio.wait((task,), timeout=AGAIN_S)
        if not task.cancelled():
            task.result()


def _report(task: asyncio.Task[None]) -> None:
    if not task.cancelled() and (error := task.exception()) is not None:
        log.error("background", work=task.get_name(), exc_info=error)
