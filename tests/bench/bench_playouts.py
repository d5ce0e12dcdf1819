"""Random playouts beside OpenSpiel's Python API: `python -m tests.bench.bench_playouts`.

OpenSpiel plays Leduc poker, Hearts and Liar's poker in the same run. Its first two are written in
C++ and called from Python; its Liar's poker is Python, as our games are. Actions a second compare
the cost of a step.
"""

import random
import time

from games import GAMES
from replay.playing import Playing

SECONDS = 3
STEPS_MAX = 5_000
THEIRS = ("leduc_poker", "hearts", "python_liars_poker")


def measured(play) -> tuple[float, float]:
    """Return playouts and actions a second."""
    begun, playouts, actions = time.perf_counter(), 0, 0
    while time.perf_counter() - begun < SECONDS:
        actions += play(random.Random(playouts))
        playouts += 1
    took = time.perf_counter() - begun
    return playouts / took, actions / took


def ours(slug: str, seats: int):
    def play(dice: random.Random) -> int:
        playing, steps = Playing(slug, seats, seed=dice.getrandbits(64)), 0
        while not playing.is_terminal() and steps < STEPS_MAX:
            playing.apply_action(dice.choice(playing.legal_actions()))
            steps += 1
        return steps

    return play


def theirs(game):
    def play(dice: random.Random) -> int:
        state, steps = game.new_initial_state(), 0
        while not state.is_terminal():
            state.apply_action(dice.choice(state.legal_actions()))
            steps += 1
        return steps

    return play


def main() -> None:
    """Print playouts and actions a second, and the ratio to OpenSpiel's slowest game."""
    slowest = None
    try:
        import pyspiel
        from open_spiel.python.games import liars_poker  # noqa: F401 - registers the game
    except ImportError:
        print("OpenSpiel is not installed: pip install open_spiel")
    else:
        for name in THEIRS:
            playouts, actions = measured(theirs(pyspiel.load_game(name)))
            slowest = min(slowest or actions, actions)
            print(f"{name:20}{playouts:10.1f} playouts/s{actions:12.0f} actions/s")
    for slug, game in GAMES.items():
        playouts, actions = measured(ours(slug, max(2, game.seats[0])))
        ratio = "" if slowest is None else f"{actions / slowest:10.3f} of OpenSpiel"
        print(f"{slug:20}{playouts:10.1f} playouts/s{actions:12.0f} actions/s{ratio}")


if __name__ == "__main__":
    main()
