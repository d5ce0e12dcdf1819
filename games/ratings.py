"""Elo ratings of several players from what they scored against each other.

Maximum likelihood (Bradley and Terry), with intervals from resampled seeds: the matches of a seed
belong together, so a seed is one score.
"""

from collections.abc import Mapping, Sequence
from math import log10
from typing import NamedTuple

from games.chance import Chance

RESAMPLES = 200
STEPS_MAX = 2_000
CLOSE_ENOUGH = 1e-6
ASSUMED = 0.5
"""Even score that is assumed for each pair, in seeds, so that no rating is infinite."""
UNSEEN = [1.0, 0.0]
"""Scores that are assumed to be possible, as if each had been seen on half a seed.

Without them, equal scores would resample to themselves, and the interval would have no width.
"""

Scores = Mapping[tuple[int, int], Sequence[float]]
"""By pair of players: the first one's score on each seed, 1 a win and 0 a loss."""


class Difference(NamedTuple):
    """How much stronger one player is than another (Elo), with the 95 % interval."""

    elo: float
    low: float
    high: float

    def __str__(self) -> str:
        """Return the difference with its interval in brackets."""
        return f"{self.elo:+.0f} ({self.low:+.0f} to {self.high:+.0f})"


class Ratings(NamedTuple):
    """Ratings of players, of which only differences count."""

    elo: Sequence[float]
    resampled: Sequence[Sequence[float]]
    """The same from resampled seeds."""

    def difference(self, player: int, other: int) -> Difference:
        """Return how much stronger a player is than another one."""
        drawn = sorted(each[player] - each[other] for each in self.resampled)
        tail = len(drawn) // 40
        return Difference(self.elo[player] - self.elo[other], drawn[tail], drawn[-1 - tail])


def rate(players: int, scores: Scores, chance: Chance) -> Ratings:
    """Rate players by all their scores. Every player needs at least one pair."""
    drawn = [
        _elo(players, {pair: _resampled(each, chance) for pair, each in scores.items()})
        for _ in range(RESAMPLES)
    ]
    return Ratings(_elo(players, scores), drawn)


def _resampled(scores: Sequence[float], chance: Chance) -> list[float]:
    possible = [*scores, *scores, *UNSEEN]
    return [chance.choice(possible) for _ in scores]


def _elo(players: int, scores: Scores) -> list[float]:
    """Return the ratings of greatest likelihood, by minorisation and maximisation (Hunter)."""
    won = [0.0] * players
    games: list[tuple[int, int, float]] = []
    for (first, second), each in scores.items():
        total = len(each) + ASSUMED
        own = sum(each) + ASSUMED / 2
        won[first] += own
        won[second] += total - own
        games.append((first, second, total))
    strengths = [1.0] * players
    for _ in range(STEPS_MAX):
        shares = [0.0] * players
        for first, second, total in games:
            share = total / (strengths[first] + strengths[second])
            shares[first] += share
            shares[second] += share
        found = [wins / share for wins, share in zip(won, shares, strict=True)]
        moved = max(abs(new / old - 1) for new, old in zip(found, strengths, strict=True))
        strengths = [strength / found[0] for strength in found]
        if moved < CLOSE_ENOUGH:
            break
    return [400 * log10(strength) for strength in strengths]
