"""Undo with the help of a solver: the best version to go back to.

For a crew whose game has a solver that is the last version from which the match could still be won, and the line that
wins; elsewhere the turning point, the decision with the largest loss that is no chance, judged from what its seat knew
then. Where a match still runs, everyone's consent opens the version alone: cards stay hidden.
"""

from collections.abc import Sequence
from typing import Literal

import msgspec

from games.game import Illegal
from games.match.model import Match
from games.match.viewers import own_number
from projections.folded import Viewer
from replay.analysis import COMMANDS, Mistake, analysable, as_mistake, nothing
from replay.judgement import Notice, judge, turning_point
from replay.rescue import Rescue, Sent, last_winnable, solvable


class Solved(msgspec.Struct, frozen=True, omit_defaults=True):
    """Where to go back to."""

    question: Literal["winnable", "turning-point"]
    outcome: Literal["won", "line", "proof", "not-shown", "decision", "no-single-decision"]
    to: int | None
    """The version to undo to, or to branch from; null if there is none."""
    line: Sequence[Sent] = ()
    """`line`: wins from there, by the rules. `decision`: the command that would have kept the most."""
    rescue: Rescue | None = None
    """How the last winnable version was found."""
    decision: Mistake | None = None
    """The decision that lost most."""


def solve(match: Match, head: str, commands: int = COMMANDS, notice: Notice = nothing) -> Solved:
    """Find the best version to go back to, in the log's numbers.

    `head` is the hash that all randomness follows from. Raises `Illegal`: `match-not-started`, `no-analysis`.
    """
    if match.state is None or not match.line:
        raise Illegal("match-not-started")
    if solvable(match):
        rescue = last_winnable(match, notice=notice)
        return Solved("winnable", rescue.outcome, rescue.to, rescue.line, rescue)
    analysable(match)
    turning = turning_point(judge(match, head, commands, notice))
    lost = None if turning is None else as_mistake(turning)
    if lost is None:
        return Solved("turning-point", "no-single-decision", None)
    better = [Sent(lost.seat, lost.better.command)]
    return Solved("turning-point", "decision", lost.v - 1, better, decision=lost)


def sealed(match: Match, solved: Solved, viewer: Viewer) -> Solved:
    """Give what those who have agreed may know: the version alone, as the viewer counts."""
    to = None if solved.to is None else own_number(match, viewer, solved.to)
    return Solved(solved.question, solved.outcome, to)


def agreed(match: Match, seat: int) -> bool:
    """Tell whether everyone has agreed to a solver, and the seat has been shown no move since.

    Moves that it isn't shown end nothing: the refusal would tell of them. The solver looks at the match as agreed.
    """
    shown = frozenset(match.shown[seat])
    later = (entry.version for entry in match.line if entry.version > match.solved)
    return match.solved > 0 and shown.isdisjoint(later)
