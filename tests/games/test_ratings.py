"""Ratings from scores of several players against each other."""

import pytest

from games.chance import Chance
from games.playout import seed_of
from games.ratings import rate

DICE = Chance(seed_of(1), 1)


def scored(share: float, seeds: int = 400) -> list[float]:
    won = round(share * seeds)
    return [1.0] * won + [0.0] * (seeds - won)


def test_a_share_is_a_difference_by_the_definition_of_elo():
    found = rate(2, {(0, 1): scored(0.75)}, DICE).difference(0, 1)
    assert found.elo == pytest.approx(190.8, abs=1)
    assert found.low < 165
    assert found.high > 215


def test_differences_add_up():
    ratings = rate(3, {(0, 1): scored(0.6), (1, 2): scored(0.6)}, DICE)
    steps = ratings.difference(0, 1).elo + ratings.difference(1, 2).elo
    assert ratings.difference(0, 2).elo == pytest.approx(steps)
    assert steps == pytest.approx(2 * 70.4, abs=1)


def test_all_pairs_count():
    """A cycle of equal wins makes equals."""
    ratings = rate(3, {(0, 1): scored(0.7), (1, 2): scored(0.7), (2, 0): scored(0.7)}, DICE)
    assert ratings.difference(0, 2).elo == pytest.approx(0, abs=1)


def test_who_never_wins_has_a_finite_rating():
    found = rate(2, {(0, 1): [1.0] * 50}, DICE).difference(0, 1)
    assert 600 < found.elo < 1200


def test_who_always_wins_may_have_been_lucky():
    few, many = (rate(2, {(0, 1): [1.0] * seeds}, DICE).difference(0, 1) for seeds in (40, 400))
    assert few.low < few.elo - 200
    assert few.low < many.low
    assert few.high == few.elo, "nothing bounds the rating from above"


def test_few_seeds_give_wide_intervals():
    few, many = (rate(2, {(0, 1): scored(0.5, seeds)}, DICE) for seeds in (20, 500))
    wide, narrow = (each.difference(0, 1) for each in (few, many))
    assert wide.high - wide.low > 3 * (narrow.high - narrow.low)
