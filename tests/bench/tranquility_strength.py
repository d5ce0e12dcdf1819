"""Measure Tranquility's bots and its solver: two tables of `docs/strength.md`.

The reported seeds are not those of tuning.
"""

import time
from collections import Counter
from collections.abc import Iterator
from hashlib import sha256
from typing import NamedTuple

import msgspec

from games.chance import Chance
from games.playout import play_bots, seed_of
from games.tournament import Share
from games.tranquility import GAME
from games.tranquility.players.blueprint import FLEET, LATE, PLAYOUTS
from games.tranquility.players.forecast import WEIGHTS as FORECAST
from games.tranquility.players.weights import TUNED, TUNED_STORMS
from games.tranquility.solver.winnable import BUDGET, winnable

FIRST_SEED = 50_000
"""The weights were tuned on other deals."""
SEATS = (1, 2, 3, 4, 5)
SLOW_SHARE = 8
"""A level that looks ahead plays this many times fewer games."""


class Verdicts(NamedTuple):
    """What the solver found in fresh deals."""

    outcomes: Counter[str]
    seconds: list[float]
    """Ascending."""


def wins(level: str, seats: int, matches: int, **options: object) -> Share:
    """Play a match with a crew of one level."""
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
    weights = [each._asdict() for each in (TUNED, TUNED_STORMS)]
    return f"heuristic-{digest(msgspec.json.encode(weights))}"


def digest(data: bytes) -> str:
    """Return the beginning of a hash."""
    return sha256(data).hexdigest()[:8]


def facts() -> str:
    """Name what is measured."""
    return (
        f"Rules version {GAME.version}; bot `{bot_version()}`, as `expert` with {FLEET} playouts "
        f"at a calm table, elsewhere {PLAYOUTS} from {LATE} free cells on, and the forecast "
        f"`{digest(FORECAST.read_bytes())}`; solver budget {BUDGET} positions; seeds from "
        f"{FIRST_SEED} on."
    )


def wins_table(matches: int) -> Iterator[str]:
    """Yield the rows: share of games won by a crew of that level, by number of seats.

    Crews that look ahead play fewer games.
    """
    rows: tuple[tuple[str, dict[str, object]], ...] = (
        ("heuristic", {}),
        ("random", {}),
        ("heuristic", {"difficulty": "triton"}),
        ("heuristic", {"difficulty": "poseidon"}),
        ("heuristic", {"rocks": True}),
        ("heuristic", {"storms": True}),
        ("expert", {"difficulty": "triton"}),
        ("expert", {"difficulty": "poseidon"}),
        ("expert", {"storms": True}),
    )
    yield "| level | options | games | " + " | ".join(map(str, SEATS)) + " | all |"
    yield "|---|---|---|" + "---|" * (len(SEATS) + 1)
    for level, options in rows:
        named = ", ".join(f"{name} {value}" for name, value in options.items()) or "standard"
        games = max(2, matches // SLOW_SHARE) if level == "expert" else matches
        shares = [wins(level, seats, games, **options) for seats in SEATS]
        every = Share(sum(share.hits for share in shares), games * len(SEATS))
        cells = [level, named.lower(), str(games), *map(str, shares), str(every)]
        yield f"| {' | '.join(cells)} |"


def verdicts_table(deals: int) -> Iterator[str]:
    """Yield the rows: what the solver says of fresh deals, and how long it takes."""
    yield "| difficulty | seats | deals | line | proof | not shown | median CPU s | p99 | longest |"
    yield "|---|---|---|---|---|---|---|---|---|"
    for difficulty in ("none", "poseidon"):
        for seats in SEATS:
            found = verdicts(seats, deals, difficulty=difficulty)
            counts = [found.outcomes[name] for name in ("line", "proof", "not-shown")]
            shares = " | ".join(f"{100 * count / deals:.1f}" for count in counts)
            seconds = found.seconds
            marks = (seconds[deals // 2], seconds[deals * 99 // 100], seconds[-1])
            times = " | ".join(f"{mark:.2f}" for mark in marks)
            yield f"| {difficulty} | {seats} | {deals} | {shares} | {times} |"
