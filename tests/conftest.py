"""Settings of all tests: property tests repeat their examples, and logging is restored."""

import pytest
import structlog
from hypothesis import settings

pytest.register_assert_rewrite("games.testing")
settings.register_profile("repeatable", derandomize=True, database=None, deadline=None)
settings.load_profile("repeatable")


@pytest.fixture(autouse=True)
def logging():
    """Restore the logging configuration after a test: it may log to a stream that is closed."""
    before = structlog.get_config()
    yield
    structlog.configure(**before)
