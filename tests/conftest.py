"""Settings of all tests: property tests repeat their examples, and logging is restored."""

from collections.abc import Iterator
from pathlib import Path

import pytest
import structlog
from hypothesis import settings

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
