"""Analyse a match: each team's chance of winning over time, split into decisions and luck.

An analysis also lists the decisions that lost most. It is computed from the log and the budget
alone, so the same log and budget give the same bytes. Versions are those of the log. Shares are
shares of games won by the game's blueprint, so they predict bots, not people.
"""

from collections.abc import Sequence

import msgspec

from games.game import Illegal
from games.match.model import Match
from games.wire import GameCommand
from replay.judgement import Judgement, Label, Measured, judge, turning_point
from replay.progress import OnProgress, ignore_progress
from replay.rescue import Rescue, last_winnable, solvable

FORMAT = 1
COMMANDS = 225_000
"""Budget of an analysis: number of commands played. Slow games count more (`Blueprint.cost`)."""
LOOK = 40_000
"""Maximum number of positions per search for `open_cards`: a third of the budget of `solve`."""
ERRORS = 2
"""Half the width of a band, in standard errors."""


class Band(msgspec.Struct, frozen=True):
    """A share of won games, with two standard errors on either side."""

    mean: float
    low: float
    high: float


class Point(msgspec.Struct, frozen=True):
    """One decision on the curve of the team that made it."""

    v: int
    seat: int
    team: int
    """Index into `teams`."""
    before: Band
    """Chance of winning from the seat's knowledge, if it had played like the blueprint."""
    after: Band
    """Chance of winning from the same knowledge, with the command that was played."""
    drawn: Band
    """Chance of winning from the knowledge after the record, which includes what was drawn."""
    decision: float
    """Effect of the decision. 0 if the blueprint would have played the same command."""
    decision_error: float
    """Standard error of `decision`. Before and after are played in the same worlds and dice."""
    luck: float
    """Effect of the draw: `drawn` less `after`."""
    worlds: int
    """Number of sampled worlds."""


class Better(msgspec.Struct, frozen=True):
    """A better command than the one played, estimated over fresh worlds."""

    command: GameCommand
    gain: float
    """Additional share of games won."""
    error: float
    """Standard error of the gain."""
    worlds: int
    """Number of sampled worlds."""


class Mistake(msgspec.Struct, frozen=True):
    """A decision with a significant loss: at least two standard errors."""

    v: int
    """Version of the record. Undo to the version before it to avoid the mistake."""
    seat: int
    command: GameCommand
    """The command that was played."""
    label: Label
    """Size of the loss: `blunder` at least 15 of 100 games, `mistake` 10, `inaccuracy` 5."""
    better: Better


class SeatSum(msgspec.Struct, frozen=True):
    """Totals over the assessed decisions of a seat."""

    seat: int
    team: int
    decisions: int
    blunders: int
    mistakes: int
    inaccuracies: int
    lost: float
    """Share of games lost by blunders, mistakes and inaccuracies together."""
    luck: float


class Analysis(msgspec.Struct, frozen=True):
    """The analysis of a match."""

    format: int
    match: str
    game: str
    rules: int
    version: int
    head: str
    """Hash of the last record. Together with the budget it identifies the analysis."""
    commands: int
    """The budget: number of commands played."""
    teams: Sequence[Sequence[int]]
    winners: Sequence[int] | None
    """Winning seats. Null if the match has no result."""
    points: Sequence[Point]
    mistakes: Sequence[Mistake]
    turning_point: Mistake | None
    """The decision with the largest loss. Null if no single decision lost significantly."""
    seats: Sequence[SeatSum]
    open_cards: Rescue | None
    """The solver's answer with all cards known, which no seat knew. Null without a solver."""


def require_analysable(match: Match) -> None:
    """Raise `Illegal` if a match cannot be analysed: `match-not-started`, `no-analysis`."""
    if match.state is None or not match.line:
        raise Illegal("match-not-started")
    if match.game.players.blueprint is None:
        raise Illegal("no-analysis", game=match.game.slug)


def analyse(
    match: Match, head: str, commands: int = COMMANDS, on_progress: OnProgress = ignore_progress
) -> Analysis:
    """Analyse the effective line of a match.

    `head` seeds all randomness. Raises `Illegal`: `match-not-started`, `no-analysis`.
    """
    require_analysable(match)
    game, header = match.game, match.header
    judgements = judge(match, head, commands, on_progress)
    mistakes = [mistake for mistake in map(as_mistake, judgements) if mistake is not None]
    turning = turning_point(judgements)
    return Analysis(
        format=FORMAT,
        match=header.match,
        game=header.game,
        rules=header.rules,
        version=match.version,
        head=head,
        commands=commands,
        teams=[sorted(team) for team in game.teams(match.state)],
        winners=None if match.ending is None else list(match.ending.winners),
        points=[_point(judgement) for judgement in judgements],
        mistakes=mistakes,
        turning_point=None if turning is None else as_mistake(turning),
        seats=_sums(match, judgements, mistakes),
        open_cards=last_winnable(match, LOOK) if solvable(match) else None,
    )


def encode(analysis: Analysis) -> bytes:
    """Encode an analysis. Equal analyses give equal bytes."""
    return msgspec.json.encode(analysis, order="deterministic")


def _point(judgement: Judgement) -> Point:
    decision, effect = judgement.decision, judgement.effect
    return Point(
        v=decision.v,
        seat=decision.seat,
        team=judgement.team,
        before=_band(judgement.before),
        after=_band(judgement.after),
        drawn=_band(judgement.drawn),
        decision=_rounded(effect.mean),
        decision_error=_rounded(effect.error),
        luck=_rounded(_luck(judgement)),
        worlds=judgement.after.worlds,
    )


def _band(measured: Measured) -> Band:
    mean, reach = measured.mean, ERRORS * measured.error
    return Band(_rounded(mean), _rounded(max(0.0, mean - reach)), _rounded(min(1.0, mean + reach)))


def as_mistake(judgement: Judgement) -> Mistake | None:
    """Convert a judgement to a mistake. Returns None if the decision was not a mistake."""
    loss, decision = judgement.loss, judgement.decision
    if loss is None or loss.label is None:
        return None
    best = loss.estimate
    better = Better(best.command, _rounded(best.gain), _rounded(best.gain_error), best.worlds)
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
                team=next(index for index, team in enumerate(teams) if seat in team),
                decisions=len(own),
                blunders=labels.count("blunder"),
                mistakes=labels.count("mistake"),
                inaccuracies=labels.count("inaccuracy"),
                lost=_rounded(sum(mistake.better.gain for mistake in wrong)),
                luck=_rounded(sum(_luck(judgement) for judgement in own)),
            )
        )
    return sums


def _luck(judgement: Judgement) -> float:
    return judgement.drawn.mean - judgement.after.mean


def _rounded(share: float) -> float:
    return round(share, 4) + 0.0
