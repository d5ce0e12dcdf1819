"""Judge decisions: estimate the effect of each on the seat that made it, from its knowledge then.

An estimate is the share of games that the game's blueprint wins from there, in sampled worlds that
fit the seat's knowledge. The budget is counted in commands played, never in seconds, so the same
log and budget give the same bytes.
"""

from collections.abc import Callable, Iterable, Sequence
from functools import cached_property
from hashlib import sha256
from math import sqrt
from typing import Literal, NamedTuple

from games.chance import Chance
from games.game import AnyGame, Illegal
from games.match.model import Match
from games.search.evaluate import Estimate, Trials
from games.search.rollout import blueprint_of, rollout, team_of
from games.search.worlds import Worlds
from replay.decisions import Decision, Knowledge, decisions
from replay.progress import OnProgress

SCREENED_MAX = 100
"""Maximum number of decisions of a match that are assessed."""
SCREENED_MIN = 6
"""Number of decisions that are assessed even beyond the budget."""
CANDIDATES_MAX = 3
"""Number of commands compared at a decision: the one played, and the blueprint's best."""
STEP = 8
"""Number of worlds added at a time."""
WORLDS_MAX = 256
"""Maximum number of worlds per assessment."""
SUSPECTS_MAX = 10
"""Maximum number of suspected losses that are confirmed in fresh worlds."""
CONFIRMED_MIN = 32
"""Minimum number of fresh worlds for confirming a loss."""
SIGNIFICANT = 2.0
"""Minimum size of a loss (standard errors)."""
AFFORDED_SHARE, SCREEN_SHARE, CONFIRM_SHARE = 0.3, 0.45, 0.75
"""Shares of the budget after which no more decisions, no more worlds, and no more confirmations
are begun."""

Label = Literal["blunder", "mistake", "inaccuracy"]
LABELS: tuple[tuple[float, Label], ...] = (
    (0.15, "blunder"),
    (0.10, "mistake"),
    (0.05, "inaccuracy"),
)
"""Minimum loss of each label, as a share of won games."""
Purpose = Literal["screen", "confirm", "drawn"]


class Measured(NamedTuple):
    """A share of won games with its standard error."""

    mean: float
    error: float
    worlds: int


class Loss(NamedTuple):
    """The gain of a better command over the one played, in fresh worlds."""

    estimate: Estimate
    label: Label | None
    """None if the loss is too small or not significant."""


class Judgement(NamedTuple):
    """The judgement of one decision."""

    decision: Decision
    team: int
    before: Measured
    """Chance of winning with the blueprint's choice."""
    after: Measured
    """Chance of winning with the command that was played, from the same knowledge."""
    effect: Measured
    """`after` less `before`, in the same worlds. Its error is therefore smaller than theirs."""
    drawn: Measured
    """Chance of winning from the seat's knowledge after the record."""
    loss: Loss | None
    """None if no loss was confirmed."""


class Meter:
    """Counts played commands against a budget."""

    def __init__(self, budget: int, cost: int, on_progress: OnProgress) -> None:
        """Allow `budget` commands. Each command of the game counts as `cost` commands."""
        self.budget = budget // cost
        self.played = 0
        self._on_progress = on_progress

    def __call__(self) -> bool:
        """Count a command. Always returns False: a playout is never stopped halfway."""
        self.played += 1
        if self.played % 512 == 0:
            self._on_progress(min(self.played, self.budget), self.budget)
        return False

    def spent(self, share: float) -> bool:
        """Return whether a share of the budget is spent."""
        return self.played >= share * self.budget


