"""The rules, one by one: given a position, when a command comes, then events or a refusal."""

import pytest
from games.testing.given import Given

from shiplog_template import GAME
from shiplog_template.commands import TakeStones
from shiplog_template.events import GameEnded, StonesTaken


@pytest.fixture
def given():
    """Five stones, three of which may be taken at once."""
    return Given.dealt(GAME, 2, stones=5)


def test_stones_are_taken_in_turn(given):
    """R-3"""
    first = given.state.turn
    given.when(1 - first, TakeStones(1)).refused("not-your-turn")
    given.when(first, TakeStones(2)).then(StonesTaken(first, 2))
    assert given.waiting == {1 - first}


@pytest.mark.parametrize("count", [-1, 0, 4])
def test_at_most_three_are_taken(given, count):
    """R-3"""
    given.when(given.state.turn, TakeStones(count)).refused("bad-count", least=1, most=3)


def test_the_last_stone_wins(given):
    """R-4"""
    first = given.state.turn
    given.when(first, TakeStones(3))
    last = given.when(1 - first, TakeStones(2))
    last.then(StonesTaken(1 - first, 2), GameEnded(1 - first))
    assert GAME.result(given.state).winners == (1 - first,)
    given.when(first, TakeStones(1)).refused("game-over")
