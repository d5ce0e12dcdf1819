"""What each of a few commands is worth to a seat: paired playouts in the same worlds with the same dice."""

from collections.abc import Sequence
from math import sqrt
from typing import Any

import msgspec

from games.chance import SEED_BYTES, Chance
from games.game import AnyGame, Illegal, Seen
from games.search.rollout import Stop, never, play, rollout, team_of
from games.search.worlds import Worlds

DRAWN_MAX = 32
"""Worlds drawn for one in which every candidate is legal."""


class Estimate(msgspec.Struct, frozen=True):
    """A command's worth, between 0 and 1: the share of games that the seat's team wins after it."""

    command: Any
    mean: float
    standard_error: float
    """Of `mean`."""
    worlds: int
    gain: float
    """Mean difference to the first candidate over the worlds that both were played in."""
    gain_error: float
    """Standard error of `gain`: paired, and so much smaller than that of a difference of means."""

    def beats_first(self, errors: float) -> bool:
        """Say whether the gain exceeds so many standard errors."""
        return self.gain > 0 and self.gain > errors * self.gain_error


class Trials:
    """The playouts of some candidates in the same worlds, and what they show so far."""

    def __init__(
        self,
        game: AnyGame,
        worlds: Worlds,
        seat: int,
        candidates: Sequence[Any],
        cancelled: Stop = never,
    ) -> None:
        """Take the candidates, that of the blueprint first."""
        self._game = game
        self._worlds = worlds
        self._seat = seat
        self._cancelled = cancelled
        self._won: list[list[float]] = [[] for _ in candidates]
        self._drawn = 0
        self.candidates = candidates

    def extend(self, survivors: Sequence[int], worlds: int) -> None:
        """Play some candidates (by index) in so many further worlds, each from the same start.

        Raises `Illegal` where no world drawn allows all candidates.
        """
        for _ in range(worlds):
            number, start = self._start()
            for at in survivors:
                self._won[at].append(self._playout(start.copy(), at, number))

    def _start(self) -> tuple[int, Any]:
        """Draw the next world. All candidates are legal, so one that refuses any is not the true one: it is passed over."""
        refused = None
        for _ in range(DRAWN_MAX):
            number = self._drawn
            self._drawn += 1
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
        play(self._game, state, self._seat, self.candidates[at], seed)
        return rollout(self._game, state, seed, self._cancelled)[team]

    def mean(self, at: int) -> float:
        """Give a candidate's mean so far; 0.5 before its first playout."""
        won = self._won[at]
        return sum(won) / len(won) if won else 0.5

    def estimates(self) -> list[Estimate]:
        """Give what is known of each candidate, in their order."""
        return [self._estimate(at) for at in range(len(self.candidates))]

    def _estimate(self, at: int) -> Estimate:
        won, first = self._won[at], self._won[0]
        gains = [own - other for own, other in zip(won, first, strict=False)]
        mean, error = mean_and_error(won)
        gain, gain_error = mean_and_error(gains)
        return Estimate(self.candidates[at], mean, error, len(won), gain, gain_error)


def evaluate(
    game: AnyGame,
    view: Any,
    seen: Seen,
    seat: int,
    candidates: Sequence[Any],
    budget: int,
    chance: Chance,
    cancelled: Stop = never,
) -> list[Estimate]:
    """Estimate each candidate over the same worlds; `budget` counts the playouts of all of them together.

    Raises `Cancelled`.
    """
    trials = Trials(game, Worlds(game, view, seen, chance), seat, candidates, cancelled)
    trials.extend(range(len(candidates)), max(1, budget // len(candidates)))
    return trials.estimates()


def mean_and_error(values: Sequence[float]) -> tuple[float, float]:
    """Give a mean and its standard error; nothing known is 0.5, and one value as uncertain as can be."""
    if not values:
        return 0.5, 0.5
    mean = sum(values) / len(values)
    if len(values) == 1:
        return mean, 0.5
    variance = sum((value - mean) ** 2 for value in values) / (len(values) - 1)
    return mean, sqrt(variance / len(values))
