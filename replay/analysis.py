"""Analyse a match: each team's chance of winning over time, split into decisions and luck.

An analysis also lists the decisions that lost most, each upheld by whole games. It is computed from
the log and the budget alone, so the same log and budget give the same bytes. Versions are those of
the log. Shares are shares of games won by the game's blueprint, so they predict bots, not people.
"""

from collections.abc import Iterator, Sequence
from math import hypot, sqrt

import msgspec

from games.game import Illegal
from games.match.model import Match
from games.search.paired import Verdict
from games.search.rollout import shares_of_winners
from games.wire import GameCommand
from replay.assessment import Comparison, Judgement, Label, Measured
from replay.judgement import judge, turning_point
from replay.playouts import Share, play_here
from replay.progress import OnProgress, ignore_progress
from replay.rescue import Rescue, last_winnable, solvable

FORMAT = 2
COMMANDS = 120_000
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
    """Chance of winning from the seat's knowledge, without the loss of this decision."""
    after: Band
    """Chance of winning from the same knowledge, with the command that was played. These are the
    values of the team's smoothed curve."""
    drawn: Band
    """Chance of winning when the team's next decision came, or the result of the match after the
    last. It includes what was drawn, and what the other teams did."""
    decision: float
    """Effect of the decision, if whole games uphold a loss. Otherwise 0."""
    decision_error: float
    """Standard error of `decision`. 0 if it was not compared with another command."""
    luck: float
    """Everything between this decision and the next: `drawn` less `after`."""
    luck_error: float
    """Standard error of `luck`. Luck of less than two standard errors may be none."""
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
    """A decision whose loss was upheld by whole games."""

    v: int
    """Version of the record. Undo to the version before it to avoid the mistake."""
    seat: int
    command: GameCommand
    """The command that was played."""
    label: Label
    """Size of the loss: `blunder` at least 15 of 100 games, `mistake` 10, `inaccuracy` 5."""
    better: Better


class ComparedDecision(msgspec.Struct, frozen=True):
    """A decision that parts from the bot's choice, and what a comparison by paired games showed."""

    v: int
    seat: int
    command: GameCommand
    """The command that was played."""
    better: Better
    """The bot's choice, and what it gains."""
    verdict: Verdict
    """`upheld`: whole games show the loss. `refuted`: whole games rule out a loss of 15 of 100
    games. `unclear`: neither was shown within the budget, so nobody is blamed."""
    apart: int
    """Number of worlds in which the two commands led to different results."""


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
    """Everything else that changed the chance: draws, dice, the other teams, and small losses of
    the seat's own. The first chance, what all seats of a team lost, and their luck add up to the
    result."""
    luck_error: float
    """Standard error of `luck`. Luck of less than two standard errors may be none."""


class UndoPoint(msgspec.Struct, frozen=True):
    """The last version at which a seat still had a chance of winning."""

    seat: int
    chance: float
    """The chance that was asked for, as a share of won games."""
    to: int | None
    """The version before the seat's decision, to undo to or to branch from. Null if the seat never
    had this chance."""
    had: Band | None
    """The chance of the seat's team there."""


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
    """The decision with the largest upheld loss. Null if there is none."""
    seats: Sequence[SeatSum]
    open_cards: Rescue | None
    """The solver's answer with all cards known, which no seat knew. Null without a solver."""
    compared: Sequence[ComparedDecision]
    """The decisions that part from the bot's choice, as far as they were compared."""
    complete: bool
    """Whether the budget is spent. A partial analysis is replaced by a more complete one."""


def require_analysable(match: Match) -> None:
    """Raise `Illegal` if a match cannot be analysed: `match-not-started`, `no-analysis`."""
    if match.state is None or not match.line:
        raise Illegal("match-not-started")
    if match.game.players.blueprint is None:
        raise Illegal("no-analysis", game=match.game.slug)


def analyse(match: Match, head: str, commands: int = COMMANDS) -> Analysis:
    """Return the complete analysis of the effective line of a match.

    `head` seeds all randomness. Raises `Illegal`: `match-not-started`, `no-analysis`.
    """
    *_, last = analyses(match, head, commands)
    return last


def analyses(
    match: Match,
    head: str,
    commands: int,
    on_progress: OnProgress = ignore_progress,
    share: Share = play_here,
) -> Iterator[Analysis]:
    """Yield ever more complete analyses: first a curve, then one decision after another.

    Raises `Illegal` as `analyse` does.
    """
    require_analysable(match)
    found: Analysis | None = None
    for judgements in judge(match, head, commands, on_progress, share):
        found = _analysis(match, head, commands, judgements)
        yield found
    assert found is not None, "there is a first curve"
    rescue = last_winnable(match, LOOK) if solvable(match) else None
    yield msgspec.structs.replace(found, open_cards=rescue, complete=True)


def _analysis(match: Match, head: str, commands: int, judgements: Sequence[Judgement]) -> Analysis:
    game, header = match.game, match.header
    points = _points(match, judgements)
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
        points=points,
        mistakes=mistakes,
        turning_point=None if turning is None else as_mistake(turning),
        seats=_sums(match, judgements, points),
        open_cards=None,
        compared=[each for each in map(_compared, judgements) if each is not None],
        complete=False,
    )


