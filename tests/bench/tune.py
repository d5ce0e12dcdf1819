"""Tune the weights of a game's blueprint by self-play: `python -m tests.bench.tune GAME --steps N`.

An evolution strategy. In each step, pairs of players sit down whose weights are those found so far,
plus and minus the same random change. Both sit at the same seat of the same deal. In half of the
pairs the other seats have the weights of the pair's other player, in half those of a rival: the
shipped ones or what was found some steps ago. Without rivals a game where each way of playing has
another one that beats it leads in a circle. The changes that win show the way, smoothed over some
steps. What is printed is the mean weights of late steps, and what one seat with them wins beside
the shipped ones on other seeds. `python -m tests.bench.ladder` checks what is shipped on seeds of
its own.
"""

import argparse
import os
import pprint
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from multiprocessing import Pool
from multiprocessing.pool import Pool as PoolType
from operator import mul
from random import Random
from statistics import fmean, pstdev
from typing import Any, NamedTuple, cast

import games.captain_sonar.players.blueprint as captain_sonar
import games.ke_dnu.players.blueprint as ke_dnu
import games.nautilus.players.blueprint as nautilus
import games.submarine.players.blueprint as submarine
import games.tranquility.players.blueprint as tranquility
from games import GAMES
from games.captain_sonar.players.weights import TUNED as CAPTAIN_SONAR
from games.chance import Chance
from games.ke_dnu.players.weights import TUNED as KE_DNU
from games.nautilus.players.weights import TUNED as NAUTILUS
from games.playout import plies, seed_of
from games.search.rollout import shares, team_of
from games.submarine.players.weights import TUNED as SUBMARINE
from games.tournament import Share
from games.tranquility.players.weights import weights_for

FIRST_SEED = 80_000_000
CHECK_SEED = 800_000_000
DICE = 1 << 33
SMOOTHING = 0.92
"""What a step keeps of the direction of the steps before, and of the mean weights."""
RATE = 0.15
"""How far a step goes, in standard deviations of a random change, for a sure direction."""
SPREAD, SPREAD_OF_MANY = 0.2, 0.5
"""Standard deviation of a change, as a part of the size of a field, or of a mapping's values."""
SPREAD_OF_NONE = 0.05
"""The same for a field that is 0."""
CHECK_EVERY = 10

Weights = Any
"""A NamedTuple of numbers, tuples of numbers, or mappings to numbers. Other fields stay."""


