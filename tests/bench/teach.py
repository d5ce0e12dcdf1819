"""Train a forecast of Tranquility by self-play: `python -m tests.bench.teach TABLES --out FILE`.

Crews play, with storms or without: at first by the rules of thumb, unless weights are given to
begin with, then by the forecast as it is by then, corrected by the rules of thumb. These count much
at first, for a forecast that has seen little thinks well of what nobody tries. At times they take a
worse action. What each seat knew after its actions is kept, with a target: how the game ended,
mixed with the forecasts of the actions that followed (temporal differences). While crews play, the
network learns from random games among the latest (Adam). Written are its mean weights over the last
steps. At the end, crews that follow the forecast, and crews that follow the rules of thumb, play
the same fresh deals. Deals and dice are fixed: the same arguments find the same weights on the same
machine, if the processor's kernels run in one thread (`OPENBLAS_NUM_THREADS=1`).
"""

import argparse
import os
from collections import deque
from collections.abc import Mapping, Sequence
from functools import partial
from math import tanh
from multiprocessing import Pool
from multiprocessing.pool import Pool as PoolType
from pathlib import Path
from random import Random
from typing import NamedTuple

import msgspec
import numpy as np
from numpy.typing import NDArray

from games.playout import plies, seed_of
from games.tournament import Share
from games.tranquility import GAME
from games.tranquility.commands import Command, DiscardHand, DiscardTwo, PlayCard, UseCompass
from games.tranquility.model import Options, State
from games.tranquility.players.blueprint import known_discards
from games.tranquility.players.bot import Mind
from games.tranquility.players.facts import After, Facts
from games.tranquility.players.forecast import Layer, Network
from games.tranquility.players.judge import Judge, spent
from games.tranquility.players.weights import weights_for
from games.tranquility.view import view

FIRST_SEED = 40_000_000
CHECK_SEED = 45_000_000


class Tables(NamedTuple):
    """What crews play, in turns."""

    options: Sequence[Options]
    seats: Sequence[int]


TABLES: Mapping[str, Tables] = {
    "storms": Tables((Options(storms=True),), (1, 2, 3, 4, 5, 2, 3, 4, 5)),
    "calm": Tables((Options(difficulty="triton"), Options(difficulty="poseidon")), (1, 2, 3, 4, 5)),
}
"""With storms, crews of 1 are rare: they are not what storms are for. Without, few islands make the
games in which most can be learned.
"""
HIDDEN = (16, 24)
"""Outputs of the layers that read a gap and the table."""
FIRST_GAMES = 8_000
"""Games by the rules of thumb, before the forecast decides."""
FIRST_STEPS = 4_000
"""Steps to learn from them."""
ROUND = 600
"""Games with one network."""
STEPS = 2_000
"""Steps to learn while a round is played."""
KEPT = 10_000
"""Games to learn from."""
BATCH = 32
"""Games of a step."""
BY_RULES, LAST_BY_RULES = 0.4, 0.1
"""How much the rules of thumb count, at first and in the end."""
SETTLED = 0.4
"""Part of the games after which they count as in the end."""
EXPLORED = 0.04
"""Part of the actions that are explored: one of the best."""
WORSE = 4
"""Number of the best."""
ANY = 0.3
"""Part of the explored actions that are any."""
TOSSED = 0.1
"""Part of the decisions in which a coin decides whether a compass is used."""
LAMBDA = 0.9
"""Weight of what followed later, against the next forecast."""
RATE, LAST_RATE = 2e-3, 1e-4
SMOOTHING = 0.003
TINY = 1e-7

Array = NDArray[np.floating]


class Step(NamedTuple):
    """An action of a seat."""

    after: After
    value: float
    """Forecast after the action."""
    best: float
    """Forecast after the best action."""
    explored: bool


class Game(NamedTuple):
    """What can be learned from a game."""

    won: bool
    gaps: Array
    """Of all steps, one after the other."""
    counts: NDArray[np.intp]
    """Number of gaps, by step."""
    tables: Array
    targets: Array


