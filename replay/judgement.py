"""Judge decisions: which of them lost games, and how the chance of winning went.

The chance is the share of games that the game's blueprint wins, in sampled worlds that fit the
knowledge of the seat that decided. A decision is blamed only if whole games uphold the loss. The
budget is counted in commands played, never in seconds, so the same log and budget give the same
bytes.
"""

from collections.abc import Iterable, Iterator, Sequence
from math import sqrt
from typing import Any, Literal, NamedTuple

from games.match.model import Match
from games.search.paired import Tested, paired_test
from games.search.rollout import blueprint_of, forecasting, team_of, value_error
from replay.decisions import Decision
from replay.playouts import Batch, Played, Playouts, Purpose, Share, Source, play_here
from replay.progress import OnProgress
from replay.smoothing import Level, smoothed

FIRST, FIRST_WORLDS = 12, 4
"""Number of decisions from which the first curve is drawn, and worlds for each."""
SPREAD_MAX = 60
"""Maximum number of decisions that are assessed only for the curve."""
WORLDS_MAX = 32
"""Maximum number of worlds for the curve at a decision."""
DEPARTURES_MAX = 100
"""Maximum number of decisions that part from the blueprint's choice and are assessed."""
TESTED_AT_ONCE = 4
"""Number of departures that are tested without a comparison of which of them look worst."""
SCREENED = 4
"""Number of pairs of games that are added to a departure at a time, before it is tested."""
SCREENED_MAX = 16
"""Maximum number of these pairs."""
SHOWN_FIRST = 3
"""Number of departures that are compared before the judgements are shown."""
STEP = 8
"""Number of pairs that are added to a test at a time."""
FIRST_SHARE, SCREEN_SHARE, TEST_SHARE = 0.06, 0.3, 0.88
"""Shares of the budget after which the first curve, the comparison of departures, and the tests
are given up. The rest refines the curve."""
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


class Meter:
    """Counts played commands against a budget."""

    def __init__(self, budget: int, cost: int, on_progress: OnProgress) -> None:
        """Allow `budget` commands. Each command of the game counts as `cost` commands."""
        self.budget = budget // cost
        self.played = 0
        self._on_progress = on_progress

    def count(self, commands: int) -> None:
        """Count commands."""
        self.played += commands
        self._on_progress(min(self.played, self.budget), self.budget)

    def spent(self, share: float) -> bool:
        """Return whether a share of the budget is spent."""
        return self.played >= share * self.budget


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


def judge(
    match: Match,
    head: str,
    budget: int,
    on_progress: OnProgress,
    share: Share = play_here,
) -> Iterator[list[Judgement]]:
    """Yield ever more complete judgements of a match within a budget of commands.

    The first are enough for a curve. Then the decisions that part from the blueprint's choice are
    compared with it, and those that may lose most are tested by whole games. The last are complete.
    """
    meter = Meter(budget, blueprint_of(match.game).cost, on_progress)
    playouts = Playouts(match, head)
    judging = _Judging(match, playouts, share(playouts), meter)
    for _ in judging.steps():
        yield judging.judgements()
    on_progress(meter.budget, meter.budget)


def turning_point(judgements: Iterable[Judgement]) -> Judgement | None:
    """Return the decision with the largest upheld loss, or None if there is none."""
    lost = [judgement for judgement in judgements if _loss(judgement)]
    return max(lost, key=_loss, default=None)


def _loss(judgement: Judgement) -> float:
    comparison = judgement.comparison
    return 0.0 if comparison is None or comparison.label is None else comparison.tested.gain