class Assessment:
    """The assessment of one decision, in three steps: screen, confirm, draw."""

    def __init__(self, match: Match, head: str, decision: Decision, meter: Meter) -> None:
        """Start the assessment of a decision. `head` seeds all randomness."""
        self.decision = decision
        self._game: AnyGame = match.game
        self._head = head
        self._meter = meter
        before = decision.before
        ranking = blueprint_of(self._game).ranking(
            before.view, before.seen, decision.legal, self._chance("screen")
        )
        others = [command for command in ranking if command != decision.command]
        self.own_choice = ranking[0] == decision.command
        self.candidates = [decision.command, *others[: CANDIDATES_MAX - 1]]
        self.team = team_of(self._game, match.state, decision.seat)
        self._drawn: list[float] = []
        self.confirmed = 0
        """Number of fresh worlds so far."""

    @cached_property
    def _screen(self) -> Trials:
        worlds = self._worlds(self.decision.before, "screen")
        return Trials(self._game, worlds, self.decision.seat, self.candidates, self._meter)

    @cached_property
    def _confirm(self) -> Trials:
        best = max(self._better(), key=lambda estimate: estimate.gain)
        pair = [self.decision.command, best.command]
        fresh = self._worlds(self.decision.before, "confirm")
        return Trials(self._game, fresh, self.decision.seat, pair, self._meter)

    @cached_property
    def _after(self) -> Worlds:
        return self._worlds(self.decision.after, "drawn")

    def screen(self, worlds: int) -> None:
        """Compare all candidates in more worlds. Raises `Illegal` if the rules refuse a command."""
        self._screen.extend(range(len(self.candidates)), worlds)

    def suspicion(self) -> float:
        """Return the gain of the best other command, or 0 if no gain is likely."""
        return max((estimate.gain for estimate in self._better()), default=0.0)

    def _better(self) -> list[Estimate]:
        least = LABELS[-1][0]
        large = [estimate for estimate in self._screen.estimates()[1:] if estimate.gain >= least]
        return [estimate for estimate in large if estimate.gain >= estimate.gain_error]

    def confirm(self, worlds: int) -> None:
        """Compare the best other command with the one played, in more fresh worlds."""
        self._confirm.extend(range(2), worlds)
        self.confirmed += worlds

    def draw(self, worlds: int) -> None:
        """Play on from the seat's knowledge after the record, in more worlds."""
        for number in range(len(self._drawn), len(self._drawn) + worlds):
            state = self._after.sample(number)
            won = rollout(self._game, state, self._after.seed(number), self._meter)
            self._drawn.append(won[self.team])

    def judged(self) -> Judgement:
        """Return the judgement."""
        own, *others = self._screen.estimates()
        after = Measured(own.mean, banded(own.mean, own.worlds), own.worlds)
        before, effect = after, Measured(0.0, 0.0, own.worlds)
        if not self.own_choice:
            best = others[0]
            before = Measured(best.mean, banded(best.mean, best.worlds), best.worlds)
            effect = Measured(-best.gain, best.gain_error, best.worlds)
        return Judgement(
            self.decision, self.team, before, after, effect, measured(self._drawn), self._loss()
        )

    def _loss(self) -> Loss | None:
        if self.confirmed < CONFIRMED_MIN:
            return None
        estimate = self._confirm.estimates()[1]
        if not estimate.beats_first(SIGNIFICANT):
            return Loss(estimate, None)
        return Loss(estimate, label_of(estimate.gain))

    def _worlds(self, knowledge: Knowledge, purpose: Purpose) -> Worlds:
        return Worlds(self._game, knowledge.view, knowledge.seen, self._chance(purpose))

    def _chance(self, purpose: Purpose) -> Chance:
        return Chance(sha256(f"{self._head} {purpose}".encode()).digest(), self.decision.v)


def label_of(loss: float) -> Label | None:
    """Return the label for a loss of this size, or None if the loss is too small."""
    for least, label in LABELS:
        if loss >= least:
            return label
    return None


def measured(values: Sequence[float]) -> Measured:
    """Return the mean of some outcomes with its standard error."""
    mean = sum(values) / len(values) if values else 0.5
    return Measured(mean, banded(mean, len(values)), len(values))


def banded(mean: float, worlds: int) -> float:
    """Return a standard error that is never 0, after Agresti and Coull.

    It is computed as if one more game had been won, and one more lost.
    """
    share = (mean * worlds + 1) / (worlds + 2)
    return sqrt(share * (1 - share) / (worlds + 2))


