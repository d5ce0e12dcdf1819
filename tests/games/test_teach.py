"""The forecast is trained towards what happened, and finds it."""

from random import Random

import msgspec
import numpy as np
import pytest

from games.tranquility.players.facts import After
from tests.bench.teach import (
    TABLES,
    Game,
    Learner,
    Step,
    lesson,
    played,
    random,
    rate_at,
    rules_at,
    targets,
    weights_of,
)

NOTHING = After([], [])


def step(value=0.5, best=0.5, *, explored=False):
    return Step(NOTHING, value, best, explored)


def test_without_a_forecast_every_step_is_told_the_end():
    assert targets([step(), step(explored=True), step()], won=True, weight=1.0) == [1, 1, 1]


def test_a_target_mixes_the_end_with_the_forecasts_that_followed():
    found = targets([step(0.3), step(0.6), step(0.8)], won=True, weight=0.9)
    assert found == pytest.approx([0.1 * 0.6 + 0.9 * 0.98, 0.98, 1.0])


def test_what_follows_an_explored_action_is_not_told_to_the_steps_before():
    found = targets([step(0.3), step(0.2, best=0.7, explored=True)], won=False, weight=0.9)
    assert found == [0.7, 0.0]


def test_a_network_learns_what_decides():
    """Games are won whose first gap has a large number, whatever the table."""
    dice = np.random.default_rng(5)
    learner = Learner(random(gap=2, table=1))

    def game():
        big = dice.random() < 0.5
        gaps = np.array([[float(big), dice.random()], [0.0, dice.random()]])
        table = np.array([[dice.random()]])
        return Game(big, gaps, np.array([2]), table, np.array([float(big)]))

    losses = [learner.learn([game() for _ in range(8)], 0.01) for _ in range(400)]
    assert losses[0] > 0.4
    assert np.mean(losses[-20:]) < 0.1


def test_a_lesson_has_a_target_for_each_action_and_is_repeatable():
    game = lesson(TABLES["storms"], None, 40_000_001)
    assert len(game.counts) == len(game.tables) == len(game.targets) > 20
    assert game.counts.sum() == len(game.gaps)
    assert all(map(np.array_equal, lesson(TABLES["storms"], None, 40_000_001)[1:], game[1:]))


def test_a_network_that_was_written_plays_as_before():
    game = lesson(TABLES["storms"], None, 40_000_001)
    learner = Learner(random(game.gaps.shape[1], game.tables.shape[1]))
    learner.learn([game], 0.01)
    network = learner.network(0.2)
    again = msgspec.json.decode(msgspec.json.encode(network), type=type(network))
    assert again == network
    actions = [
        played(TABLES["storms"], one, 40_000_002, Random(1))[1].steps for one in (network, again)
    ]
    assert actions[0] == actions[1]


def test_learning_goes_on_from_the_weights_of_a_network():
    network = Learner(random(gap=3, table=2)).network(0.1)
    assert Learner(weights_of(network)).network(0.1) == network


def test_the_rate_falls_in_the_second_half():
    assert rate_at(0) == rate_at(0.5) > rate_at(0.75) > rate_at(1)


def test_the_rules_of_thumb_count_less_from_round_to_round_and_never_nothing():
    assert rules_at(0) > rules_at(0.2) > rules_at(0.5) == rules_at(1) > 0
