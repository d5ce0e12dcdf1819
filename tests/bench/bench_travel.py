"""How fast one gets to any version of a match of 1,000 records, in each game."""

import time
from collections.abc import Sequence

from games import GAMES
from games.game import AnyGame
from games.match.commands import PerMove
from replay.history import History
from replay.timeline import timeline
from replay.travel import Sight
from tests.games.laws import has_laws, laws_of
from tests.record_matches import Plan, Table, players_of

RECORDS = 1_000
JUMPS = 200
UNDOS = 650
"""Of a thousand decisions: with so many taken back, a match of any game gets long."""


def long_match(game: AnyGame) -> list[bytes]:
    """Play at random until a match has so many records."""
    players = players_of(game)
    for number in range(1_000):
        tables = laws_of(game.slug).tables
        seats, options = tables[number % len(tables)]
        plan = Plan(
            number, seats, dict(options), PerMove(60), ("",) * seats, "random", "undo", UNDOS
        )
        table = Table(game, plan, players)
        table.play()
        if len(table.recorder.lines) >= RECORDS:
            return table.recorder.lines[:RECORDS]
    raise AssertionError(f"no long match of {game.slug}")


def jumps(history: History, sight: Sight) -> Sequence[float]:
    """Return the processor seconds of jumps all over a match, fastest first."""
    last = history.last(sight)
    seconds: list[float] = []
    for number in range(JUMPS):
        to = 1 + (number * 7_919) % last
        start = time.thread_time()
        history.plain(sight, to)
        seconds.append(time.thread_time() - start)
    return sorted(seconds)


def main() -> None:
    """Print the table."""
    for slug, game in GAMES.items():
        if not has_laws(slug):
            print(f"{slug} has no laws in this repository")
            continue
        lines = long_match(game)
        start = time.perf_counter()
        history = History(GAMES, lines)
        history.last("full")
        built = time.perf_counter() - start
        for sight in ("full", 0):
            seconds = jumps(history, sight)
            print(
                f"jump in {len(lines)} records of {slug:13}, {sight!s:4}: "
                f"p50 {1e3 * seconds[JUMPS // 2]:5.2f} ms  "
                f"p99 {1e3 * seconds[JUMPS * 99 // 100]:5.2f} ms"
            )
        start = time.perf_counter()
        timeline(GAMES, lines, "full")
        told = time.perf_counter() - start
        print(f"  first look {1e3 * built:.0f} ms, timeline {1e3 * told:.0f} ms")


if __name__ == "__main__":
    main()
