"""Judge decisions: what each was worth to the seat that took it, from what that seat knew then.

All estimates are shares of games that the game's blueprint wins from there, in worlds that fit the seat's knowledge.
Work is counted in commands that are played, never in seconds: the same log and budget give the same bytes.
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

SCREENED_MAX = 100
"""Decisions of a match that are looked at closely."""
SCREENED_MIN = 6
"""Decisions that are looked at whatever it takes."""
CANDIDATES_MAX = 3
"""Commands that are compared at a decision: what was played, and the best that the blueprint would."""
STEP = 8
"""Worlds that are added at a time."""
WORLDS_MAX = 256
"""Worlds in which one question is asked at most."""
SUSPECTS_MAX = 10
CONFIRMED_MIN = 32
"""Fresh worlds without which no loss is believed."""
SIGNIFICANT = 2.0
"""Standard errors."""
AFFORDED_SHARE, SCREEN_SHARE, CONFIRM_SHARE = 0.3, 0.45, 0.75
"""Parts of the budget after which no further decision is screened, none in more worlds, and none confirmed."""

Label = Literal["blunder", "mistake", "inaccuracy"]
LABELS: tuple[tuple[float, Label], ...] = (
    (0.15, "blunder"),
    (0.10, "mistake"),
    (0.05, "inaccuracy"),
)
"""The least loss of a label, as a share of won games."""
PURPOSES = Literal["screen", "confirm", "drawn"]

Notice = Callable[[int, int], None]
"""(done, of how many) -> nothing: how far a long computation is."""


class Measured(NamedTuple):
    """A share of won games, and its standard error."""

    mean: float
    error: float
    worlds: int


class Loss(NamedTuple):
    """What a better command would have won over the one played, in fresh worlds."""

    estimate: Estimate
    label: Label | None
    """None where it is too small, or may be chance."""


class Judgement(NamedTuple):
    """A decision, judged."""

    decision: Decision
    team: int
    before: Measured
    """With the blueprint's choice."""
    after: Measured
    """With the command that was played, from the same knowledge."""
    effect: Measured
    """`after` less `before`, over the same worlds: so its error is smaller than theirs."""
    drawn: Measured
    """From what the seat knew once the record was there."""
    loss: Loss | None


class Meter:
    """What has been played, of how much may be."""

    def __init__(self, budget: int, cost: int, notice: Notice) -> None:
        """Allow so many commands, of which each counts as `cost` of them."""
        self.budget = budget // cost
        self.played = 0
        self._notice = notice

    def __call__(self) -> bool:
        """Count a command; never asks to stop."""
        self.played += 1
        if self.played % 512 == 0:
            self._notice(min(self.played, self.budget), self.budget)
        return False

    def spent(self, share: float) -> bool:
        """Tell whether that part of the budget is spent."""
        return self.played >= share * self.budget


class Question:
    """One decision under judgement."""

    def __init__(self, match: Match, head: str, decision: Decision, meter: Meter) -> None:
        """Take a decision; `head` is the hash that all randomness follows from."""
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
        """Fresh worlds so far."""

    @cached_property
    def _screen(self) -> Trials:
        worlds = self._worlds(self.decision.before, "screen")
        return Trials(self._game, worlds, self.decision.seat, self.candidates, self._meter)

    @cached_property
    def _confirm(self) -> Trials:
        best = max(self._better(), key=lambda known: known.gain)
        pair = [self.decision.command, best.command]
        fresh = self._worlds(self.decision.before, "confirm")
        return Trials(self._game, fresh, self.decision.seat, pair, self._meter)

    @cached_property
    def _after(self) -> Worlds:
        return self._worlds(self.decision.after, "drawn")

    def screen(self, worlds: int) -> None:
        """Compare all candidates in so many further worlds; raises `Illegal` where the rules refuse a command."""
        self._screen.extend(range(len(self.candidates)), worlds)

    def suspicion(self) -> float:
        """Give how much better the best other command looked; 0 where it may well be none."""
        return max((known.gain for known in self._better()), default=0.0)

    def _better(self) -> list[Estimate]:
        least = LABELS[-1][0]
        found = [known for known in self._screen.estimates()[1:] if known.gain >= least]
        return [known for known in found if known.gain >= known.gain_error]

    def confirm(self, worlds: int) -> None:
        """Compare what looked best with what was played, in further fresh worlds."""
        self._confirm.extend(range(2), worlds)
        self.confirmed += worlds

    def draw(self, worlds: int) -> None:
        """Judge what the seat knew afterwards in so many further worlds."""
        for number in range(len(self._drawn), len(self._drawn) + worlds):
            state = self._after.sample(number)
            won = rollout(self._game, state, self._after.seed(number), self._meter)
            self._drawn.append(won[self.team])

    def judged(self) -> Judgement:
        """Conclude."""
        own, *others = self._screen.estimates()
        after = Measured(own.mean, banded(own.mean, own.worlds), own.worlds)
        before, effect = after, Measured(0.0, 0.0, own.worlds)
        if not self.own_choice:
            its = others[0]
            before = Measured(its.mean, banded(its.mean, its.worlds), its.worlds)
            effect = Measured(-its.gain, its.gain_error, its.worlds)
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

    def _worlds(self, knowledge: Knowledge, purpose: PURPOSES) -> Worlds:
        return Worlds(self._game, knowledge.view, knowledge.seen, self._chance(purpose))

    def _chance(self, purpose: PURPOSES) -> Chance:
        return Chance(sha256(f"{self._head} {purpose}".encode()).digest(), self.decision.v)


