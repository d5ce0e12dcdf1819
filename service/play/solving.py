"""How players fare at puzzles: a rating, and the days in a row on which the daily one was solved.

A puzzle is an opponent of fixed strength in the model that rates matches. Only the first attempt at
each puzzle is rated, and only the first of a day at the daily puzzle counts for the days in a row.
"""

from collections.abc import Collection

from msgspec.structs import replace

from projections.standings import MODEL
from replay.puzzle import Puzzle
from service.play.player_record import Solving

EASIEST = 15.0
"""Mean of the strength of a puzzle without any difficulty; each bit adds one."""
SIGMA = 2.0
"""Standard deviation of the strength of a puzzle."""


def rating_of(solving: Solving) -> float:
    """Return the rating, as in the standings: three standard deviations below the mean."""
    return max(0.0, solving.mu - 3.0 * solving.sigma)


def streak_of(solving: Solving, today: int) -> int:
    """Return the number of days in a row. Today's puzzle may still be to solve."""
    return solving.streak if solving.day >= today - 1 else 0


def attempted(
    before: Solving,
    puzzle: Puzzle,
    today: int,
    *,
    solved: bool,
    is_daily: bool,
    known: Collection[str],
) -> Solving:
    """Return the record after a puzzle was solved or failed.

    `known` are the ids of all puzzles: those that no longer exist are forgotten.
    """
    after = before
    if puzzle.data.id not in before.tried:
        player = MODEL.rating(before.mu, before.sigma)
        opponent = MODEL.rating(EASIEST + puzzle.data.bits, SIGMA)
        ((rated,), _) = MODEL.rate([[player], [opponent]], ranks=[2 - solved, 1 + solved])
        after = replace(
            after,
            mu=rated.mu,
            sigma=rated.sigma,
            solved=before.solved + solved,
            tried=(*(one for one in before.tried if one in known), puzzle.data.id),
        )
    if is_daily and before.day != today:
        streak = streak_of(before, today) + 1 if solved else 0
        after = replace(after, streak=streak, best=max(before.best, streak), day=today)
    return after
