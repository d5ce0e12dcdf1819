"""Shares from log-odds."""

from collections.abc import Sequence
from math import exp
from operator import mul


def shares_of(odds: Sequence[float]) -> list[float]:
    """Return each team's share of the win (softmax); the shares add up to 1."""
    most = max(odds)
    parts = [exp(own - most) for own in odds]
    total = sum(parts)
    return [part / total for part in parts]


def weighed(weights: Sequence[float], teams: Sequence[Sequence[float]]) -> list[float]:
    """Return each team's share of the win, if weights of what the teams have are log-odds."""
    return shares_of([sum(map(mul, weights, own)) for own in teams])
