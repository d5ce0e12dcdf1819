"""The best moments of a match, from its analysis."""

import pytest

from replay.analysis import Analysis, Band, Better, ComparedDecision, Point, SeatSum
from replay.best import BestMoment, best_moments


def band(mean: float, reach: float = 0.05) -> Band:
    return Band(mean, max(0.0, mean - reach), min(1.0, mean + reach))


def point(v: int, seat: int, chance: float, reach: float = 0.05) -> Point:
    shown = band(chance, reach)
    return Point(v, seat, seat, shown, shown, shown, 0.0, 0.0, 0.0, 0.0, 32)


def compared(v: int, seat: int, gain: float, error: float = 0.01) -> ComparedDecision:
    better = Better({"type": "pass"}, gain, error, 100)
    return ComparedDecision(v, seat, {"type": "draw"}, better, "refuted", 9)


def analysis(*points, winners=(0,), compared=(), teams=((0,), (1,))) -> Analysis:
    seats = [SeatSum(seat, seat, 1, 0, 0, 0, 0.0, 0.0, 0.0) for seat in (0, 1)]
    return Analysis(
        2, "m_1", "submarine", 1, 20, "ab", 1_000, teams, winners, points, (), None, seats, None,
        compared, complete=True,
    )  # fmt: skip


def test_a_win_from_a_slim_chance_is_a_comeback_from_the_slimmest():
    found = best_moments(analysis(point(4, 0, 0.5), point(6, 0, 0.12), point(8, 0, 0.2)))
    assert found == [BestMoment(0, 6, "comeback", 0.12)]


@pytest.mark.parametrize(
    "other",
    [
        analysis(point(6, 0, 0.12), winners=(1,)),
        analysis(point(6, 0, 0.12), winners=None),
        analysis(point(6, 0, 0.3)),
        analysis(point(6, 0, 0.2, reach=0.1)),
        analysis(),
    ],
    ids=["lost", "no-result", "not-slim", "uncertain", "no-decision"],
)
def test_a_loss_or_a_chance_that_may_be_fair_is_no_comeback(other):
    assert best_moments(other) == []


def test_a_crew_without_opponents_comes_back_from_a_third():
    crew = analysis(point(6, 1, 0.29), winners=(0, 1), teams=((0, 1),))
    assert best_moments(crew) == [BestMoment(1, 6, "comeback", 0.29)]


def test_a_find_gains_more_over_the_bot_than_chance_explains():
    chosen = (compared(5, 1, -0.06), compared(7, 1, -0.09), compared(9, 1, -0.2, error=0.15))
    assert best_moments(analysis(compared=chosen)) == [BestMoment(1, 7, "find", 0.09)]
    assert best_moments(analysis(compared=(compared(5, 0, 0.2), compared(7, 0, -0.04)))) == []