class Player:
    """All seats of a crew, which follow a forecast, or the rules of thumb without one."""

    def __init__(self, network: Network | None, dice: Random | None) -> None:
        """Try a worse action at times if there are dice."""
        self.steps: list[Step] = []
        self._network = network
        self._dice = dice

    def choose(self, state: State, seat: int, legal: Sequence[Command]) -> Command:
        """Choose for a seat from what it knows; note what it knows after an action."""
        if state.phase != "rescue":
            legal = self._tossed(legal)
        if len(legal) == 1:
            return legal[0]
        seen, weights = view(state, seat), weights_for(state.options)
        mind = Mind.knowing(seen, seat, known_discards(state, seat), weights)
        judge = None if self._network is None else Judge(seen, mind, self._network)
        offers = mind.ranked(legal) if judge is None else judge.ranked(legal)
        if not isinstance(offers[0], PlayCard | DiscardTwo | DiscardHand):
            return offers[0]
        action = self._picked(offers)
        if self._dice is not None:
            facts = Facts(mind) if judge is None else judge.forecast.facts
            value, best = (
                (0.0, 0.0)
                if judge is None
                else (chance(judge.forecast_after(one)) for one in (action, offers[0]))
            )
            after = facts.after(action, spent(action, mind.hand))
            self.steps.append(Step(after, value, best, action != offers[0]))
        return action

    def _tossed(self, legal: Sequence[Command]) -> Sequence[Command]:
        """Return one use of a compass, or the commands without compasses, in some decisions."""
        if self._dice is None or self._dice.random() >= TOSSED:
            return legal
        uses = [command for command in legal if isinstance(command, UseCompass)]
        others = [command for command in legal if not isinstance(command, UseCompass)]
        if not (uses and others):
            return legal
        return others if self._dice.random() < 0.5 else [self._dice.choice(uses)]

    def _picked(self, offers: Sequence[Command]) -> Command:
        if self._dice is None or self._dice.random() >= EXPLORED:
            return offers[0]
        actions = [one for one in offers if isinstance(one, PlayCard | DiscardTwo | DiscardHand)]
        return self._dice.choice(actions if self._dice.random() < ANY else actions[:WORSE])


def chance(worth: float) -> float:
    """Return the chance of log-odds."""
    return (1 + tanh(worth / 2)) / 2


def played(
    tables: Tables, network: Network | None, seed: int, dice: Random | None = None
) -> tuple[bool, Player]:
    """Play a game; return whether the crew won, and what it noted."""
    player = Player(network, dice)
    options = tables.options[seed % len(tables.options)]
    seats = tables.seats[seed % len(tables.seats)]
    *_, (end, _) = plies(GAME, seats, options, seed_of(seed), player.choose)
    return end.result.outcome == "won", player


def lesson(tables: Tables, network: Network | None, seed: int) -> Game:
    """Play a game, and return what can be learned from it."""
    won, player = played(tables, network, seed, Random(seed))
    steps = player.steps
    gaps = [gap for step in steps for gap in step.after.gaps]
    return Game(
        won,
        np.array(gaps, np.float32),
        np.array([len(step.after.gaps) for step in steps]),
        np.array([step.after.table for step in steps], np.float32),
        np.array(targets(steps, won, 1.0 if network is None else LAMBDA), np.float32),
    )


def targets(steps: Sequence[Step], won: bool, weight: float) -> list[float]:
    """Return what each forecast should have been. An explored action tells nothing of the past."""
    found: list[float] = []
    target = float(won)
    for step in reversed(steps):
        found.append(target)
        mixed = (1 - weight) * step.value + weight * target
        target = step.best if step.explored and weight < 1 else mixed
    return found[::-1]


class Learner:
    """Weights that learn, and their mean over the last steps."""

    def __init__(self, weights: Sequence[Array]) -> None:
        """Begin with weights and a bias for each layer."""
        self._shapes = [part.shape for part in weights]
        self.weights = np.concatenate([part.ravel() for part in weights], dtype=np.float32)
        self.mean = self.weights.copy()
        self._slope = np.zeros_like(self.weights)
        self._square = np.zeros_like(self.weights)
        self._steps = 0

    def _shaped(self, weights: Array) -> list[Array]:
        """Return the weights and the bias of each layer."""
        ends = np.cumsum([np.prod(shape) for shape in self._shapes])
        parts = np.split(weights, ends[:-1])
        return [part.reshape(shape) for part, shape in zip(parts, self._shapes, strict=True)]

    def network(self, by_rules: float) -> Network:
        """Return the mean weights, and how much the rules of thumb count beside them."""
        parts = self._shaped(self.mean)
        gap, table, last = map(layer, parts[::2], parts[1::2])
        return Network(gap, table, last, rounded(by_rules))

    def learn(self, batch: Sequence[Game], rate: float) -> float:
        """Take a step towards the targets of some games; return the loss before."""
        gap, gap_bias, table, table_bias, last, last_bias = self._shaped(self.weights)
        gaps = np.concatenate([game.gaps for game in batch])
        counts = np.concatenate([game.counts for game in batch])
        tables = np.concatenate([game.tables for game in batch])
        wanted = np.concatenate([game.targets for game in batch])
        of_step = np.repeat(np.arange(len(counts)), counts)
        read = np.maximum(gaps @ gap + gap_bias, 0)
        sums = np.zeros((len(counts), len(gap_bias)), np.float32)
        sums[counts > 0] = np.add.reduceat(read, (np.cumsum(counts) - counts)[counts > 0])
        inputs = np.concatenate([sums, tables], axis=1)
        hidden = np.maximum(inputs @ table + table_bias, 0)
        chances = (1 + np.tanh((hidden @ last + last_bias)[:, 0] / 2)) / 2
        off = ((chances - wanted) / len(wanted))[:, None]
        off_hidden = off @ last.T * (hidden > 0)
        off_read = (off_hidden @ table.T)[of_step, : len(gap_bias)] * (read > 0)
        parts = (
            gaps.T @ off_read, off_read.sum(0),
            inputs.T @ off_hidden, off_hidden.sum(0),
            hidden.T @ off, off.sum(0),
        )  # fmt: skip
        self._step(np.concatenate([part.ravel() for part in parts]), rate)
        loss = wanted * np.log(chances + TINY) + (1 - wanted) * np.log(1 - chances + TINY)
        return -float(loss.mean())

    def _step(self, slope: Array, rate: float) -> None:
        """Follow a slope (Adam)."""
        self._steps += 1
        self._slope += 0.1 * (slope - self._slope)
        self._square += 0.001 * (slope**2 - self._square)
        slope = self._slope / (1 - 0.9**self._steps)
        size = np.sqrt(self._square / (1 - 0.999**self._steps))
        self.weights -= rate * slope / (size + TINY)
        self.mean += max(SMOOTHING, 1 / self._steps) * (self.weights - self.mean)