class Tunable(NamedTuple):
    """What is tuned in a game."""

    slug: str
    weights: Weights
    choose: Callable[[Any, int, Sequence[Any], Weights, Chance], Any]
    """(state, seat, legal commands, weights, own dice) -> command."""
    options: Mapping[str, Any]
    seats: Sequence[int] = (2,)
    """Numbers of seats, in turns."""

    def won(self, one: Weights, others: Weights, seed: int) -> float:
        """Play a game; return the share of the win of one seat, whose team has its weights."""
        seats = self.seats[seed % len(self.seats)]
        own = seed % seats
        game, deal = GAMES[self.slug], seed_of(seed // seats)
        dice = Chance(deal, DICE)

        def chosen(state: Any, seat: int, legal: Sequence[Any]) -> Any:
            if len(legal) == 1:
                return legal[0]
            same = team_of(game, state, seat) == team_of(game, state, own)
            return self.choose(state, seat, legal, one if same else others, dice)

        *_, (end, _) = plies(game, seats, game.Options(**self.options), deal, chosen)
        return shares(game, end)[team_of(game, end, own)]


def crews(seats: Sequence[int], **options: object) -> Tunable:
    """Return what is tuned in Tranquility, where all seats are one team."""
    weights = weights_for(GAMES["tranquility"].Options(**options))
    return Tunable("tranquility", weights, tranquility.chosen, options, seats)


TUNABLE: Mapping[str, Tunable] = {
    "captain_sonar": Tunable(
        "captain_sonar", CAPTAIN_SONAR, captain_sonar.chosen, {"radio_assist": "inference"}
    ),
    "ke_dnu": Tunable("ke_dnu", KE_DNU[2], ke_dnu.chosen, {}),
    "ke_dnu-3": Tunable("ke_dnu", KE_DNU[3], ke_dnu.chosen, {}, (3,)),
    "ke_dnu-4": Tunable("ke_dnu", KE_DNU[4], ke_dnu.chosen, {}, (4,)),
    "nautilus": Tunable("nautilus", NAUTILUS[2], nautilus.chosen, {}),
    "nautilus-4": Tunable("nautilus", NAUTILUS[4], nautilus.chosen, {}, (4,)),
    "submarine": Tunable("submarine", SUBMARINE[2], submarine.chosen, {}),
    "submarine-4": Tunable("submarine", SUBMARINE[4], submarine.chosen, {}, (4,)),
    "tranquility": crews((1, 2, 3, 4, 5)),
    "tranquility-poseidon": crews((1, 2, 3, 4, 5), difficulty="poseidon"),
    "tranquility-storms": crews((2, 3, 4, 5), storms=True),
    "tranquility-triton": crews((1, 2, 3, 4, 5), difficulty="triton"),
}


def numbers(value: Any) -> list[float]:
    """Return the numbers of weights in order."""
    if isinstance(value, float):
        return [value]
    return [number for part in parts(value) for number in numbers(part)]


def parts(value: Any) -> Sequence[Any]:
    """Return the parts of weights that may be numbers."""
    if isinstance(value, Mapping):
        return list(cast("Mapping[str, Any]", value).values())
    return cast("tuple[Any, ...]", value) if isinstance(value, tuple) else ()


def with_numbers(value: Any, found: Iterator[float]) -> Any:
    """Return weights with other numbers in the same order."""
    if isinstance(value, float):
        return next(found)
    if isinstance(value, Mapping):
        named = cast("Mapping[str, Any]", value)
        return {name: with_numbers(part, found) for name, part in named.items()}
    if isinstance(value, tuple):
        new = [with_numbers(part, found) for part in cast("tuple[Any, ...]", value)]
        return type(value)(*new) if hasattr(value, "_fields") else tuple(new)
    return value


def spreads(weights: Weights) -> list[float]:
    """Return the standard deviation of a random change of each number."""
    found: list[float] = []
    for field in weights:
        size = fmean([abs(x) for x in numbers(field)] or [0.0])
        spread = SPREAD_OF_MANY if isinstance(field, Mapping) else SPREAD
        found += [size * spread or SPREAD_OF_NONE] * len(numbers(field))
    return found


class Trial(NamedTuple):
    """Two players whose weights are those found so far plus and minus a random change."""

    name: str
    found: Sequence[float]
    rivals: Sequence[Sequence[float]]
    seed: int

    def change(self) -> list[float]:
        """Return the change of each number, in standard deviations."""
        dice = Random(self.seed)
        return [dice.gauss(0.0, 1.0) for _ in self.found]

    def gain(self) -> float:
        """Return by how much the change wins more than its opposite: from -1 to 1."""
        tunable = TUNABLE[self.name]
        pace = spreads(tunable.weights)
        rival = self.rivals[self.seed // 2 % len(self.rivals)]
        ways = (moved(self.found, self.change(), pace, sign) for sign in (1, -1))
        up, down, other = (with_numbers(tunable.weights, iter(way)) for way in (*ways, rival))
        against = (down, up) if self.seed % 2 else (other, other)
        seed = self.seed // 2
        return tunable.won(up, against[0], seed) - tunable.won(down, against[1], seed)


def gain_of(trial: Trial) -> float:
    """Run a trial in a process of its own."""
    return trial.gain()


def moved(
    found: Sequence[float], way: Sequence[float], pace: Sequence[float], far: float
) -> list[float]:
    """Return weights that are `far` times `way` from those found, in paces."""
    return [x + far * step * unit for x, step, unit in zip(found, way, pace, strict=True)]


def smoothed(before: Sequence[float], now: Sequence[float]) -> list[float]:
    """Return the exponential mean of vectors."""
    return [SMOOTHING * x + (1 - SMOOTHING) * y for x, y in zip(before, now, strict=True)]


def share(name: str, found: Sequence[float], seed: int) -> float:
    """Return what weights win beside the shipped ones."""
    shipped = TUNABLE[name].weights
    return TUNABLE[name].won(with_numbers(shipped, iter(found)), shipped, seed)


def checked(pool: PoolType, name: str, found: Sequence[float], games: int) -> Share:
    """Return the same for many games."""
    seeds = range(CHECK_SEED, CHECK_SEED + games)
    return Share(sum(pool.map(partial(share, name, found), seeds, chunksize=8)), games)


def tune(name: str, steps: int, pairs: int, games: int, workers: int) -> None:
    """Print the weights every few steps, and what they win."""
    shipped = TUNABLE[name].weights
    pace = spreads(shipped)
    found = numbers(shipped)
    rivals = [found]
    way = mean = [0.0] * len(found)
    with Pool(workers, os.nice, (19,)) as pool:
        before = checked(pool, name, found, games)
        for step in range(1, steps + 1):
            first = FIRST_SEED + step * pairs
            trials = [Trial(name, found, rivals, seed) for seed in range(first, first + pairs)]
            gains = pool.map(gain_of, trials, chunksize=8)
            error = (pstdev(gains) or 1.0) / len(gains) ** 0.5
            changes = zip(*(trial.change() for trial in trials), strict=True)
            slopes = (fmean(map(mul, gains, column)) / error for column in changes)
            way = smoothed(way, list(slopes))
            sure = 1 - SMOOTHING**step
            found = moved(found, way, pace, RATE / sure)
            mean = smoothed(mean, found)
            if step % CHECK_EVERY == 0:
                rivals.append([x / sure for x in mean])
                won = checked(pool, name, rivals[-1], games)
                print(f"{name} step {step}: {won} % (shipped: {before} %)", flush=True)
                shown = with_numbers(shipped, iter(round(x, 2) for x in rivals[-1]))
                print(pprint.pformat(shown._asdict(), compact=True, width=100), flush=True)


def main() -> None:
    """Read the arguments."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("game", choices=sorted(TUNABLE))
    parser.add_argument("--steps", type=int, default=100)
    parser.add_argument("--pairs", type=int, default=1600, help="of players in a step")
    parser.add_argument("--games", type=int, default=800, help="of a check")
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1)
    given = parser.parse_args()
    tune(given.game, given.steps, given.pairs, given.games, given.workers)


if __name__ == "__main__":
    main()
