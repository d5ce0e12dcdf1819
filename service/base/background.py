"""Work that goes on beside a block of code."""

import asyncio
from collections.abc import AsyncIterator, Coroutine
from contextlib import asynccontextmanager
from typing import Any

AGAIN_S = 2.0
"""Time until work that has not ended is cancelled again (seconds)."""


@asynccontextmanager
async def in_background(work: Coroutine[Any, Any, None]) -> AsyncIterator[None]:
    """Run a coroutine until the end of the block, where it is cancelled.

    A client may swallow a cancellation that comes together with an answer, or raise an error of its
    own in its place. The work then goes on, and is cancelled again.
    """
    task = asyncio.create_task(work)
    try:
        yield
    finally:
        while not task.done():
            task.cancel()
            await asyncio.wait((task,), timeout=AGAIN_S)
        if not task.cancelled():
            task.result()
