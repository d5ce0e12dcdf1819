"""Deterministic dice that anyone can recompute: SHA-256 in counter mode, unbiased by rejection.

`docs/chance.md` specifies it for other languages. Block i of the stream is
SHA-256(seed ‖ version ‖ i), both numbers as 8 big-endian bytes, i from 0. A block holds four 8-byte
big-endian words.
"""

from collections.abc import Sequence
from hashlib import sha256
from struct import Struct
from typing import Any, TypeVar

T = TypeVar("T")

SEED_BYTES = 32
WORD_SPAN = 1 << 64
_words_of = Struct(">4Q").unpack


class Chance:
    """The dice of one record, keyed by the match seed and the record's version."""

    __slots__ = ("_block", "_prefix", "_seed", "_version", "_words")

    def __init__(self, seed: bytes, version: int) -> None:
        """Take the 32-byte match seed and the version of the record being decided."""
        assert len(seed) == SEED_BYTES, "a seed has 32 bytes"
        self._seed = seed
        self._version = version
        self._block = 0
        self._words: list[int] = []

    def _word(self) -> int:
        if not self._words:
            if not self._block:
                self._prefix = self._match_seed() + self._version.to_bytes(8, "big")
            block = sha256(self._prefix + self._block.to_bytes(8, "big")).digest()
            self._block += 1
            self._words = [*_words_of(block)]
            self._words.reverse()
        return self._words.pop()

    def _match_seed(self) -> bytes:
        return self._seed

    def randbelow(self, n: int) -> int:
        """Return a uniform number in 0 … n-1; words above the last multiple of n are rejected."""
        limit = WORD_SPAN - WORD_SPAN % n
        word = self._word()
        while word >= limit:
            word = self._word()
        return word % n

    def shuffle(self, items: list[Any]) -> None:
        """Shuffle in place (Fisher-Yates from the last index down to 1)."""
        for i in range(len(items) - 1, 0, -1):
            j = self.randbelow(i + 1)
            items[i], items[j] = items[j], items[i]

    def sample(self, items: Sequence[T], k: int) -> list[T]:
        """Return k different items in random order: the first k of a shuffled copy."""
        pool = list(items)
        self.shuffle(pool)
        return pool[:k]

    def choice(self, items: Sequence[T]) -> T:
        """Return one item at random."""
        return items[self.randbelow(len(items))]


class Sealed(Exception):
    """Dice were needed, but the match seed is not known."""


class SealedChance(Chance):
    """Dice of a match whose seed is still secret: to draw from them raises `Sealed`."""

    __slots__ = ()

    def __init__(self) -> None:
        """Take no seed."""
        super().__init__(bytes(SEED_BYTES), 0)

    def _word(self) -> int:
        raise Sealed
