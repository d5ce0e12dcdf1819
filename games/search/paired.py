"""Test by paired games whether a command loses more games than another one.

Both are played in the same worlds with the same dice. Games are added until the loss is upheld or
refuted, so a clear case is decided early (a sequential probability ratio test of no loss against a
loss of `LOSS`). The test sees only counts, so the answer does not depend on a clock.
"""

from collections.abc import Sequence
from math import log, sqrt
from typing import Literal, NamedTuple

Verdict = Literal["upheld", "refuted", "unclear"]
"""`upheld`: the command loses games. `refuted`: a loss of `LOSS` is ruled out. `unclear`: neither
was shown within the budget."""

LOSS = 0.15
"""Loss that the test is to find, as a share of won games."""
WRONG, MISSED = 0.005, 0.1
"""Share of equal commands for which a loss is upheld, and of losses of `LOSS` that are refuted."""
UPHELD, REFUTED = log((1 - MISSED) / WRONG), log(MISSED / (1 - WRONG))
"""Bounds of the logarithm of the likelihood ratio."""
PAIRS_MIN = 16
"""Minimum number of pairs for a verdict."""
PAIRS_MAX = 320
"""Number of pairs after which an open case stays unclear."""


class Tested(NamedTuple):
    """The state of a test."""

    verdict: Verdict
    gain: float
    """Mean gain of the other command over the one played."""
    error: float
    """Standard error of `gain`."""
    pairs: int
    """Number of pairs of games."""
    apart: int
    """Number of pairs whose two games ended differently."""

    @property
    def decided(self) -> bool:
        """Whether more pairs would not change the verdict."""
        return self.verdict != "unclear" or self.pairs >= PAIRS_MAX


def paired_test(gains: Sequence[float]) -> Tested:
    """Test the gains of the other command, one for each pair."""
    pairs, total = len(gains), sum(gains)
    mean = total / pairs if pairs else 0.0
    # As if there had been two more pairs, with a variance of one half: never 0.
    variance = (sum(gain * gain for gain in gains) + 1) / (pairs + 2) - (total / (pairs + 2)) ** 2
    return Tested(
        _verdict(mean, variance, pairs),
        mean,
        sqrt(variance / (pairs + 2)),
        pairs,
        sum(gain != 0 for gain in gains),
    )


def _verdict(mean: float, variance: float, pairs: int) -> Verdict:
    if pairs < PAIRS_MIN:
        return "unclear"
    ratio = pairs * LOSS * (mean - LOSS / 2) / variance
    if ratio >= UPHELD:
        return "upheld"
    return "refuted" if ratio <= REFUTED else "unclear"
