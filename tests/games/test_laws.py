"""Every game obeys the laws that all games share."""

import pytest

from games import GAMES
from games.game import AnyGame
from games.testing.laws import Laws
from games.testing.suite import *  # noqa: F403 - the laws are the tests of this module
from tests.games.laws import laws_of


@pytest.fixture(scope="module", params=GAMES.values(), ids=GAMES)
def game(request) -> AnyGame:
    return request.param


@pytest.fixture(scope="module")
def laws(game) -> Laws:
    return laws_of(game.slug)
