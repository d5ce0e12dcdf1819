"""Tournaments between levels of bots. Every seed is played with all rotations of the seats."""

import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from math import log, sqrt
from typing import Any, NamedTuple

from games.chance import Chance
from games.game import AnyGame
from games.playout import play_bots, seed_of
from games.search.rollout import shares, team_of

Z = 1.96
"""For 95 %."""
SPRT_BOUND = log((1 - 0.05) / 0.05)
"""Wald's, with 5 % of either error."""


class Share(NamedTuple):
    """So much of so many."""

    hits: float
    games: int

    def wilson(self) -> tuple[float, float]:
        """Return the Wilson interval."""
        share, spread = self.hits / self.games, Z * Z / self.games
        middle = share + spread / 2
        half = Z * sqrt(share * (1 - share) / self.games + spread / (4 * self.games))
        return (middle - half) / (1 + spread), (middle + half) / (1 + spread)

    def __str__(self) -> str:
        low, high = self.wilson()
        return f"{100 * self.hits / self.games:.1f} ({100 * low:.1f} to {100 * high:.1f})"


class Pairing(NamedTuple):
    """One team of `level` against teams of `rival` at all other seats."""

    game: AnyGame
    level: str
    rival: str
    seats: int
    options: Any


class Tally(NamedTuple):
    """How a pairing went."""

    scores: Sequence[float]
    """By seed: the challenger's mean share of the win over all its seats."""
    rotations: int
    decision_us: Sequence[int]
    """Of the challenger, ascending: decisions with more than one legal command."""

    def share(self) -> Share:
        """Return the mean over the seeds.

        Rotations of a seed count once, which widens the interval.
        """
        return Share(sum(self.scores), len(self.scores))

    def likelihood(self, elo_low: float, elo_high: float) -> float:
        """Return the log-likelihood ratio of two strengths (generalised SPRT, normal)."""
        n = len(self.scores)
        mean = sum(self.scores) / n
        variance = max(sum((score - mean) ** 2 for score in self.scores) / n, 1e-6)
        low, high = _expected(elo_low), _expected(elo_high)
        return n * (high - low) * (2 * mean - low - high) / (2 * variance)


def _expected(elo: float) -> float:
    return 1 / (1 + 10 ** (-elo / 400))


def matches(pairing: Pairing, seeds: Sequence[int]) -> Iterator[tuple[float, int, list[int]]]:
    """Yield each seed's score, its rotations, and the challenger's decision times."""
    game, seats = pairing.game, pairing.seats
    for seed in seeds:
        teams = _teams(pairing, seed)
        times: list[int] = []
        timed = _timed(game, pairing.level, times)
        won = 0.0
        for team in teams:
            levels = ["challenger" if seat in team else pairing.rival for seat in range(seats)]
            final = play_bots(timed, seats, pairing.options, seed_of(seed), levels)
            won += shares(game, final)[team_of(game, final, min(team))]
        yield won / len(teams), len(teams), times


def _teams(pairing: Pairing, seed: int) -> list[frozenset[int]]:
    """Return the teams as they are after the set-up."""
    game, seats, options = pairing.game, pairing.seats, pairing.options
    state = game.initial(seats, options)
    for event in game.setup(seats, options, Chance(seed_of(seed), 1)):
        game.apply(state, event)
    return game.teams(state)


def tournament(pairing: Pairing, seeds: Sequence[int]) -> Tally:
    """Play a pairing over some seeds."""
    played = list(matches(pairing, seeds))
    times = sorted(us for _, _, taken in played for us in taken)
    return Tally([score for score, _, _ in played], played[0][1], times or [0])


def _timed(game: AnyGame, level: str, times: list[int]) -> AnyGame:
    """Return the game with the level "challenger", whose decisions are timed."""
    if level == "random":
        bot: Any = lambda view, seen, legal, chance: chance.choice(legal)  # noqa: E731
    else:
        bot = game.players.bots[level]

    def challenger(view: Any, seen: Any, legal: Sequence[Any], chance: Any) -> Any:
        began = time.process_time_ns()
        command = bot(view, seen, legal, chance)
        if len(legal) > 1:
            times.append((time.process_time_ns() - began) // 1000)
        return command

    bots = {**game.players.bots, "challenger": challenger}
    return replace(game, players=replace(game.players, bots=bots))
