"""Wait for events of the event loop."""

import asyncio


async def wait_for_either(one: asyncio.Event, other: asyncio.Event, seconds: float) -> bool:
    """Wait until one of two events is set; return whether that happened within a time."""
    waits = [asyncio.create_task(event.wait()) for event in (one, other)]
    try:
        done, _ = await asyncio.wait(waits, timeout=seconds, return_when=asyncio.FIRST_COMPLETED)
        return bool(done)
    finally:
        for wait in waits:
            wait.cancel()
