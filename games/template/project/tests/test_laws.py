"""The game obeys the laws that all games share."""

import pytest
from games.testing.laws import Laws
from games.testing.suite import *  # noqa: F403 - the laws are the tests of this module

from shiplog_template import GAME


@pytest.fixture(scope="module")
def game():
    return GAME


@pytest.fixture(scope="module")
def laws():
    return Laws(
        tables=[(2, {}), (3, {"stones": 30, "most": 5}), (4, {"stones": 5, "most": 2})],
        records_max=101,
        census=lambda state: state.stones + sum(state.taken),
    )
