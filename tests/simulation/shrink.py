"""Leave out faults of a failed run while it still fails."""

from tests.simulation.faults import Fault
from tests.simulation.world import Outcome, simulate

TRIES_MAX = 60


def shrink(outcome: Outcome) -> list[Fault]:
    """Return faults of a failed run of which none can be left out."""
    faults, tries = list(outcome.faults), 0
    size = max(1, len(faults) // 2)
    while faults and tries < TRIES_MAX:
        for start in range(0, len(faults), size):
            fewer = faults[:start] + faults[start + size :]
            tries += 1
            if simulate(outcome.seed, fewer).broken:
                faults = fewer
                break
        else:
            if size == 1:
                break
            size = max(1, size // 2)
    return faults
