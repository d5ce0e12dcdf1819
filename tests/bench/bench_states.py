"""States: what a copy and a view take, and what a draft in place saves."""

import timeit
from collections.abc import Callable, Iterator
from copy import deepcopy
from typing import Any, NamedTuple

from games import GAMES
from games.chance import Chance
from games.game import AnyGame
from games.playout import Ply, at_random, plies, seed_of

MATCHES = 4
EVERY = 7
"""Plies between two measured positions."""
CALLS = 20
RUNS = 5


class Position(NamedTuple):
    """A state before a ply, and the ply."""

    state: Any
    ply: Ply


def positions(game: AnyGame, seats: int) -> Iterator[Position]:
    """Yield positions of random playouts."""
    for number in range(MATCHES):
        random = at_random(Chance(seed_of(number), 1 << 41))
        before = None
        walk = plies(game, seats, game.Options(), seed_of(number), random)
        for count, (state, ply) in enumerate(walk):
            if before is not None and count % EVERY == 0:
                yield Position(before, ply)
            before = state.copy()


def micros(measured: list[Position], call: Callable[[Position], object]) -> float:
    """Return the time of a call (microseconds): the mean over positions, in the best run."""

    def run() -> None:
        for position in measured:
            call(position)

    times = timeit.repeat(run, number=CALLS, repeat=RUNS)
    return min(times) / CALLS / len(measured) * 1e6


def folded(game: AnyGame, state: Any, ply: Ply) -> Any:
    """Decide a ply on a copy and fold its events into another, as without a draft."""
    after = state.copy()
    for event in game.decide(state, ply.seat, ply.command, Chance(seed_of(0), ply.version)):
        game.apply(after, event)
    return after


def main() -> None:
    """Print a line for each game."""
    for game in GAMES.values():
        seats = game.seats[len(game.seats) // 2]
        measured = list(positions(game, seats))
        copy = micros(measured, lambda at: at.state.copy())
        deep = micros(measured, lambda at: deepcopy(at.state))
        view = micros(measured, lambda at, game=game: game.view(at.state, 0))
        twice = micros(measured, lambda at, game=game: folded(game, *at))
        once = micros(
            measured,
            lambda at, game=game: game.step(
                at.state.copy(), at.ply.seat, at.ply.command, Chance(seed_of(0), at.ply.version)
            ),
        )
        print(
            f"{game.slug} ({seats} seats): copy {copy:5.1f} µs ({deep / copy:4.0f} × as fast as "
            f"deepcopy), view {view:5.1f} µs, step {once:5.1f} µs "
            f"({once / twice:.2f} of decide and fold)"
        )


if __name__ == "__main__":
    main()
