"""Judge decisions: which of them lost games, and how the chance of winning went.

The chance is the share of games that the game's blueprint wins, in sampled worlds that fit the
knowledge of the seat that decided. A decision is blamed only if whole games uphold the loss. The
budget is counted in commands played, never in seconds, so the same log and budget give the same
bytes.
"""

from collections.abc import Iterable, Iterator, Sequence

from games.match.model import Match
from games.search.rollout import blueprint_of, forecasting, value_error
from replay.assessment import Assessment, Judgement, Tally
from replay.playouts import Playouts, Share, Source, play_here
from replay.progress import OnProgress
from replay.smoothing import smoothed

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
