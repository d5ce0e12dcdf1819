"""Settings of all tests, and servers: property tests repeat their examples, logging is restored."""

from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest
import structlog
from hypothesis import settings
from redis.asyncio import Redis

from projections.rows import Rows
from service.embedded.servers import Server, Supervisor

pytest.register_assert_rewrite("games.testing")
settings.register_profile("repeatable", derandomize=True, database=None, deadline=None)
settings.load_profile("repeatable")


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Begin with what takes longest: else one process still works on it when all others are done.

    The order in which processes take files is theirs only with `--no-loadscope-reorder`.
    """
    items.sort(key=lambda item: item.get_closest_marker("long") is None)


@pytest.fixture(autouse=True)
def logging():
    """Restore the logging configuration after a test: it may log to a stream that is closed."""
    before = structlog.get_config()
    yield
    structlog.configure(**before)


@pytest.fixture
def urls(tmp_path: Path) -> Iterator[dict[str, str]]:
    """Return the settings of processes that share two Redis servers of the test."""
    with (
        Supervisor(Server.log(tmp_path / "log")) as log,
        Supervisor(Server.work(tmp_path / "work")) as work,
    ):
        yield {"log_url": log.url, "work_url": work.url}


@pytest.fixture(scope="session")
def work_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Supervisor]:
    """Run a work Redis for all tests of a process."""
    with Supervisor(Server.work(tmp_path_factory.mktemp("work"))) as server:
        yield server


@pytest.fixture
async def work(work_server: Supervisor) -> AsyncIterator[Redis]:
    """Yield an empty Redis."""
    async with Redis.from_url(work_server.url) as client:
        await client.flushall()
        yield client


@pytest.fixture
async def rows(work: Redis) -> Rows:
    """Return rows with an empty generation."""
    rows = Rows(work)
    await rows.begin("current")
    return rows