class _Judging:
    """The assessments of a match, step by step."""

    def __init__(self, match: Match, playouts: Playouts, source: Source, meter: Meter) -> None:
        self._meter = meter
        self._source = source
        self._value_error = value_error(forecasting(match.game))
        self._all = [Assessment(match, playouts, index) for index in range(len(playouts.decisions))]
        self._departures = sorted(
            (assessment for assessment in self._all if assessment.departs),
            key=lambda assessment: -assessment.rank,
        )[:DEPARTURES_MAX]

    def steps(self) -> Iterator[None]:
        """Do one step of the work at a time."""
        self._draw_first_curve()
        yield
        yield from self._screen()
        yield from self._test()
        self._refine()
        yield

    def judgements(self) -> list[Judgement]:
        """Return the judgements so far, in the order of the match."""
        found: list[Judgement] = []
        assessed = [each for each in self._all if each.worlds and each.fits]
        for team in {assessment.team: None for assessment in assessed}:
            own = [assessment for assessment in assessed if assessment.team == team]
            levels = smoothed([assessment.level(self._value_error) for assessment in own])
            found += [
                assessment.judged(level) for assessment, level in zip(own, levels, strict=True)
            ]
        return sorted(found, key=lambda judgement: judgement.decision.place)

    def _play(self, assessment: Assessment, tally: Tally, worlds: int) -> None:
        """Play in more worlds. A decision that the sampled worlds do not fit is left out."""
        played = self._source.play(tally.next(worlds))
        tally.add(played)
        assessment.fits = assessment.fits and played.fits
        self._meter.count(played.commands)

    def _draw_first_curve(self) -> None:
        spread = _spread(self._all, FIRST)
        for worlds in range(FIRST_WORLDS):
            self._source.expect([each.curve.next(1) for each in spread])
            for assessment in spread:
                if worlds and self._meter.spent(FIRST_SHARE):
                    return
                self._play(assessment, assessment.curve, 1)

    def _screen(self) -> Iterator[None]:
        """Compare departures, and go on with the worse half until few are left."""
        suspects = list(self._departures)
        while len(suspects) > TESTED_AT_ONCE and suspects[0].pairs < SCREENED_MAX:
            self._source.expect([each.screen.next(SCREENED) for each in suspects])
            for count, assessment in enumerate(suspects, start=1):
                if self._meter.spent(SCREEN_SHARE):
                    return
                self._play(assessment, assessment.screen, SCREENED)
                if count == SHOWN_FIRST and assessment.pairs == SCREENED:
                    yield
            suspects = _worst(suspects)[: max(TESTED_AT_ONCE, len(suspects) // 2)]
            yield

    def _test(self) -> Iterator[None]:
        """Test the departure that may lose most at the time until the budget for it is spent.

        So a late decision, whose games are short, is not left out for a long test of an early one.
        """
        while not self._meter.spent(TEST_SHARE):
            suspects = _worst([each for each in self._departures if not each.tested.decided])
            if not suspects:
                return
            self._source.expect([each.test.next(STEP) for each in suspects[:TESTED_AT_ONCE]])
            self._test_further(suspects[0])
            yield

    def _test_further(self, assessment: Assessment) -> None:
        """Add pairs to the test of a departure, after a look at the chance there."""
        if not assessment.worlds:
            self._play(assessment, assessment.curve, FIRST_WORLDS)
        if assessment.fits:
            self._play(assessment, assessment.test, STEP)

    def _refine(self) -> None:
        """Spend the rest of the budget on the curve."""
        spread = _spread(self._all, SPREAD_MAX)
        for worlds in range(FIRST_WORLDS, WORLDS_MAX + 1, FIRST_WORLDS):
            coarse = [each for each in spread if each.fits and each.worlds < worlds]
            self._source.expect([each.curve.next(FIRST_WORLDS) for each in coarse])
            for assessment in coarse:
                if self._meter.spent(1):
                    return
                self._play(assessment, assessment.curve, FIRST_WORLDS)


def _worst(assessments: Sequence[Assessment]) -> list[Assessment]:
    fitting = [assessment for assessment in assessments if assessment.fits]
    return sorted(fitting, key=lambda assessment: -assessment.possible_loss)


def _spread(assessments: Sequence[Assessment], most: int) -> list[Assessment]:
    """Choose at most `most` assessments, evenly spread, in an order that is spread as well.

    The first and the last assessment are always among them.
    """
    count = min(most, len(assessments))
    places = [index * (len(assessments) - 1) // max(1, count - 1) for index in range(count)]
    order = sorted(range(count), key=_bits_reversed)
    return [assessments[places[index]] for index in order]


def _bits_reversed(number: int) -> int:
    """Return a sort key by which any first part of the numbers is spread over all of them."""
    return int(f"{number:016b}"[::-1], 2)