def judge(match: Match, head: str, budget: int, on_progress: OnProgress) -> list[Judgement]:
    """Judge the decisions of a match in their order, within a budget of commands.

    If there are too many decisions, those that differ from the blueprint's choice take priority.
    """
    meter = Meter(budget, blueprint_of(match.game).cost, on_progress)
    assessments = _screen(_selected(match, head, meter), meter)
    _confirm(assessments, meter)
    assessments = _draw(assessments, meter)
    on_progress(meter.budget, meter.budget)
    return [assessment.judged() for assessment in assessments]


def turning_point(judgements: Iterable[Judgement]) -> Judgement | None:
    """Return the decision with the largest significant loss, or None if there is none."""
    lost = [judgement for judgement in judgements if judgement.loss and judgement.loss.label]
    return max(lost, key=_loss_of, default=None)


def _loss_of(judgement: Judgement) -> float:
    return 0.0 if judgement.loss is None else judgement.loss.estimate.gain


def _selected(match: Match, head: str, meter: Meter) -> list[Assessment]:
    assessments = [Assessment(match, head, decision, meter) for decision in decisions(match)]
    if len(assessments) <= SCREENED_MAX:
        return assessments
    differing = [assessment for assessment in assessments if not assessment.own_choice]
    same = [assessment for assessment in assessments if assessment.own_choice]
    first = _spread(differing, SCREENED_MAX * 3 // 4)
    rest = _spread(same, SCREENED_MAX - len(first))
    return sorted((*first, *rest), key=lambda assessment: assessment.decision.place)


def _spread(assessments: Sequence[Assessment], most: int) -> list[Assessment]:
    """Choose at most `most` assessments, evenly spread over the match."""
    if len(assessments) <= most:
        return list(assessments)
    return [assessments[index * len(assessments) // most] for index in range(most)]


def _screen(assessments: Sequence[Assessment], meter: Meter) -> list[Assessment]:
    """Screen as many decisions as the budget allows, spread over the match, then add worlds.

    If the rules refuse a command in a sampled world, the sampled worlds do not fit the match. The
    decision is then left out, here and in later steps.
    """
    kept: list[Assessment] = []
    for index in sorted(range(len(assessments)), key=_bits_reversed):
        if len(kept) >= SCREENED_MIN and meter.spent(AFFORDED_SHARE):
            break
        if _plays(assessments[index].screen, STEP):
            kept.append(assessments[index])
    kept.sort(key=lambda assessment: assessment.decision.place)
    worlds = STEP
    while kept and worlds < WORLDS_MAX and not meter.spent(SCREEN_SHARE):
        kept = [assessment for assessment in kept if _plays(assessment.screen, STEP)]
        worlds += STEP
    return kept


def _bits_reversed(number: int) -> int:
    """Return a sort key by which any first part of the numbers is spread over all of them."""
    return int(f"{number:016b}"[::-1], 2)


def _plays(step: Callable[[int], None], worlds: int) -> bool:
    """Run a step and return whether the rules accepted every command."""
    try:
        step(worlds)
    except Illegal:
        return False
    return True


def _confirm(assessments: Sequence[Assessment], meter: Meter) -> None:
    suspects = sorted(assessments, key=Assessment.suspicion, reverse=True)[:SUSPECTS_MAX]
    kept: list[Assessment] = []
    for assessment in suspects:
        suspected = assessment.suspicion() > 0 and not meter.spent(CONFIRM_SHARE)
        if suspected and _plays(assessment.confirm, CONFIRMED_MIN):
            kept.append(assessment)
    worlds = CONFIRMED_MIN
    while kept and worlds < WORLDS_MAX and not meter.spent(CONFIRM_SHARE):
        kept = [assessment for assessment in kept if _plays(assessment.confirm, STEP)]
        worlds += STEP


def _draw(assessments: Sequence[Assessment], meter: Meter) -> list[Assessment]:
    kept, worlds = list(assessments), 0
    while kept and worlds < WORLDS_MAX and not (worlds and meter.spent(1)):
        kept = [assessment for assessment in kept if _plays(assessment.draw, STEP)]
        worlds += STEP
    return kept
