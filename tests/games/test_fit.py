"""A fit finds what decides matches, from positions and their results."""

import pytest

from games.chance import Chance
from games.playout import seed_of
from games.search.odds import weighed
from tests.bench.fit import FITTED, Position, fit, played, solved

TRUE = [1.5, -0.5]


def decided(count: int, teams: int) -> list[Position]:
    """Return positions of which the log-odds are known, with results drawn by them."""
    dice = Chance(seed_of(1), 1)
    positions: list[Position] = []
    for _ in range(count):
        features = [[dice.randbelow(9) / 4 - 1 for _ in TRUE] for _ in range(teams)]
        drawn = dice.randbelow(1 << 20) / (1 << 20)
        odds = weighed(TRUE, features)
        winner = sum(drawn >= sum(odds[: at + 1]) for at in range(teams - 1))
        came = [float(team == winner) for team in range(teams)]
        positions.append(Position(features, [1 / teams] * teams, came))
    return positions


@pytest.mark.parametrize("teams", [2, 4])
def test_a_fit_finds_the_log_odds(teams: int):
    assert fit(decided(2000, teams)) == pytest.approx(TRUE, abs=0.15)


def test_linear_equations_are_solved():
    assert solved([[4.0, 1.0, 0.0], [1.0, 3.0, 1.0], [0.0, 1.0, 2.0]], [6.0, 10.0, 8.0]) == (
        pytest.approx([1.0, 2.0, 3.0])
    )


@pytest.mark.parametrize("slug", FITTED)
def test_positions_have_the_features_of_each_team(slug: str):
    positions = played(slug, 2, 7)
    assert positions == played(slug, 2, 7)
    named = FITTED[slug].name([0.0] * len(positions[0].features[0]))
    assert named
    for position in positions:
        assert len(position.features) == len(position.came) == 2
        assert sum(position.came) == 1
        assert sum(position.shipped) == pytest.approx(1)
