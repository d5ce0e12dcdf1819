"""Smooth noisy estimates of a chance that changes from decision to decision.

The chance is a random walk that is seen through noise (a local level model, by Kalman's filter and
the smoother of Rauch, Tung and Striebel). How fast it walks is chosen by maximum likelihood, so a
quiet match gets a flat curve and a wild one keeps its jumps.
"""

from collections.abc import Sequence
from math import log
from typing import NamedTuple

PRIOR_MEAN, PRIOR_VARIANCE = 0.5, 1 / 12
"""Before any estimate each chance is equally likely."""
WALKS = (0.002, 0.006, 0.02, 0.06, 0.2, 0.6, 2.0)
"""Variances of the walk over the whole match, of which the likeliest is chosen."""


class Level(NamedTuple):
    """An estimate at a place, or the smoothed value there."""

    place: int
    mean: float
    variance: float


def smoothed(levels: Sequence[Level]) -> list[Level]:
    """Smooth estimates, which are in the order of their places."""
    if not levels:
        return []
    span = max(1, levels[-1].place - levels[0].place)
    walk = max((walk / span for walk in WALKS), key=lambda walk: _filtered(levels, walk)[1])
    filtered, _ = _filtered(levels, walk)
    found = [filtered[-1]]
    for known, later in zip(filtered[-2::-1], filtered[:0:-1], strict=True):
        predicted = known.variance + walk * (later.place - known.place)
        weight = known.variance / predicted
        after = found[-1]
        mean = known.mean + weight * (after.mean - known.mean)
        variance = known.variance + weight * weight * (after.variance - predicted)
        found.append(Level(known.place, mean, variance))
    return found[::-1]


def _filtered(levels: Sequence[Level], walk: float) -> tuple[list[Level], float]:
    """Return each level as known from those up to it, and the logarithm of the likelihood."""
    mean, variance, place = PRIOR_MEAN, PRIOR_VARIANCE, levels[0].place
    found: list[Level] = []
    likelihood = 0.0
    for level in levels:
        variance += walk * (level.place - place)
        spread = variance + level.variance
        surprise = level.mean - mean
        likelihood -= (log(spread) + surprise * surprise / spread) / 2
        weight = variance / spread
        mean += weight * surprise
        variance *= 1 - weight
        place = level.place
        found.append(Level(place, mean, variance))
    return found, likelihood
