"""Numbered worlds that fit what a seat has seen; a number always gives the same world and dice."""

from collections.abc import Callable
from functools import cached_property, partial
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
        self._game, self._view, self._seen = game, view, seen
        self._seed = seed_from(chance)

    @cached_property
    def _draw(self) -> Callable[[Chance], Any]:
        """What samples worlds. It reads all records, so it is made only when it is needed."""
        if not self._seen.whole:
            return partial(_nothing_fits, self._seen.viewer)
        if (worlds := blueprint_of(self._game).worlds) is None:
            return partial(self._game.players.sample, self._view, self._seen)
        return worlds(self._view, self._seen)

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
