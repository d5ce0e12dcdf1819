"""A failed run is reduced to the faults that it takes."""

from collections import Counter

import pytest

from tests.simulation import shrink
from tests.simulation.faults import Fault
from tests.simulation.world import Outcome

FAULTS = [Fault(float(at), "kill", "service-0") for at in range(8)]


def came_to(faults, broken):
    return Outcome(7, faults, broken, at=1.0, steps=1, records=1, trace=1, seen=Counter())


@pytest.mark.parametrize("needed", [(), (3,), (2, 7), (0, 4, 5)])
def test_only_the_faults_that_break_a_promise_together_are_left(monkeypatch, needed):
    culprits = [FAULTS[place] for place in needed]

    def simulate(seed, faults):
        assert seed == 7
        return came_to(faults, "broken" if all(one in faults for one in culprits) else "")

    monkeypatch.setattr(shrink, "simulate", simulate)
    assert shrink.shrink(came_to(FAULTS, "broken")) == culprits
