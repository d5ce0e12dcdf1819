"""Tuning finds the same way from the same seeds, and changes nothing but numbers."""

import pytest

from tests.bench.tune import TUNABLE, Trial, numbers, spreads, with_numbers


@pytest.mark.parametrize("name", TUNABLE)
def test_weights_come_back_from_their_numbers(name):
    shipped = TUNABLE[name].weights
    found = numbers(shipped)
    assert len(spreads(shipped)) == len(found)
    assert with_numbers(shipped, iter(found)) == shipped
    doubled = with_numbers(shipped, iter([2 * number for number in found]))
    assert type(doubled) is type(shipped)
    assert numbers(doubled) == [2 * number for number in found]


@pytest.mark.parametrize("seed", [700_000, 700_001])
@pytest.mark.parametrize("name", ["ke_dnu", "tranquility-storms"])
def test_a_trial_can_be_repeated(name, seed):
    shipped = numbers(TUNABLE[name].weights)
    trial = Trial(name, shipped, [shipped], seed)
    gain = trial.gain()
    assert -1 <= gain <= 1
    assert gain == trial.gain()
