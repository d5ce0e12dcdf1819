"""What the tests of the base share: the lines that are logged."""

import json

import pytest
import structlog

from service.base import logs


@pytest.fixture
def written(capsysbinary):
    """Log as the service does, and return a function that reads the new lines."""
    structlog.reset_defaults()
    logs.configure("info")
    yield lambda: [json.loads(line) for line in capsysbinary.readouterr().err.splitlines()]
    structlog.reset_defaults()
