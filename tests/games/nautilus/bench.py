"""Measure Nautilus: `python -m tests.games.nautilus.bench [matches]`.

Prints random decisions per second, and tables of matches between bots.
"""

import sys
import time

from games.chance import Chance
from games.nautilus import GAME
from games.nautilus.model import Options
from games.playout import at_random, play_bots, plies, seed_of


def playouts(seats: int, matches: int) -> str:
    """Measure random playouts, with the legal commands listed at every decision."""
    decisions = 0
    began = time.process_time()
    for number in range(matches):
        random = at_random(Chance(seed_of(number), 1 << 41))
        decisions += sum(1 for _ in plies(GAME, seats, Options(), seed_of(number), random)) - 1
    return f"{decisions / (time.process_time() - began):8.0f} random decisions/s"


def bots(levels: list[str], matches: int) -> str:
    """Compare levels on the same seeds, with the first level in each seat in turn."""
    seats = len(levels)
    won = 0.0
    scores: dict[str, list[int]] = {level: [] for level in levels}
    for number in range(matches):
        for shift in range(seats):
            turned = levels[-shift:] + levels[:-shift] if shift else levels
            state = play_bots(GAME, seats, Options(), seed_of(10_000 + number), turned)
            winners = state.result.winners
            won += (shift in winners) / len(winners)
            for part in state.result.seats:
                scores[turned[part.seat]].append(part.score)
    means = ", ".join(f"{level} {sum(s) / len(s):.0f}" for level, s in scores.items())
    total = matches * seats
    return f"{won / total:6.1%} of {total} matches won (even: {1 / seats:.0%}); mean scores {means}"


def main() -> None:
    matches = int(sys.argv[1]) if len(sys.argv) > 1 else 20
    for seats in GAME.seats:
        print(f"{seats} seats: {playouts(seats, 2 * matches)}")
    for seats in GAME.seats:
        levels = ["heuristic"] + ["random"] * (seats - 1)
        print(f"{seats} seats, one heuristic: {bots(levels, matches)}")


if __name__ == "__main__":
    main()
