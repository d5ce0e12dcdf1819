"""A match analysed: each team's curve of winning, decision and luck apart, and the decisions that lost most.

Everything follows from the log and the budget: equal questions have equal bytes. Versions are the log's. Shares are of
games between the game's blueprints, and predict their play, not that of people.
"""

from collections.abc import Sequence
from typing import Any

import msgspec

from games.game import Illegal
from games.match.model import Match
from projections.views import result
from replay.judgement import Judgement, Label, Measured, Notice, judge, turning_point
from replay.rescue import Rescue, last_winnable, solvable

FORMAT = 1
COMMANDS = 225_000
"""Commands that are played for one analysis; a slow game's count more (`Blueprint.cost`)."""
LOOK = 40_000
"""Positions of one look with open cards: a third of what is given to the question alone."""
ERRORS = 2
"""Standard errors from the middle of a band to its edge."""


class Band(msgspec.Struct, frozen=True):
    """A share of won games, and two standard errors either way."""

    mean: float
    low: float
    high: float


class Point(msgspec.Struct, frozen=True):
    """One decision on the curve of the team that took it."""

    v: int
    seat: int
    team: int
    """Index into `teams`."""
    before: Band
    """With what the seat knew, had it played as the blueprint would."""
    after: Band
    """With the same knowledge, and what it did play."""
    drawn: Band
    """With what it knew once the record was there: `after` and the luck of the draw."""
    decision: float
    """What the decision changed; 0 where the blueprint would have done the same."""
    decision_error: float
    """Its standard error: before and after share worlds and dice."""
    luck: float
    worlds: int


class Better(msgspec.Struct, frozen=True):
    """What would have been better than what was played, over fresh worlds."""

    command: Any
    gain: float
    error: float
    """The gain's standard error."""
    worlds: int


class Mistake(msgspec.Struct, frozen=True):
    """A decision that lost much: no less than two standard errors, and named by its size."""

    v: int
    """Of its record: the version before it is the last at which all was still to be had."""
    seat: int
    command: Any
    label: Label
    """`blunder`: at least 15 of 100 games; `mistake`: 10; `inaccuracy`: 5."""
    better: Better


class SeatSum(msgspec.Struct, frozen=True):
    """A seat's decisions, in sum over those that were looked at."""

    seat: int
    team: int
    decisions: int
    blunders: int
    mistakes: int
    inaccuracies: int
    lost: float
    """By blunders, mistakes and inaccuracies."""
    luck: float


class Analysis(msgspec.Struct, frozen=True):
    """What there is to say of a match."""

    format: int
    match: str
    game: str
    rules: int
    version: int
    head: str
    """Hash of the last record: with the budget it names the analysis."""
    commands: int
    """The budget: commands that were played for it."""
    teams: Sequence[Sequence[int]]
    winners: Sequence[int] | None
    """Seats; null where there is no result."""
    points: Sequence[Point]
    mistakes: Sequence[Mistake]
    turning_point: Mistake | None
    """The largest loss; null: no single decision, it was luck, or many small things."""
    seats: Sequence[SeatSum]
    open_cards: Rescue | None
    """With all cards known: another question, which nobody at the table could answer. Only for a crew with a solver."""


def nothing(_done: int, _total: int) -> None:
    """Tell nobody how far it is."""


def analysable(match: Match) -> None:
    """Raise `Illegal` where there is nothing to analyse."""
    if match.state is None or not match.line:
        raise Illegal("match-not-started")
    if match.game.players.blueprint is None:
        raise Illegal("no-analysis", game=match.game.slug)


def analyse(
    match: Match, head: str, commands: int = COMMANDS, notice: Notice = nothing
) -> Analysis:
    """Analyse the effective line of a match; raises `Illegal` (`match-not-started`, `no-analysis`)."""
    analysable(match)
    game, header = match.game, match.header
    judgements = judge(match, head, commands, notice)
    mistakes = [told for told in map(as_mistake, judgements) if told is not None]
    turning = turning_point(judgements)
    ending = result(match)
    return Analysis(
        format=FORMAT,
        match=header.match,
        game=header.game,
        rules=header.rules,
        version=match.version,
        head=head,
        commands=commands,
        teams=[sorted(team) for team in game.teams(match.state)],
        winners=None if ending is None else list(ending.winners),
        points=[_point(judgement) for judgement in judgements],
        mistakes=mistakes,
        turning_point=None if turning is None else as_mistake(turning),
        seats=_sums(match, judgements, mistakes),
        open_cards=last_winnable(match, LOOK) if solvable(match) else None,
    )


def encode(analysis: Analysis) -> bytes:
    """Give the one encoding of an analysis."""
    return msgspec.json.encode(analysis, order="deterministic")


def _point(judgement: Judgement) -> Point:
    decision, effect = judgement.decision, judgement.effect
    luck = judgement.drawn.mean - judgement.after.mean
    return Point(
        v=decision.v,
        seat=decision.seat,
        team=judgement.team,
        before=_band(judgement.before),
        after=_band(judgement.after),
        drawn=_band(judgement.drawn),
        decision=_rounded(effect.mean),
        decision_error=_rounded(effect.error),
        luck=_rounded(luck),
        worlds=judgement.after.worlds,
    )


def _band(measured: Measured) -> Band:
    mean, reach = measured.mean, ERRORS * measured.error
    return Band(_rounded(mean), _rounded(max(0.0, mean - reach)), _rounded(min(1.0, mean + reach)))


def as_mistake(judgement: Judgement) -> Mistake | None:
    """Give a decision as a mistake; None if it was none."""
    loss, decision = judgement.loss, judgement.decision
    if loss is None or loss.label is None:
        return None
    its = loss.estimate
    better = Better(its.command, _rounded(its.gain), _rounded(its.gain_error), its.worlds)
    return Mistake(decision.v, decision.seat, decision.command, loss.label, better)


def _sums(
    match: Match, judgements: Sequence[Judgement], mistakes: Sequence[Mistake]
) -> list[SeatSum]:
    sums: list[SeatSum] = []
    teams = match.game.teams(match.state)
    for seat in range(match.header.seats):
        own = [judgement for judgement in judgements if judgement.decision.seat == seat]
        wrong = [mistake for mistake in mistakes if mistake.seat == seat]
        labels = [mistake.label for mistake in wrong]
        sums.append(
            SeatSum(
                seat=seat,
                team=next(at for at, team in enumerate(teams) if seat in team),
                decisions=len(own),
                blunders=labels.count("blunder"),
                mistakes=labels.count("mistake"),
                inaccuracies=labels.count("inaccuracy"),
                lost=_rounded(sum(mistake.better.gain for mistake in wrong)),
                luck=_rounded(sum(one.drawn.mean - one.after.mean for one in own)),
            )
        )
    return sums


def _rounded(share: float) -> float:
    return round(share, 4) + 0.0
