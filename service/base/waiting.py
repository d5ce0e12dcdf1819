"""Wait for events of the event loop."""

import asyncio


async def wait_for_any(seconds: float, *events: asyncio.Event) -> bool:
    """Wait until one of some events is set; return whether that happened within a time."""
    waits = [asyncio.create_task(event.wait()) for event in events]
    try:
        done, _ = await asyncio.wait(waits, timeout=seconds, return_when=asyncio.FIRST_COMPLETED)
        return bool(done)
    finally:
        for wait in waits:
            wait.cancel()
