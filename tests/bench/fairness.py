"""Measure how fair the tables are: `python -m tests.bench.fairness [game …]`.

Equal bots play all seats with every house set of the game. The tables give the share of the wins by
place in the turn order, the length of games, and what the bots leave unused although it is legal.
Shared wins count as fractions.
"""

import argparse
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import lru_cache, partial
from typing import Any, NamedTuple, get_args

import msgspec

from games import GAMES
from games.chance import Chance
from games.game import AnyGame, House
from games.playout import BOT_DICE, Watchers, bot_of, plies, seed_of
from games.search import LEVELS
from games.search.rollout import shares, team_of
from games.tournament import Share

FIRST_SEED = 70_000
"""No bot was tuned or measured on the seeds from here on."""
RARE = 0.01
"""Share of the games below which something counts as unused."""
OPTIONS: Mapping[str, Mapping[str, Any]] = {
    "captain_sonar": {"first_crew": 0},
    "ke_dnu": {"first_seat": "0"},
    "nautilus": {"first_seat": "seat_0"},
    "submarine": {"first_player": 0},
    "tranquility": {"variant": "competitive"},
}
"""By game, the options that are played. Seat 0 begins where an option can say so."""
SEATS = {"tranquility": (2,)}
"""Numbers of seats that these options allow, if not all."""
HOUSES = {
    slug: get_args(House) if "house" in game.Options.__struct_fields__ else ("",)
    for slug, game in GAMES.items()
}
"""By game, its house sets."""


class Table(NamedTuple):
    """What is played, and by whom."""

    slug: str
    seats: int
    house: str
    """Empty if the game has one house set only."""
    level: str

    def options(self) -> Any:
        """Return the options of the game."""
        given = {**OPTIONS.get(self.slug, {}), **({"house": self.house} if self.house else {})}
        return msgspec.convert(given, GAMES[self.slug].Options)

    def __str__(self) -> str:
        """Name the table in a report."""
        return ", ".join(filter(None, (self.slug, f"{self.seats} seats", self.house, self.level)))


class Game(NamedTuple):
    """One game between equal bots."""

    wins: Sequence[float]
    """Share of the win by place in the turn order; the seats of a team divide theirs."""
    plies: int
    offered: frozenset[str]
    """Commands and things in commands that were legal at some decision."""
    chosen: frozenset[str]


def played(table: Table, seed: int) -> Game:
    """Play one game."""
    game, seats, options = GAMES[table.slug], table.seats, table.options()
    watchers, dice = Watchers(game, seats, options), Chance(seed_of(seed), BOT_DICE)
    bot = bot_of(game, table.level)
    offered: set[str] = set()
    chosen: set[str] = set()

    def choose(state: Any, seat: int, legal: Sequence[Any]) -> Any:
        command = bot(game.view(state, seat), watchers.seen(seat), legal, dice)
        for one in legal:
            offered.update(named(one))
        chosen.update(named(command))
        return command

    final, count, first = None, 0, 0
    for state, ply in plies(game, seats, options, seed_of(seed), choose):
        watchers.watch(ply)
        if ply.seat is None:
            first = next((one.first_seat for one in ply.events if hasattr(one, "first_seat")), 0)
        else:
            count += 1
        final = state
    order = [(first + place) % seats for place in range(seats)]
    return Game(wins(game, final, order), count, frozenset(offered), frozenset(chosen))


def wins(game: AnyGame, final: Any, order: Sequence[int]) -> Sequence[float]:
    """Return the share of the win of each seat. The seats of a team divide theirs."""
    by_team, teams = shares(game, final), game.teams(final)
    of_seat = [team_of(game, final, seat) for seat in order]
    return [by_team[team] / len(teams[team]) for team in of_seat]


@lru_cache(maxsize=1 << 16)
def named(command: Any) -> frozenset[str]:
    """Return what a command uses: its type, and the kind of each thing that it names."""
    fields = msgspec.to_builtins(command)
    kind = fields.pop("type")
    return frozenset((kind, *(f"{kind}: {thing}" for thing in things(fields.values()))))


def things(values: Iterable[Any]) -> Iterator[str]:
    """Yield the kinds of the things that are named by text; `jack_2` is of the kind `jack`."""
    for value in values:
        if isinstance(value, str) and value:
            yield re.sub(r"(_?\d+)+$", "", value)
        elif isinstance(value, dict):
            yield from things(value.values())
        elif isinstance(value, list | tuple):
            yield from things(value)


def report(table: Table, games: Sequence[Game]) -> Iterator[str]:
    """Yield the lines about the games at one table."""
    places = [
        Share(sum(game.wins[place] for game in games), len(games)) for place in range(table.seats)
    ]
    yield f"{table}, {len(games)} games"
    yield "  share won by place, %: " + "; ".join(map(str, places))
    lengths = sorted(game.plies for game in games)
    low, middle, high = (lengths[len(lengths) * share // 100] for share in (10, 50, 90))
    yield f"  commands a game: median {middle}, 80 % between {low} and {high}"
    offered: Counter[str] = Counter()
    chosen: Counter[str] = Counter()
    for game in games:
        offered.update(game.offered)
        chosen.update(game.chosen)
    unused = sorted(name for name in offered if chosen[name] < RARE * offered[name])
    yield f"  used: {len(offered) - len(unused)} of {len(offered)} commands and things"
    told = ", ".join(unused) or "nothing"
    yield f"  chosen in less than {RARE:.0%} of the games that offer it: {told}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("games", nargs="*", default=[*OPTIONS], help="by slug")
    parser.add_argument("--seats", type=int, nargs="*", help="all numbers of seats by default")
    parser.add_argument("--house", nargs="*", help="all house sets of a game by default")
    parser.add_argument("--levels", nargs="*", default=LEVELS[-1:], help="of the bots")
    parser.add_argument("--seeds", type=int, default=400, help="for each table")
    parser.add_argument("--first", type=int, default=FIRST_SEED, help="the first seed")
    parser.add_argument("--processes", type=int, default=2)
    arguments = parser.parse_args()
    seeds = range(arguments.first, arguments.first + arguments.seeds)
    with ProcessPoolExecutor(arguments.processes) as pool:
        for slug in arguments.games:
            counts = [seats for seats in GAMES[slug].seats if seats in SEATS.get(slug, range(2, 9))]
            tables = [
                Table(slug, seats, house, level)
                for seats in arguments.seats or counts
                for house in HOUSES[slug]
                for level in arguments.levels
                if not arguments.house or house in arguments.house
            ]
            for table in tables:
                games = [*pool.map(partial(played, table), seeds, chunksize=8)]
                print("\n".join(report(table, games)), flush=True)


if __name__ == "__main__":
    main()