def label_of(loss: float) -> Label | None:
    """Name a loss by its size."""
    for least, label in LABELS:
        if loss >= least:
            return label
    return None


def measured(values: Sequence[float]) -> Measured:
    """Give the mean of some outcomes, and how sure it is."""
    mean = sum(values) / len(values) if values else 0.5
    return Measured(mean, banded(mean, len(values)), len(values))


def banded(mean: float, worlds: int) -> float:
    """Give a standard error that is never nothing: as if one more game had been won, and one lost (Agresti and Coull)."""
    share = (mean * worlds + 1) / (worlds + 2)
    return sqrt(share * (1 - share) / (worlds + 2))


def judge(match: Match, head: str, budget: int, notice: Notice) -> list[Judgement]:
    """Judge the decisions of a match, in its order; of many, those that part from the blueprint come first."""
    meter = Meter(budget, blueprint_of(match.game).cost, notice)
    questions = _screen(_chosen(match, head, meter), meter)
    _confirm(questions, meter)
    questions = _draw(questions, meter)
    notice(meter.budget, meter.budget)
    return [question.judged() for question in questions]


def turning_point(judgements: Iterable[Judgement]) -> Judgement | None:
    """Give the decision with the largest loss that is no chance; None if there is no single one."""
    lost = [one for one in judgements if one.loss is not None and one.loss.label is not None]
    return max(lost, key=_loss_of, default=None)


def _loss_of(judgement: Judgement) -> float:
    return 0.0 if judgement.loss is None else judgement.loss.estimate.gain


def _chosen(match: Match, head: str, meter: Meter) -> list[Question]:
    questions = [Question(match, head, decision, meter) for decision in decisions(match)]
    if len(questions) <= SCREENED_MAX:
        return questions
    parted = _spread([q for q in questions if not q.own_choice], SCREENED_MAX * 3 // 4)
    rest = _spread([q for q in questions if q.own_choice], SCREENED_MAX - len(parted))
    return sorted((*parted, *rest), key=lambda question: question.decision.place)


def _spread(questions: Sequence[Question], most: int) -> list[Question]:
    """Give at most so many, evenly over the match."""
    if len(questions) <= most:
        return list(questions)
    return [questions[at * len(questions) // most] for at in range(most)]


def _screen(questions: Sequence[Question], meter: Meter) -> list[Question]:
    """Screen as many as can be afforded, spread over the match; then add worlds.

    A question in whose worlds a command was refused is left out, here and later: they say nothing of what was played.
    """
    asked: list[Question] = []
    for at in sorted(range(len(questions)), key=_bits_reversed):
        if len(asked) >= SCREENED_MIN and meter.spent(AFFORDED_SHARE):
            break
        if _plays(questions[at].screen, STEP):
            asked.append(questions[at])
    asked.sort(key=lambda question: question.decision.place)
    worlds = STEP
    while asked and worlds < WORLDS_MAX and not meter.spent(SCREEN_SHARE):
        asked = [question for question in asked if _plays(question.screen, STEP)]
        worlds += STEP
    return asked


def _bits_reversed(number: int) -> int:
    """Order numbers so that every beginning of them is spread over all."""
    return int(f"{number:016b}"[::-1], 2)


def _plays(step: Callable[[int], None], worlds: int) -> bool:
    """Take a step; tell whether no world's rules refused what was played there."""
    try:
        step(worlds)
    except Illegal:
        return False
    return True


def _confirm(questions: Sequence[Question], meter: Meter) -> None:
    suspects = sorted(questions, key=Question.suspicion, reverse=True)[:SUSPECTS_MAX]
    asked: list[Question] = []
    for question in suspects:
        suspected = question.suspicion() > 0 and not meter.spent(CONFIRM_SHARE)
        if suspected and _plays(question.confirm, CONFIRMED_MIN):
            asked.append(question)
    worlds = CONFIRMED_MIN
    while asked and worlds < WORLDS_MAX and not meter.spent(CONFIRM_SHARE):
        asked = [question for question in asked if _plays(question.confirm, STEP)]
        worlds += STEP


def _draw(questions: Sequence[Question], meter: Meter) -> list[Question]:
    asked, worlds = list(questions), 0
    while asked and worlds < WORLDS_MAX and not (worlds and meter.spent(1)):
        asked = [question for question in asked if _plays(question.draw, STEP)]
        worlds += STEP
    return asked
