"""Measure the search for the last winnable version: `python -m tests.bench.rescue`.

Matches of Tranquility are lost by random players, or by bots, and each is searched. The table is
written into `docs/analysis.md`.
"""

import argparse
import time
from collections import Counter
from collections.abc import Iterator
from typing import Any

from games import GAMES
from games.chance import Chance
from games.match.commands import CreateMatch
from games.match.fold import open_match
from games.match.line import Entry
from games.match.model import Match
from games.match.seating import Issuer, create
from games.playout import Watchers, at_random, by_bots, plies, seed_of
from replay.rescue import last_winnable
from tests.bench.calibration import PAGE
from tests.bench.strength import replace_table

GAME = GAMES["tranquility"]
FIRST_SEED = 60_000


def lost(players: str, seats: int, seed: int, options: dict[str, Any]) -> Match | None:
    """Play a match; None if it was won."""
    command = CreateMatch(GAME.slug, seats, options)
    (header,) = create(GAME, "m_bench", command, Issuer("p_0", "s", "k", bytes(32)))
    match = open_match(GAME, header)
    watchers = Watchers(GAME, seats, match.options)
    own = Chance(seed_of(seed), 1 << 48)
    choose = (
        at_random(own) if players == "random" else by_bots(GAME, watchers, [players] * seats, own)
    )
    for state, ply in plies(GAME, seats, match.options, seed_of(seed), choose):
        watchers.watch(ply)
        match.line.append(Entry(ply.version, ply.seat, ply.command, tuple(ply.events)))
        match.state, match.version = state, ply.version
    result = GAME.result(match.state)
    assert result is not None, "played to its end"
    return None if result.winners else match


def rows(matches: int) -> Iterator[str]:
    """Yield the table."""
    yield (
        "| players | difficulty | seats | lost matches | exact | a win shown, border open "
        "| lost from the deal | not shown | median CPU s | p99 | longest |"
    )
    yield "|---|---|---|---|---|---|---|---|---|---|---|"
    for players in ("random", "heuristic"):
        for difficulty in ("none", "poseidon"):
            for seats in (2, 3, 4, 5):
                yield _row(players, difficulty, seats, matches)


def _row(players: str, difficulty: str, seats: int, matches: int) -> str:
    outcomes: Counter[str] = Counter()
    seconds: list[float] = []
    seed = FIRST_SEED
    while len(seconds) < matches:
        match = lost(players, seats, seed, {"difficulty": difficulty})
        seed += 1
        if match is None:
            continue
        began = time.process_time()
        rescue = last_winnable(match)
        seconds.append(time.process_time() - began)
        exact = rescue.losing is not None
        outcomes["exact" if exact else rescue.outcome] += 1
    seconds.sort()
    shares = [100 * outcomes[name] / matches for name in ("exact", "line", "proof", "not-shown")]
    told = " | ".join(f"{share:.0f} %" for share in shares)
    marks = (seconds[matches // 2], seconds[matches * 99 // 100], seconds[-1])
    times = " | ".join(f"{mark:.2f}" for mark in marks)
    return f"| {players} | {difficulty} | {seats} | {matches} | {told} | {times} |"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--matches", type=int, default=25, help="lost ones of each row")
    arguments = parser.parse_args()
    PAGE.write_text(replace_table(PAGE.read_text(), "rescue", rows(arguments.matches)))


if __name__ == "__main__":
    main()
