"""How strong Tranquility's bots are, and how much its solver decides: `python -m tests.bench.bench_tranquility_bot`.

Prints the tables of `docs/strength.md` in Markdown. Reported seeds lie apart from those of tuning.
"""

import argparse
import time
from collections import Counter
from hashlib import sha256
from math import sqrt
from typing import NamedTuple

import msgspec

from games.chance import Chance
from games.playout import play_bots, seed_of
from games.tranquility import GAME
from games.tranquility.bot import SOLO, WEIGHTS
from games.tranquility.solver import BUDGET, winnable

FIRST_SEED = 50_000
"""`SOLO` was tuned on seeds from 100,000 on."""
SEATS = (1, 2, 3, 4, 5)
Z = 1.96
"""For 95 %."""


class Share(NamedTuple):
    """So many of so many."""

    hits: int
    games: int

    def wilson(self) -> tuple[float, float]:
        """Give the Wilson interval."""
        share, spread = self.hits / self.games, Z * Z / self.games
        middle = share + spread / 2
        half = Z * sqrt(share * (1 - share) / self.games + spread / (4 * self.games))
        return (middle - half) / (1 + spread), (middle + half) / (1 + spread)

    def __str__(self) -> str:
        low, high = self.wilson()
        return f"{100 * self.hits / self.games:.1f} ({100 * low:.1f} to {100 * high:.1f})"


class Verdicts(NamedTuple):
    """What the solver found in fresh deals."""

    outcomes: Counter[str]
    seconds: list[float]
    """Ascending."""


def wins(level: str, seats: int, matches: int, **options: object) -> Share:
    """Let a crew of one level play."""
    chosen = GAME.Options(**options)
    seeds = range(FIRST_SEED, FIRST_SEED + matches)
    won = sum(
        play_bots(GAME, seats, chosen, seed_of(seed), [level] * seats).result.outcome == "won"
        for seed in seeds
    )
    return Share(won, matches)


def verdicts(seats: int, deals: int, **options: object) -> Verdicts:
    """Ask the solver about fresh deals."""
    chosen = GAME.Options(**options)
    outcomes: Counter[str] = Counter()
    seconds: list[float] = []
    for seed in range(FIRST_SEED, FIRST_SEED + deals):
        state = GAME.initial(seats, chosen)
        for event in GAME.setup(seats, chosen, Chance(seed_of(seed), 1)):
            GAME.apply(state, event)
        began = time.process_time()
        outcomes[winnable(state).outcome] += 1
        seconds.append(time.process_time() - began)
    return Verdicts(outcomes, sorted(seconds))


def bot_version() -> str:
    """Name the bot by its weights."""
    return "heuristic-" + sha256(msgspec.json.encode((SOLO, WEIGHTS))).hexdigest()[:8]


def print_wins(matches: int) -> None:
    fewer = max(1, matches // 5)
    rows = (
        ("heuristic", {}, matches),
        ("random", {}, matches),
        ("heuristic", {"difficulty": "triton"}, fewer),
        ("heuristic", {"difficulty": "poseidon"}, fewer),
        ("heuristic", {"rocks": True}, fewer),
        ("heuristic", {"storms": True}, fewer),
    )
    print("| level | options | games | " + " | ".join(map(str, SEATS)) + " |")
    print("|---|---|---|" + "---|" * len(SEATS))
    for level, options, games in rows:
        named = ", ".join(f"{name} {value}" for name, value in options.items()) or "standard"
        print(f"| {level} | {named.lower()} | {games} | ", end="", flush=True)
        for seats in SEATS:
            print(wins(level, seats, games, **options), end=" | ", flush=True)
        print()


def print_verdicts(deals: int) -> None:
    print(
        "| difficulty | seats | deals | line | proof | not shown | median CPU s | p99 | longest |"
    )
    print("|---|---|---|---|---|---|---|---|---|")
    for difficulty in ("none", "poseidon"):
        for seats in SEATS:
            found = verdicts(seats, deals, difficulty=difficulty)
            counts = [found.outcomes[name] for name in ("line", "proof", "not-shown")]
            shares = " | ".join(f"{100 * count / deals:.1f}" for count in counts)
            seconds = found.seconds
            marks = (seconds[deals // 2], seconds[deals * 99 // 100], seconds[-1])
            times = " | ".join(f"{mark:.2f}" for mark in marks)
            print(f"| {difficulty} | {seats} | {deals} | {shares} | {times} |", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--matches", type=int, default=1000, help="per seat count; 0 = none")
    parser.add_argument(
        "--deals", type=int, default=200, help="for the solver, per seat count; 0 = none"
    )
    arguments = parser.parse_args()
    print(f"Rules version {GAME.version}; bot {bot_version()}; solver budget {BUDGET} positions.")
    print(f"Seeds from {FIRST_SEED} on. In brackets the 95 % interval (Wilson).\n")
    if arguments.matches:
        print_wins(arguments.matches)
        print()
    if arguments.deals:
        print_verdicts(arguments.deals)


if __name__ == "__main__":
    main()
