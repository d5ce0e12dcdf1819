"""Estimate what commands are worth to a seat, by paired playouts in the same worlds."""

from collections.abc import Sequence
from math import sqrt
from typing import Any

import msgspec

from games.chance import SEED_BYTES, Chance
from games.game import AnyGame, AtOnce, Illegal
from games.search.rollout import Stop, never, rollout, team_of
from games.search.worlds import Worlds

DRAWN_MAX = 32
"""Maximum number of worlds to sample until every candidate is legal in one."""


class Estimate(msgspec.Struct, frozen=True):
    """Share of games, between 0 and 1, that the seat's team wins after a command."""

    command: Any
    mean: float
    standard_error: float
    """Standard error of `mean`."""
    worlds: int
    gain: float
    """Mean difference to the first candidate, over the worlds in which both were played."""
    gain_error: float
    """Standard error of `gain`. Paired, so much smaller than that of a difference of means."""

    def beats_first(self, errors: float) -> bool:
        """Return whether the gain exceeds this number of standard errors."""
        return self.gain > 0 and self.gain > errors * self.gain_error


class Trials:
    """Playouts of some candidates in the same worlds.

    Each world follows from its index alone, so parts of them can be played anywhere, in any order.
    """

    def __init__(
        self,
        game: AnyGame,
        worlds: Worlds,
        seat: int,
        candidates: Sequence[Any],
        cancelled: Stop = never,
        first: int = 0,
        at_once: AtOnce | None = None,
    ) -> None:
        """Take the candidates, the blueprint's choice first, and the index of the first world.

        `at_once` plays all worlds together; else they are played one by one.
        """
        self._game = game
        self._worlds = worlds
        self._seat = seat
        self._cancelled = cancelled
        self._next = first
        self._play = at_once or self._one_by_one
        self.candidates = candidates
        self.won: list[list[float]] = [[] for _ in candidates]
        """By candidate: the team's share of the win in each world."""

    def extend(self, survivors: Sequence[int], worlds: int) -> None:
        """Play some candidates (by index) in further worlds, all from the same starts.

        Raises `Illegal` if no sampled world allows all candidates.
        """
        for at, won in zip(survivors, self._play(survivors, worlds), strict=True):
            self.won[at] += won

    def _one_by_one(self, survivors: Sequence[int], worlds: int) -> Sequence[Sequence[float]]:
        won: list[list[float]] = [[] for _ in survivors]
        for _ in range(worlds):
            number, start = self._start(self._next)
            self._next += 1
            for at, shares in zip(survivors, won, strict=True):
                shares.append(self._playout(start.copy(), at, number))
        return won

    def _start(self, index: int) -> tuple[int, Any]:
        """Sample a world; skip those that refuse a candidate, since they are not true."""
        refused = None
        for number in range(index * DRAWN_MAX, (index + 1) * DRAWN_MAX):
            start = self._worlds.sample(number)
            try:
                for command in self.candidates:
                    self._game.decide(start, self._seat, command, Chance(bytes(SEED_BYTES), 0))
            except Illegal as error:
                refused = error
            else:
                return number, start
        assert refused is not None, "a world is returned or refused"
        raise refused

    def _playout(self, state: Any, at: int, number: int) -> float:
        seed = self._worlds.seed(number)
        team = team_of(self._game, state, self._seat)
        self._game.step(state, self._seat, self.candidates[at], Chance(seed, 0))
        return rollout(self._game, state, seed, self._cancelled)[team]

    def mean(self, at: int) -> float:
        """Return a candidate's mean so far; 0.5 before its first playout."""
        won = self.won[at]
        return sum(won) / len(won) if won else 0.5

    def gains(self, at: int) -> list[float]:
        """Return a candidate's gains over the first, for each world in which both were played."""
        return [own - other for own, other in zip(self.won[at], self.won[0], strict=False)]

    def estimates(self) -> list[Estimate]:
        """Return the estimates, in the order of the candidates."""
        return [self._estimate(at) for at in range(len(self.candidates))]

    def _estimate(self, at: int) -> Estimate:
        won = self.won[at]
        mean, error = _mean_and_error(won)
        gain, gain_error = _mean_and_error(self.gains(at))
        return Estimate(self.candidates[at], mean, error, len(won), gain, gain_error)


def _mean_and_error(values: Sequence[float]) -> tuple[float, float]:
    """Return the mean and its standard error: 0.5 without any value, an error of 0.5 for one."""
    if not values:
        return 0.5, 0.5
    mean = sum(values) / len(values)
    if len(values) == 1:
        return mean, 0.5
    variance = sum((value - mean) ** 2 for value in values) / (len(values) - 1)
    return mean, sqrt(variance / len(values))
