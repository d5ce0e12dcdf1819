"""Measure how strong the bots are in tournaments: `python -m tests.bench.strength [game …]`.

The tables of the named games in `docs/strength.md` are replaced; all else stays. The seeds are not
those of tuning.
"""

import argparse
import time
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from games import GAMES
from games.game import AnyGame
from games.playout import RANDOM
from games.tournament import SPRT_BOUND, BuiltIn, Pairing, likelihood, share_of
from tests.bench import tranquility_strength as tranquility

PAGE = Path(__file__).parents[2] / "docs" / "strength.md"
FIRST_SEED = 50_000
"""The bots were tuned on seeds from 100,000 on."""
ELO_LOW, ELO_HIGH = 0.0, 50.0
COLUMNS = (
    *("level", "against", "seats", "seeds", "games", "share won", "log-likelihood"),
    *("ms mean", "p99"),
)
HEAD = (f"| {' | '.join(COLUMNS)} |", "|" + "---|" * len(COLUMNS))

Rows = Callable[[], Iterable[str]]


class Entry(NamedTuple):
    """One row: a level against another one, and the weight of its seeds, more if quick."""

    level: str
    rival: str
    seats: int
    weight: float


def entries(game: AnyGame) -> Iterator[Entry]:
    """Yield the rows of a competitive game."""
    few = min(game.seats)
    yield Entry("heuristic", RANDOM, few, 2)
    if "strong" not in game.players.bots:
        return
    yield Entry("strong", "heuristic", few, 1)
    if (
        4 in game.seats and len(game.teams(game.initial(4, game.Options()))) == 4
    ):  # crews are two, however many sit
        yield Entry("strong", "heuristic", 4, 0.5)


def tournaments(game: AnyGame, seeds: int) -> Iterator[str]:
    """Yield the table of a competitive game."""
    yield from HEAD
    for entry in entries(game):
        count = max(2, round(seeds * entry.weight))
        yield row(game, entry, range(FIRST_SEED, FIRST_SEED + count))


def row(game: AnyGame, entry: Entry, seeds: Iterable[int]) -> str:
    """Return one row. The likelihood needs even games."""
    level, rival = BuiltIn(entry.level), BuiltIn(entry.rival)
    pairing = Pairing(game, entry.seats, game.Options(), (level, rival), time.process_time_ns)
    rounds = list(pairing.rounds(seeds))
    games = [match for each in rounds for match in each.matches]
    times = sorted(us for match in games for us in match.decision_us[0]) or [0]
    ratio = likelihood([each.score for each in rounds], ELO_LOW, ELO_HIGH)
    told = f"{ratio:+.1f}" if rounds[0].even and entry.level == "strong" else ""
    mean, high = sum(times) / len(times) / 1000, times[len(times) * 99 // 100] / 1000
    return (
        f"| {entry.level} | {entry.rival} | {entry.seats} | {len(rounds)} "
        f"| {len(games)} | {share_of(rounds)} | {told} | {mean:.1f} | {high:.1f} |"
    )


def tables(slug: str, seeds: int) -> dict[str, Rows]:
    """Return the tables of a game by name."""
    if slug == "tranquility":
        return {
            "tranquility": lambda: [tranquility.facts(), "", *tranquility.wins_table(seeds)],
            "tranquility-solver": lambda: tranquility.verdicts_table(max(2, seeds // 5)),
        }
    return {slug: lambda: tournaments(GAMES[slug], seeds)}


def tabled(page: Path, prefix: str = "") -> list[str]:
    """Return the games that have a table in a page."""
    text = page.read_text()
    return [slug for slug in GAMES if f"<!-- {prefix}{slug} -->" in text]


def replace_table(page: str, name: str, rows: Iterable[str]) -> str:
    """Put new rows between a table's marks."""
    begin, end = f"<!-- {name} -->\n", f"<!-- /{name} -->"
    before, _, rest = page.partition(begin)
    _, _, after = rest.partition(end)
    assert after, f"no place for {name}"
    table = "".join(f"{line}\n" for line in rows)
    return f"{before}{begin}{table}{end}{after}"


def shown(rows: Iterable[str]) -> list[str]:
    """Print rows as they come."""
    lines: list[str] = []
    for line in rows:
        print(line, flush=True)
        lines.append(line)
    return lines


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "games", nargs="*", default=tabled(PAGE), help="by slug; all of the page by default"
    )
    parser.add_argument(
        "--seeds",
        type=int,
        default=200,
        help="of strong against heuristic at two seats; other pairings play twice or half as many",
    )
    arguments = parser.parse_args()
    print(f"Passed at a log-likelihood ratio of {SPRT_BOUND:.2f}.")
    for slug in arguments.games:
        for name, rows in tables(slug, arguments.seeds).items():
            print(f"\n{name}")
            lines = shown(rows())
            PAGE.write_text(replace_table(PAGE.read_text(), name, lines))


if __name__ == "__main__":
    main()
