"""Ratings and streaks of players at puzzles."""

from games import GAMES
from replay.puzzle import Puzzle, puzzles_of
from service.play.player_record import Solving
from service.play.solving import attempted, rating_of, streak_of

PUZZLES = puzzles_of(GAMES)
BY_BITS = sorted(PUZZLES.values(), key=lambda puzzle: puzzle.data.bits)
EASY, HARD = BY_BITS[0], BY_BITS[-1]
TODAY = 20_000


def after(
    before: Solving, puzzle: Puzzle, *, solved: bool, day: int = TODAY, is_daily: bool = False
) -> Solving:
    return attempted(before, puzzle, day, solved=solved, is_daily=is_daily, known=PUZZLES)


def test_a_hard_puzzle_solved_gains_more_and_an_easy_one_failed_costs_more():
    new = Solving()
    assert rating_of(new) == 0
    assert after(new, HARD, solved=True).mu > after(new, EASY, solved=True).mu > new.mu
    assert after(new, EASY, solved=False).mu < after(new, HARD, solved=False).mu < new.mu


def test_only_the_first_attempt_at_a_puzzle_is_rated():
    failed = after(Solving(), EASY, solved=False)
    assert failed.tried == (EASY.data.id,)
    assert after(failed, EASY, solved=True) == failed


def test_a_puzzle_that_no_longer_exists_is_forgotten():
    assert after(Solving(tried=("gone-1",)), EASY, solved=True).tried == (EASY.data.id,)


def test_the_streak_grows_by_one_a_day_and_ends_with_a_failure_or_a_gap():
    first = after(Solving(), EASY, solved=True, is_daily=True)
    assert (first.streak, first.best) == (1, 1)
    assert after(first, EASY, solved=False, is_daily=True) == first, "one attempt counts a day"
    second = after(first, HARD, solved=True, day=TODAY + 1, is_daily=True)
    assert (second.streak, second.best) == (2, 2)
    assert streak_of(second, TODAY + 2) == 2
    assert streak_of(second, TODAY + 3) == 0
    late = after(second, EASY, solved=True, day=TODAY + 3, is_daily=True)
    assert (late.streak, late.best) == (1, 2)
    failed = after(second, EASY, solved=False, day=TODAY + 2, is_daily=True)
    assert (failed.streak, failed.best) == (0, 2)


def test_a_daily_puzzle_that_was_solved_before_counts_for_the_streak_only():
    known = after(Solving(), EASY, solved=True)
    again = after(known, EASY, solved=True, day=TODAY + 1, is_daily=True)
    assert (again.streak, again.mu, again.solved) == (1, known.mu, 1)
