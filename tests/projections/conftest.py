"""A server for rows."""

import pytest
from redis.asyncio import Redis

from projections.rows import Rows
from service.embedded.servers import Server, Supervisor


@pytest.fixture(scope="session")
def work_server(tmp_path_factory):
    with Supervisor(Server.work(tmp_path_factory.mktemp("work"))) as server:
        yield server


@pytest.fixture
async def work(work_server):
    """Yield an empty Redis."""
    async with Redis.from_url(work_server.url) as client:
        await client.flushall()
        yield client


@pytest.fixture
async def rows(work):
    """Rows with an empty generation."""
    rows = Rows(work)
    await rows.begin("current")
    return rows
