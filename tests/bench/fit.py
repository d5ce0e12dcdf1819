"""Fit the value of a game that is cut short: `python -m tests.bench.fit GAME --seats N`.

Blueprints play matches against each other. At some stages, what the teams have is noted, and in the
end who won. A conditional logit (Newton's method, with a small penalty on the size of weights)
finds the log-odds of everything that a team can have. Printed are the weights, and how well they
and the shipped ones forecast the result of other matches: the mean logarithmic loss, and the mean
squared error (Brier score) of a team's chance.
"""

import argparse
import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from math import log
from multiprocessing import Pool
from operator import mul
from statistics import fmean
from typing import Any, NamedTuple

import games.captain_sonar.players.value as captain_sonar
import games.nautilus.players.value as nautilus
import games.submarine.players.value as submarine
from games import GAMES
from games.chance import Chance
from games.playout import plies, seed_of
from games.search.odds import weighed
from games.search.rollout import blueprint_of, shares

FIRST_SEED = 30_000_000
CHECK_SEED = 35_000_000
DICE = 1 << 35
PENALTY = 10.0
TINY = 1e-9
STEPS = 8

Vector = Sequence[float]


class Fitted(NamedTuple):
    """What is fitted in a game."""

    features: Callable[[Any], Sequence[Vector]]
    """State -> by team the numbers that count."""
    name: Callable[[Vector], object]
    """Weights in the order of the features -> the same with their names."""
    options: Mapping[str, Any]
    every: int
    """A position is noted at one in so many stages."""


FITTED: Mapping[str, Fitted] = {
    "captain_sonar": Fitted(
        captain_sonar.features,
        captain_sonar.Standing._make,
        {"radio_assist": "inference"},
        every=4,
    ),
    "nautilus": Fitted(nautilus.features, nautilus.named, {}, every=1),
    "submarine": Fitted(submarine.features, submarine.Standing._make, {}, every=2),
}


class Position(NamedTuple):
    """What the teams had at a stage."""

    features: Sequence[Vector]
    shipped: Vector
    """By team: the chance of winning, as the shipped value estimates it."""
    came: Vector
    """By team: its share of the win."""


def played(slug: str, seats: int, seed: int) -> list[Position]:
    """Play a match; return a position of each stage."""
    game, fitted = GAMES[slug], FITTED[slug]
    blueprint = blueprint_of(game)
    stage, value = blueprint.stage, blueprint.value
    assert stage is not None, f"{slug} has no stages"
    assert value is not None, f"{slug} has no value"
    own = Chance(seed_of(seed), DICE)
    found: list[tuple[Sequence[Vector], Vector]] = []
    last, state = 0, None

    def choose(state: Any, seat: int, legal: Sequence[Any]) -> Any:
        return legal[0] if len(legal) == 1 else blueprint.policy(state, seat, own)

    for state, _ in plies(game, seats, game.Options(**fitted.options), seed_of(seed), choose):
        if game.result(state) is None and stage(state) > last:
            last = stage(state)
            if (last + seed) % fitted.every == 0:
                found.append((fitted.features(state), value(state)))
    return [Position(*each, shares(game, state)) for each in found]


def fit(positions: Sequence[Position]) -> list[float]:
    """Return the weights under which the results are likeliest."""
    count = len(positions[0].features[0])
    weights = [0.0] * count
    for _ in range(STEPS):
        slope = [-PENALTY * weight for weight in weights]
        curve = [[PENALTY * (row == column) for column in range(count)] for row in range(count)]
        for position in positions:
            odds = weighed(weights, position.features)
            columns = list(zip(*position.features, strict=True))
            means = [sum(map(mul, odds, column)) for column in columns]
            for chance, came, own in zip(odds, position.came, position.features, strict=True):
                off = [number - mean for number, mean in zip(own, means, strict=True)]
                used = [at for at, number in enumerate(off) if number]
                for row in used:
                    slope[row] += (came - chance) * off[row]
                    scaled = chance * off[row]
                    for column in used:
                        curve[row][column] += scaled * off[column]
        step = solved(curve, slope)
        weights = [weight + change for weight, change in zip(weights, step, strict=True)]
    return weights


def solved(matrix: Sequence[Vector], right: Vector) -> list[float]:
    """Solve linear equations by elimination; the matrix is symmetric and positive definite."""
    rows = [[*row, value] for row, value in zip(matrix, right, strict=True)]
    for at, pivot in enumerate(rows):
        for row in rows[at + 1 :]:
            factor = row[at] / pivot[at]
            row[at:] = [
                value - factor * other for value, other in zip(row[at:], pivot[at:], strict=True)
            ]
    found: list[float] = []
    for row in reversed(rows):
        known = sum(map(mul, reversed(row[:-1]), found))
        found.append((row[-1] - known) / row[len(rows) - 1 - len(found)])
    return found[::-1]


def losses(forecasts: Iterable[tuple[Vector, Vector]]) -> str:
    """Return the mean logarithmic loss and squared error of (chances, shares) of positions."""
    known = [list(zip(*each, strict=True)) for each in forecasts]
    loss = fmean(-sum(came * log(max(chance, TINY)) for chance, came in each) for each in known)
    error = fmean((came - chance) ** 2 for each in known for chance, came in each)
    return f"logarithmic loss {loss:.4f}, squared error {error:.4f}"


def report(slug: str, seats: int, matches: int, workers: int) -> None:
    """Print the weights, and how well they forecast other matches."""
    play = partial(played, slug, seats)
    with Pool(workers) as pool:
        seen = pool.map(play, range(FIRST_SEED, FIRST_SEED + matches), chunksize=4)
        fresh = pool.map(play, range(CHECK_SEED, CHECK_SEED + matches // 3), chunksize=4)
    weights = fit([position for match in seen for position in match])
    check = [position for match in fresh for position in match]
    print(FITTED[slug].name([round(weight, 2) for weight in weights]))
    print(f"{matches} matches, {fmean(map(len, seen)):.1f} positions each")
    print(f"fitted:  {losses((weighed(weights, at.features), at.came) for at in check)}")
    print(f"shipped: {losses((at.shipped, at.came) for at in check)}")


def main() -> None:
    """Read the arguments."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("game", choices=sorted(FITTED))
    parser.add_argument("--seats", type=int, default=2)
    parser.add_argument("--matches", type=int, default=1500)
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1)
    given = parser.parse_args()
    report(given.game, given.seats, given.matches, given.workers)


if __name__ == "__main__":
    main()
