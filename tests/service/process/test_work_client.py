"""The client of the work Redis, which many calls share."""

import asyncio

from service.process.stores import WORK_CONNECTIONS, work_client


async def test_a_burst_of_calls_waits_for_connections(work_server, work):
    """There are more calls at once than connections, and none is refused."""
    others = len(await work.client_list())
    client = work_client(work_server.url)
    try:
        counts = await asyncio.gather(*(client.incr("x") for _ in range(5 * WORK_CONNECTIONS)))
        assert sorted(counts) == list(range(1, 5 * WORK_CONNECTIONS + 1))
        assert len(await work.client_list()) <= WORK_CONNECTIONS + others
    finally:
        await client.aclose()
