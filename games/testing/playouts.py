"""Random playouts on which the laws are tried.

A playout is a table (seats, options), a seed and a length. Hypothesis shrinks all three, so a
failure prints the seed and the shortest history. The environment variable `LAWS_EXAMPLES` sets how
many playouts each law plays.
"""

import os
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import msgspec
from hypothesis import HealthCheck, Phase, given, note, settings
from hypothesis import strategies as st

from games.chance import Chance
from games.game import AnyGame, Illegal
from games.playout import Ply, Watchers, at_random, plies, seed_of
from games.testing.laws import Laws

Data = st.DataObject
EXAMPLES = int(os.environ.get("LAWS_EXAMPLES", "5"))
encode = msgspec.json.Encoder().encode


def law(test: Callable[..., None]) -> Callable[..., None]:
    """Run a test of the fixtures `game` and `laws` on playouts that it draws from `data`."""
    tried = settings(
        max_examples=EXAMPLES,
        deadline=None,
        print_blob=False,
        phases=(Phase.generate, Phase.shrink),
        suppress_health_check=(
            HealthCheck.data_too_large,
            HealthCheck.function_scoped_fixture,
            HealthCheck.too_slow,
        ),
    )
    return tried(given(data=st.data())(test))


class Position(NamedTuple):
    """A playout up to some ply."""

    game: AnyGame
    laws: Laws
    seats: int
    options: Any
    seed: bytes
    history: list[Ply]
    state: Any
    dice: Chance
    """The test's own randomness."""

    def viewers(self) -> list[int | None]:
        """List the seats and the spectator."""
        return [*range(self.seats), None]


def playout(game: AnyGame, laws: Laws, data: Data, *, every: int = 1) -> Iterator[Position]:
    """Play at random and yield each `every`-th position, and the last."""
    seats, raw = data.draw(st.sampled_from(list(laws.tables)), label="table")
    seed = data.draw(st.integers(0, 2**32), label="seed")
    length = laws.records_max - data.draw(st.integers(0, laws.records_max - 1), label="cut")
    options = msgspec.convert(raw, game.Options)
    dice = Chance(seed_of(seed), 1 << 40)
    walk = plies(game, seats, options, seed_of(seed), at_random(Chance(seed_of(seed), 1 << 41)))
    note(f"{game.slug} seats={seats} options={raw} seed={seed}")
    history: list[Ply] = []
    for state, ply in walk:
        note(f"  {ply.version} seat {ply.seat}: {encode(ply.command).decode()}")
        history.append(ply)
        last = len(history) == length or not game.waiting(state)
        if last or len(history) % every == 0:
            yield Position(game, laws, seats, options, seed_of(seed), history, state, dice)
        if last:
            break


def watched_playout(
    game: AnyGame, laws: Laws, data: Data, *, every: int = 1
) -> Iterator[tuple[Position, Watchers]]:
    """Play at random as `playout` does, with everybody watching."""
    watchers: Watchers | None = None
    told = 0
    for position in playout(game, laws, data, every=every):
        if watchers is None:
            watchers = Watchers(game, position.seats, position.options)
        for ply in position.history[told:]:
            watchers.watch(ply)
        told = len(position.history)
        yield position, watchers


def accepts(position: Position, state: Any, seat: int, command: Any) -> bool:
    """Return whether the rules accept a command."""
    try:
        position.game.decide(state, seat, command, Chance(seed_of(7), 1 << 42))
    except Illegal:
        return False
    return True
