"""Speed of random playouts: legal commands are listed at every decision."""

import time

from games.chance import Chance
from games.ke_dnu import GAME
from games.playout import at_random, plies, seed_of

DECISIONS_PER_SECOND = 5000


def test_five_thousand_decisions_a_second_on_one_core():
    """By processor time, so that other work on the machine does not count."""
    decisions = 0
    start = time.process_time()
    for seed in range(6):
        random = at_random(Chance(seed_of(seed), 1))
        for _ in plies(GAME, 2 + seed % 3, GAME.Options(), seed_of(seed), random):
            decisions += 1
    speed = decisions / (time.process_time() - start)
    print(f"{speed:.0f} decisions a second")
    assert speed > DECISIONS_PER_SECOND
