"""Find the best version to undo to.

For a cooperative match whose game has a solver, this is the last version from which the match
could still be won. Otherwise it is the version before the turning point: the decision with the
largest loss that whole games uphold, judged from the knowledge of its seat. While a match is
running and everybody has agreed to ask the solver, only the version is revealed, so that cards stay
hidden.
"""

from collections.abc import Sequence
from typing import Literal

import msgspec

from games.game import Illegal
from games.match.model import Match
from games.match.viewers import own_number
from projections.folded import Viewer
from replay.analysis import Mistake, as_mistake, require_analysable
from replay.judgement import judge, turning_point
from replay.playouts import Share, play_here
from replay.progress import OnProgress, ignore_progress
from replay.rescue import Rescue, Sent, last_winnable, solvable


class Solved(msgspec.Struct, frozen=True, omit_defaults=True):
    """The best version to undo to."""

    game: str
    question: Literal["winnable", "turning-point"]
    """Whether the last winnable version or the turning point was searched for."""
    outcome: Literal["won", "line", "proof", "not-shown", "decision", "no-single-decision"]
    to: int | None
    """The version to undo to, or to branch from. Null if there is none."""
    line: Sequence[Sent] = ()
    """For `line`: commands that win from `to` on. For `decision`: the best command instead."""
    rescue: Rescue | None = None
    """Details of the search for the last winnable version."""
    decision: Mistake | None = None
    """The decision that lost most."""


def solve(
    match: Match,
    head: str,
    commands: int,
    on_progress: OnProgress = ignore_progress,
    share: Share = play_here,
) -> Solved:
    """Find the best version of the log to undo to.

    `head` seeds all randomness. Raises `Illegal`: `match-not-started`, `no-analysis`.
    """
    if match.state is None or not match.line:
        raise Illegal("match-not-started")
    game = match.header.game
    if solvable(match):
        rescue = last_winnable(match, on_progress=on_progress)
        return Solved(game, "winnable", rescue.outcome, rescue.to, rescue.line, rescue)
    require_analysable(match)
    *_, judgements = judge(match, head, commands, on_progress, share)
    turning = turning_point(judgements)
    lost = None if turning is None else as_mistake(turning)
    if lost is None:
        return Solved(game, "turning-point", "no-single-decision", None)
    better = [Sent(lost.seat, lost.better.command)]
    return Solved(game, "turning-point", "decision", lost.v - 1, better, decision=lost)


def version_only(match: Match, solved: Solved, viewer: Viewer) -> Solved:
    """Reduce an answer to what players of a running match may know: outcome and version."""
    to = None if solved.to is None else own_number(match, viewer, solved.to)
    return Solved(solved.game, solved.question, solved.outcome, to)


def agreed(match: Match, seat: int) -> bool:
    """Return whether everybody has agreed to ask the solver, and the seat has seen no move since.

    Moves that are hidden from the seat do not end the agreement, because a refusal would reveal
    them. The solver analyses the match as of the agreement.
    """
    shown = frozenset(match.shown[seat])
    later = (entry.version for entry in match.line if entry.version > match.solved)
    return match.solved > 0 and shown.isdisjoint(later)
