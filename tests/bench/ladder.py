"""Rate the levels of the bots by round robin: `python -m tests.bench.ladder [game …] --seeds N`.

The tables of the named games in `docs/strength.md` are replaced; all else stays. Each level plays
the one below and the one below that. The seeds are not those by which the temperatures were chosen
(`--tune`, which prints what other temperatures would be worth). A level that looks ahead plays
fewer seeds, and only the level below.
"""

import argparse
import time
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from games import GAMES
from games.chance import Chance
from games.game import AnyGame, Bot
from games.playout import play_bots, seed_of
from games.ratings import Ratings, rate
from games.search import LEVELS, softened
from games.search.rollout import blueprint_of, shares
from games.tournament import BuiltIn, Pairing, Player, Share, Table, share_of
from tests.bench.strength import PAGE, replace_table, shown, tabled
from tests.bench.tranquility_strength import SLOW_SHARE

FIRST_SEED = 60_000
TUNING_SEED = 600_000
COLUMNS = (
    *("level", "temperature", "seeds", "Elo above beginner", "above the level below"),
    "won against it",
)
CREW_COLUMNS = ("level", "temperature", "seeds", "games won")


class Soft(NamedTuple):
    """The blueprint at a temperature."""

    temperature: float

    def sit(self, table: Table, _seat: int, /) -> Bot[Any, Any]:
        """Return the bot."""
        return softened(blueprint_of(table.game), self.temperature)

    def rise(self, _seat: int, _result: Any, /) -> None:
        """Do nothing."""


def seats_of(game: AnyGame) -> int:
    """Return the number of seats of the tables: two."""
    return 2 if 2 in game.seats else min(game.seats)


def round_robin(
    game: AnyGame, players: Sequence[Player], seeds: Sequence[int], first: int
) -> tuple[Ratings, dict[tuple[int, int], Share]]:
    """Let each player play the next two. `seeds` are numbers of seeds by the stronger player."""
    scores: dict[tuple[int, int], list[float]] = {}
    won: dict[tuple[int, int], Share] = {}
    for strong in range(len(players)):
        below = 2 if seeds[strong] == seeds[0] else 1
        for weak in range(max(0, strong - below), strong):
            pair = (players[strong], players[weak])
            pairing = Pairing(game, seats_of(game), game.Options(), pair, time.process_time_ns)
            rounds = list(pairing.rounds(range(first, first + seeds[strong])))
            scores[strong, weak] = [each.score for each in rounds]
            won[strong, weak] = share_of(rounds)
    return rate(len(players), scores, Chance(seed_of(first), 1)), won


def table(game: AnyGame, seeds: int) -> Iterator[str]:
    """Yield the table of a game's levels."""
    blueprint = blueprint_of(game)
    temperatures = [*blueprint.temperatures, 0.0]
    top = max(4, seeds // SLOW_SHARE) if blueprint.budget else seeds
    numbers = [seeds] * (len(LEVELS) - 1) + [top]
    players = [BuiltIn(level) for level in LEVELS]
    if len(game.teams(game.initial(seats_of(game), game.Options()))) == 1:
        yield from head(CREW_COLUMNS)
        for level, temperature, count in zip(LEVELS, temperatures, numbers, strict=True):
            yield f"| {level} | {temperature:g} | {count} | {crew_share(game, level, count)} |"
        return
    yield from head(COLUMNS)
    ratings, won_by = round_robin(game, players, numbers, FIRST_SEED)
    for at, level in enumerate(LEVELS):
        step = ratings.difference(at, at - 1) if at else ""
        above = ratings.difference(at, 0) if at else "0"
        share = won_by[at, at - 1] if at else None
        won = ("", "") if share is None else (str(share.games), str(share))
        cells = [level, f"{temperatures[at]:g}", won[0], str(above), str(step), won[1]]
        yield f"| {' | '.join(cells)} |"


def crew_share(game: AnyGame, level: str, seeds: int) -> Share:
    """Return the share of games that a crew of a level wins."""
    seats = seats_of(game)
    ends = (
        play_bots(game, seats, game.Options(), seed_of(seed), [level] * seats)
        for seed in range(FIRST_SEED, FIRST_SEED + seeds)
    )
    return Share(sum(shares(game, end)[0] for end in ends), seeds)


def head(columns: Sequence[str]) -> tuple[str, str]:
    """Return the first lines of a table."""
    return f"| {' | '.join(columns)} |", "|" + "---|" * len(columns)


def tune(game: AnyGame, temperatures: Sequence[float], seeds: int) -> None:
    """Print how strong the blueprint is at other temperatures, against temperature 0."""
    steps = sorted({0.0, *temperatures}, reverse=True)
    players = [Soft(temperature) for temperature in steps]
    ratings, _ = round_robin(game, players, [seeds] * len(players), TUNING_SEED)
    for at, temperature in enumerate(steps):
        print(f"{game.slug} {temperature:g}: {ratings.difference(at, len(steps) - 1)}", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("games", nargs="*", default=tabled(PAGE, "ladder-"))
    parser.add_argument("--seeds", type=int, default=100, help="of each pair")
    parser.add_argument("--tune", type=float, nargs="+", default=[], help="temperatures to try")
    given = parser.parse_args()
    for slug in given.games:
        if given.tune:
            tune(GAMES[slug], given.tune, given.seeds)
            continue
        print(f"\n{slug}")
        lines = shown(table(GAMES[slug], given.seeds))
        PAGE.write_text(replace_table(PAGE.read_text(), f"ladder-{slug}", lines))


if __name__ == "__main__":
    main()