def last_chance(analysis: Analysis, seat: int, chance: float) -> UndoPoint:
    """Find the seat's last decision before which its team still had this chance of winning."""
    own = [point for point in analysis.points if point.seat == seat]
    point = next((point for point in reversed(own) if point.before.mean >= chance), None)
    if point is None:
        return UndoPoint(seat, chance, None, None)
    return UndoPoint(seat, chance, point.v - 1, point.before)


def encode(analysis: Analysis) -> bytes:
    """Encode an analysis. Equal analyses give equal bytes."""
    return msgspec.json.encode(analysis, order="deterministic")


def _points(match: Match, judgements: Sequence[Judgement]) -> list[Point]:
    following: dict[int, Measured] = {}
    if match.ending is not None:
        won = shares_of_winners(match.game.teams(match.state), match.ending.winners)
        following = {team: Measured(share, 0.0, 0) for team, share in enumerate(won)}
    points: list[Point] = []
    for judgement in reversed(judgements):
        before, drawn = _before(judgement), following.get(judgement.team, judgement.chance)
        points.append(_point(judgement, before, drawn))
        following[judgement.team] = before
    return points[::-1]


def _point(judgement: Judgement, before: Measured, drawn: Measured) -> Point:
    decision, after, compared = judgement.decision, judgement.chance, judgement.comparison
    return Point(
        v=decision.v,
        seat=decision.seat,
        team=judgement.team,
        before=_band(before),
        after=_band(after),
        drawn=_band(drawn),
        decision=_rounded(-_lost(judgement).mean),
        decision_error=_rounded(0.0 if compared is None else compared.tested.error),
        luck=_rounded(drawn.mean - after.mean),
        luck_error=_rounded(0.0 if drawn is after else hypot(after.error, drawn.error)),
        worlds=after.worlds,
    )


def _lost(judgement: Judgement) -> Measured:
    """Return the upheld loss of a decision, or 0 without an error."""
    compared = judgement.comparison
    if compared is None or compared.label is None:
        return Measured(0.0, 0.0, 0)
    return Measured(compared.tested.gain, compared.tested.error, compared.tested.pairs)


def _before(judgement: Judgement) -> Measured:
    after, lost = judgement.chance, _lost(judgement)
    mean, error = min(1.0, after.mean + lost.mean), hypot(after.error, lost.error)
    return Measured(mean, error, after.worlds)


def _band(measured: Measured) -> Band:
    mean, reach = measured.mean, ERRORS * measured.error
    return Band(_rounded(mean), _rounded(max(0.0, mean - reach)), _rounded(min(1.0, mean + reach)))


def as_mistake(judgement: Judgement) -> Mistake | None:
    """Convert a judgement to a mistake. Returns None unless the loss was upheld."""
    decision, compared = judgement.decision, judgement.comparison
    if compared is None or compared.label is None:
        return None
    better = _better(compared)
    return Mistake(decision.v, decision.seat, decision.command, compared.label, better)


def _compared(judgement: Judgement) -> ComparedDecision | None:
    decision, compared = judgement.decision, judgement.comparison
    if compared is None:
        return None
    return ComparedDecision(
        v=decision.v,
        seat=decision.seat,
        command=decision.command,
        better=_better(compared),
        verdict=compared.tested.verdict,
        apart=compared.tested.apart,
    )


def _better(compared: Comparison) -> Better:
    test = compared.tested
    return Better(compared.better, _rounded(test.gain), _rounded(test.error), test.pairs)


def _sums(match: Match, judgements: Sequence[Judgement], points: Sequence[Point]) -> list[SeatSum]:
    sums: list[SeatSum] = []
    teams = match.game.teams(match.state)
    for seat in range(match.header.seats):
        team = next(index for index, team in enumerate(teams) if seat in team)
        own = [judgement for judgement in judgements if judgement.decision.seat == seat]
        mates = [judgement for judgement in judgements if judgement.team == team]
        labels = [each.comparison.label for each in own if each.comparison is not None]
        sums.append(
            SeatSum(
                seat=seat,
                team=team,
                decisions=len(own),
                blunders=labels.count("blunder"),
                mistakes=labels.count("mistake"),
                inaccuracies=labels.count("inaccuracy"),
                lost=_rounded(sum(_lost(judgement).mean for judgement in own)),
                luck=_rounded(sum(point.luck for point in points if point.seat == seat)),
                luck_error=_rounded(_luck_error(mates, seat, ended=match.ending is not None)),
            )
        )
    return sums


def _luck_error(mates: Sequence[Judgement], seat: int, *, ended: bool) -> float:
    """Return the standard error of a seat's luck.

    Luck is a sum of differences between one decision of the team and the next. Chances in the
    middle therefore cancel out, unless the next decision was that of another seat.
    """
    variance, carried = 0.0, False
    for place, judgement in enumerate(mates, start=1):
        own = judgement.decision.seat == seat and (ended or place < len(mates))
        if carried != own:
            variance += judgement.chance.error**2
        if carried:
            variance += _lost(judgement).error ** 2
        carried = own
    return sqrt(variance)


def _rounded(share: float) -> float:
    return round(share, 4) + 0.0
