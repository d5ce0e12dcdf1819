"""Numbered worlds that fit what a seat has seen; a number always gives the same world and dice."""

from collections.abc import Callable
from functools import partial
from hashlib import sha256
from typing import Any, NoReturn

from games.chance import Chance
from games.game import AnyGame, NothingFits, Seen
from games.search.rollout import blueprint_of

SAMPLING = 1 << 33
"""Version whose dice sample a world; other versions are thrown within the world."""


class Worlds:
    """The worlds of one search."""

    def __init__(self, game: AnyGame, view: Any, seen: Seen, chance: Chance) -> None:
        """Take the viewer's knowledge; all worlds follow from a seed drawn from `chance`."""
        blueprint = blueprint_of(game)
        self._draw: Callable[[Chance], Any]
        if not seen.whole:
            self._draw = partial(_nothing_fits, seen.viewer)
        elif blueprint.worlds is None:
            self._draw = partial(game.players.sample, view, seen)
        else:
            self._draw = blueprint.worlds(view, seen)
        self._seed = seed_from(chance)

    def seed(self, number: int) -> bytes:
        """Return the seed of all dice in a world."""
        return _numbered(self._seed, number)

    def sample(self, number: int) -> Any:
        """Return a new copy of a world; raises `NothingFits`."""
        return self._draw(Chance(self.seed(number), SAMPLING))


def _nothing_fits(viewer: int | None, _chance: Chance) -> NoReturn:
    raise NothingFits(viewer)


def seed_from(chance: Chance) -> bytes:
    """Draw a seed of 32 bytes."""
    return b"".join(chance.randbelow(1 << 32).to_bytes(4, "big") for _ in range(8))


def _numbered(seed: bytes, number: int) -> bytes:
    """Derive a numbered seed."""
    return sha256(seed + number.to_bytes(8, "big")).digest()
