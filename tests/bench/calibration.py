"""Compare estimated chances of winning with results: `python -m tests.bench.calibration [game …]`.

Matches between blueprints are played on seeds that were not used for tuning. At some decisions the
acting seat's chance of winning is estimated from what it knows, and compared with the end of the
match. The tables are written into `docs/analysis.md`.
"""

import argparse
from collections.abc import Iterator, Sequence
from math import pi, sqrt
from pathlib import Path
from statistics import fmean
from typing import Any, NamedTuple

from games import GAMES
from games.chance import Chance
from games.game import AnyGame, Seen
from games.playout import Watchers, plies, seed_of
from games.search.rollout import blueprint_of, forecasting, never, rollout, shares, team_of
from games.search.worlds import Worlds
from tests.bench.strength import replace_table, tabled

PAGE = Path(__file__).parents[2] / "docs" / "analysis.md"
FIRST_SEED = 900_000
"""Tuning and tournaments use seeds below 900,000."""
SEATS = {"captain_sonar": (2,)}
"""Tables that are played: 2, 3 and 4 seats where not said otherwise."""
MEAN_DEVIATION = sqrt(2 / pi)
"""Mean distance from the middle of a normal distribution, in standard deviations."""
POSITIONS = 3
WORLDS = 96
PLIES_MAX = 3_000


class Position(NamedTuple):
    """A seat's knowledge at a decision."""

    seat: int
    view: Any
    seen: Seen
    team: int


class Forecast(NamedTuple):
    """A chance as it was estimated, and the share of the win that came of it."""

    chance: float
    came: float


def forecasts(game: AnyGame, seats: int, seed: int, worlds: int, count: int) -> Iterator[Forecast]:
    """Play a match and return what was forecast at some of its decisions."""
    positions, final = _played(game, seats, seed)
    if final is None:
        return
    came = shares(game, final)
    draw = Chance(seed_of(seed), 1 << 50)
    for position in draw.sample(positions, min(count, len(positions))):
        own = Chance(seed_of(seed), (1 << 51) + len(position.seen.records))
        yield Forecast(_chance(game, position, worlds, own), came[position.team])


def _chance(game: AnyGame, position: Position, count: int, chance: Chance) -> float:
    """Estimate the chance of the seat's team over a number of sampled worlds."""
    game = forecasting(game)
    worlds = Worlds(game, position.view, position.seen, chance)
    return fmean(
        rollout(game, worlds.sample(number), worlds.seed(number), never)[position.team]
        for number in range(count)
    )


def _played(game: AnyGame, seats: int, seed: int) -> tuple[list[Position], Any]:
    """Play a match by the blueprint; return the decisions with a choice, and the end if reached.

    Each seat chooses from all that it has seen, as a bot does: a state alone need not contain it.
    """
    ranking = blueprint_of(game).ranking
    watchers = Watchers(game, seats, game.Options())
    own = Chance(seed_of(seed), 1 << 49)
    positions: list[Position] = []

    def choose(state: Any, seat: int, legal: Sequence[Any]) -> Any:
        if len(legal) == 1:
            return legal[0]
        view, seen = game.view(state, seat), watchers.seen(seat)
        if own.randbelow(4) == 0:
            kept = Seen(seat, seats, seen.options, tuple(seen.records))
            positions.append(Position(seat, view, kept, team_of(game, state, seat)))
        return ranking(view, seen, legal, own)[0]

    state: Any = None
    for count, (now, ply) in enumerate(plies(game, seats, game.Options(), seed_of(seed), choose)):
        watchers.watch(ply)
        state = now
        if count >= PLIES_MAX:
            return positions, None
    return positions, state


def table(slug: str, matches: int, worlds: int, positions: int) -> Iterator[str]:
    """Yield the reliability table of a game."""
    game = GAMES[slug]
    tables = SEATS.get(slug) or [seats for seats in (2, 3, 4) if seats in game.seats]
    found = [
        forecast
        for number in range(matches)
        for forecast in forecasts(
            game, tables[number % len(tables)], FIRST_SEED + number, worlds, positions
        )
    ]
    yield "| called | positions | mean called | came | gap |"
    yield "|---|---|---|---|---|"
    gaps = by_chance = 0.0
    for decile in range(10):
        inside = [f for f in found if min(9, int(f.chance * 10)) == decile]
        if not inside:
            continue
        called = sum(f.chance for f in inside) / len(inside)
        came = sum(f.came for f in inside) / len(inside)
        gaps += abs(called - came) * len(inside)
        by_chance += MEAN_DEVIATION * sqrt(called * (1 - called) * len(inside))
        yield (
            f"| {10 * decile} to {10 * decile + 10} % | {len(inside)} | {100 * called:.1f} % "
            f"| {100 * came:.1f} % | {100 * (came - called):+.1f} |"
        )
    brier = sum((f.chance - f.came) ** 2 for f in found) / len(found)
    base = sum(f.came for f in found) / len(found)
    chance = sum((base - f.came) ** 2 for f in found) / len(found)
    yield ""
    yield (
        f"{matches} matches of {', '.join(map(str, tables))} seats, "
        f"{len(found)} positions, {worlds} worlds each. "
        f"Mean gap {100 * gaps / len(found):.1f} points, "
        f"of which chance alone makes {100 * by_chance / len(found):.1f}; "
        f"Brier score {brier:.3f} "
        f"({chance:.3f} for always calling {100 * base:.0f} %)."
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("games", nargs="*", default=tabled(PAGE, "calibration-"), help="by slug")
    parser.add_argument("--matches", type=int, default=1000)
    parser.add_argument("--worlds", type=int, default=WORLDS)
    parser.add_argument(
        "--positions",
        type=int,
        default=POSITIONS,
        help="of a match; those of one match end alike, so one of each tells most for its time",
    )
    arguments = parser.parse_args()
    for slug in arguments.games:
        print(f"\n{slug}")
        rows = list(table(slug, arguments.matches, arguments.worlds, arguments.positions))
        PAGE.write_text(replace_table(PAGE.read_text(), f"calibration-{slug}", rows))


if __name__ == "__main__":
    main()
