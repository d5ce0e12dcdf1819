"""What a campaign of seeds must have seen: every fault, and every way to recover."""

from collections import Counter

from tests.simulation.faults import KINDS

RECOVERIES = (
    "acknowledged",
    "timeout",
    "failover",
    "lost by a failover",
    "answer lost on its way",
    "no answer: Killed",
    "refused: log-unavailable",
    "refused: not-your-turn",
    "stored although the answer was lost",
    "version taken by another process",
    "answered again under its key",
    "too few replicas",
    "predecessor lost",
    "rows built again",
    "rows taken over",
)


def expected() -> list[str]:
    """Return all that must be seen."""
    return [*(f"fault: {kind}" for kind in KINDS), *RECOVERIES]


def lacking(seen: Counter[str]) -> list[str]:
    """Return what was not seen."""
    return [one for one in expected() if not seen[one]]


def table(seen: Counter[str]) -> str:
    """Return how often each thing was seen."""
    return "\n".join(f"{seen[one]:8}  {one}" for one in sorted({*expected(), *seen}))