def random(gap: int, table: int) -> list[Array]:
    """Return random weights for so many numbers of a gap and of the table."""
    dice = np.random.default_rng(1)
    first, second = HIDDEN
    sizes = ((gap, first), (first + table, second), (second, 1))
    return [
        part
        for before, after in sizes
        for part in (dice.normal(0, before**-0.5, (before, after)), np.zeros(after))
    ]


def weights_of(network: Network) -> list[Array]:
    """Return the weights of a network, with an output in each column."""
    layers = (network.gap, network.table, network.chance)
    return [part for one in layers for part in (np.array(one.rows).T, np.array(one.bias))]


def layer(weights: Array, bias: Array) -> Layer:
    """Return weights with an output in each row, in four digits."""
    rows = tuple(tuple(map(rounded, row)) for row in weights.T.tolist())
    return Layer(rows, tuple(map(rounded, bias.tolist())))


def rounded(number: float) -> float:
    """Return a number in four digits."""
    return float(f"{number:.4g}")


def rate_at(share: float) -> float:
    """Return the rate after a share of all games: it falls in the second half."""
    return RATE * (LAST_RATE / RATE) ** max(0.0, 2 * share - 1)


def rules_at(share: float) -> float:
    """Return how much the rules of thumb count after a share of all games."""
    return LAST_BY_RULES + (BY_RULES - LAST_BY_RULES) * max(0.0, 1 - share / SETTLED)


def learned(learner: Learner, kept: Sequence[Game], dice: Random, steps: int, rate: float) -> float:
    """Learn from random games; return the mean loss, 0 without games."""
    size = min(BATCH, len(kept))
    losses = [learner.learn(dice.sample(kept, size), rate) for _ in range(steps if kept else 0)]
    return float(np.mean(losses or [0.0]))


def teach(pool: PoolType, tables: Tables, games: int, start: Network | None) -> Network:
    """Return a network after so many games of its own; print each round."""
    dice = Random(1)
    kept: deque[Game] = deque(maxlen=KEPT)
    seed = FIRST_SEED
    if start is None:
        first = partial(lesson, tables, None)
        kept.extend(pool.map(first, range(seed, seed + FIRST_GAMES), chunksize=8))
        learner = Learner(random(kept[0].gaps.shape[1], kept[0].tables.shape[1]))
        loss = learned(learner, kept, dice, FIRST_STEPS, RATE)
        print(f"by the rules of thumb: {told(kept)}, loss {loss:.4f}", flush=True)
    else:
        learner = Learner(weights_of(start))
    seed += FIRST_GAMES
    for done in range(0, games, ROUND):
        last = min(done + ROUND, games)
        lessons = partial(lesson, tables, learner.network(rules_at(done / games)))
        round_ = pool.map_async(lessons, range(seed + done, seed + last), chunksize=4)
        loss = learned(learner, kept, dice, STEPS, rate_at(done / games))
        new = round_.get()
        kept.extend(new)
        print(f"{last} games: {told(new)}, loss {loss:.4f}", flush=True)
    return learner.network(LAST_BY_RULES)


def told(games: Sequence[Game]) -> str:
    """Say how many games were won."""
    return f"won {Share(sum(game.won for game in games), len(games))} %"


def won_by(tables: Tables, network: Network | None, seed: int) -> bool:
    """Return whether a crew wins without exploring."""
    return played(tables, network, seed)[0]


def main() -> None:
    """Read the arguments."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("tables", choices=TABLES)
    parser.add_argument("--games", type=int, default=40_000)
    parser.add_argument("--check", type=int, default=1_000, help="games of the comparison")
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--start", type=Path, help="weights to begin with")
    parser.add_argument("--out", type=Path, required=True, help="file for the weights")
    given = parser.parse_args()
    tables = TABLES[given.tables]
    with Pool(given.workers, os.nice, (19,)) as pool:
        start = given.start and msgspec.json.decode(given.start.read_bytes(), type=Network)
        network = teach(pool, tables, given.games, start)
        given.out.write_bytes(msgspec.json.encode(network))
        seeds = range(CHECK_SEED, CHECK_SEED + given.check)
        for name, by in (("forecast", network), ("rules of thumb", None)):
            won = pool.map(partial(won_by, tables, by), seeds, chunksize=4)
            print(f"{name}: {Share(sum(won), len(won))} %")


if __name__ == "__main__":
    main()
