"""Assess one decision: the playouts at it, and the judgement that follows from them."""

from collections.abc import Sequence
from math import sqrt
from typing import Any, Literal, NamedTuple

from games.match.model import Match
from games.search.paired import Tested, paired_test
from games.search.rollout import team_of
from replay.decisions import Decision
from replay.playouts import Batch, Played, Playouts, Purpose
from replay.smoothing import Level

DICE = 4
"""Number of times that the blueprint chooses with other dice: each choice could have been the
bot's."""

Label = Literal["blunder", "mistake", "inaccuracy"]
LABELS: tuple[tuple[float, Label], ...] = (
    (0.15, "blunder"),
    (0.10, "mistake"),
    (0.05, "inaccuracy"),
)
"""Minimum loss of each label, as a share of won games."""


class Measured(NamedTuple):
    """A share of won games with its standard error."""

    mean: float
    error: float
    worlds: int


class Comparison(NamedTuple):
    """The command that was played against the blueprint's choice."""

    better: Any
    """The blueprint's choice."""
    tested: Tested
    label: Label | None
    """None unless whole games uphold the loss."""


class Judgement(NamedTuple):
    """The judgement of one decision."""

    decision: Decision
    team: int
    chance: Measured
    """Chance of winning with the command that was played: a value of the smoothed curve."""
    comparison: Comparison | None
    """None if the blueprint would have played the same command, or if this was not compared."""


class Tally:
    """What was won so far at a decision for a purpose."""

    def __init__(self, decision: int, purpose: Purpose) -> None:
        """Start without any world. `decision` is its index among the decisions of the match."""
        self.won: list[list[float]] = [[], []]
        """By command, the one that was played first: the team's share of the win in each world."""
        self._decision = decision
        self._purpose: Purpose = purpose

    def next(self, worlds: int) -> Batch:
        """Return the batch of the next worlds."""
        return Batch(self._decision, self._purpose, len(self.won[0]), worlds)

    def add(self, played: Played) -> None:
        """Add a batch that was played."""
        for won, more in zip(self.won, played.won, strict=False):
            won.extend(more)

    @property
    def gains(self) -> list[float]:
        """The gain of the bot's choice in each world."""
        return [other - own for own, other in zip(*self.won, strict=False)]


class Assessment:
    """The playouts at one decision: for the curve, to find suspects, and to test them."""

    def __init__(self, match: Match, playouts: Playouts, index: int) -> None:
        """Start the assessment of a decision, by its index among those of the match."""
        self.decision = playouts.decisions[index]
        own, ranking = self.decision.command, playouts.ranking(index)
        self.team = team_of(match.game, match.state, self.decision.seat)
        self.better = ranking[0]
        self.departs = own != ranking[0] and all(
            own != playouts.ranking(index, dice)[0] for dice in range(1, DICE)
        )
        """Whether the blueprint would not have played the command, whatever its dice."""
        self.rank = ranking.index(own) if own in ranking else len(ranking)
        """Place of the command among those that the blueprint thinks worth a closer look."""
        self.fits = True
        """Whether the rules accepted every command in the sampled worlds."""
        self.curve = Tally(index, "curve")
        """Games from the decision on."""
        self.screen = Tally(index, "screen")
        """Pairs of games, also with the blueprint's choice, to see which departures look worst."""
        self.test = Tally(index, "test")
        """Pairs of whole games in fresh worlds."""

    @property
    def worlds(self) -> int:
        """Number of worlds that were played for the curve or to compare."""
        return len(self._won)

    @property
    def pairs(self) -> int:
        """Number of pairs of games by which the departure was compared with others."""
        return len(self.screen.gains)

    @property
    def possible_loss(self) -> float:
        """The loss that may still be there: the mean gain so far and one standard error.

        A test may be interrupted and resumed at any time: its verdict is no more often wrong.
        """
        found = paired_test([*self.screen.gains, *self.test.gains])
        return found.gain + found.error

    @property
    def tested(self) -> Tested:
        """The state of the test."""
        return paired_test(self.test.gains)

    def level(self, error: float) -> Level:
        """Return the unsmoothed chance. `error` is that of the value function."""
        found = measured(self._won)
        return Level(self.decision.place, found.mean, found.error**2 + error**2)

    def judged(self, level: Level) -> Judgement:
        """Return the judgement, with the smoothed chance."""
        chance = Measured(min(1.0, max(0.0, level.mean)), sqrt(level.variance), self.worlds)
        return Judgement(self.decision, self.team, chance, self._comparison())

    def _comparison(self) -> Comparison | None:
        test = self.tested
        if not test.pairs:
            gains = self.screen.gains
            if not gains:
                return None
            test = paired_test(gains)._replace(verdict="unclear")
        label = label_of(test.gain) if test.verdict == "upheld" else None
        return Comparison(self.better, test, label)

    @property
    def _won(self) -> list[float]:
        return [*self.curve.won[0], *self.screen.won[0]]


def label_of(loss: float) -> Label | None:
    """Return the label for a loss of this size, or None if the loss is too small."""
    for least, label in LABELS:
        if loss >= least:
            return label
    return None


def measured(values: Sequence[float]) -> Measured:
    """Return the mean of some shares with a standard error that is never 0.

    The error is computed as if one more game had been won, and one more lost (Agresti and Coull).
    """
    worlds = len(values)
    mean = sum(values) / worlds if worlds else 0.5
    middle = (sum(values) + 1) / (worlds + 2)
    squares = sum((value - middle) ** 2 for value in (*values, 0.0, 1.0))
    return Measured(mean, sqrt(squares) / (worlds + 2), worlds)
