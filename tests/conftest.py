"""What holds for all tests: property tests draw the same examples every time, and none changes how others log."""

import pytest
import structlog
from hypothesis import settings

pytest.register_assert_rewrite("games.testing")
settings.register_profile("repeatable", derandomize=True, database=None, deadline=None)
settings.load_profile("repeatable")


@pytest.fixture(autouse=True)
def logging():
    """Log as before once a test is over: a command line that it ran in this process logs to a stream that is closed then."""
    before = structlog.get_config()
    yield
    structlog.configure(**before)
