"""Lists that grow for hours and are read at their end: all but that is compressed, in blocks."""

import zlib
from abc import abstractmethod
from collections.abc import Iterator
from itertools import chain, islice
from typing import ClassVar, Generic, TypeVar, overload

import msgspec

Item = TypeVar("Item")


def packed(data: bytes, like: bytes = b"") -> bytes:
    """Return compressed bytes. `like`, similar bytes packed alone, makes them three times smaller.

    It is their dictionary, and is needed to unpack them.
    """
    packer = zlib.compressobj(zdict=unpacked(like))
    return packer.compress(data) + packer.flush()


def unpacked(data: bytes, like: bytes = b"") -> bytes:
    """Return what was packed, with the same `like`."""
    return zlib.decompressobj(zdict=unpacked(like)).decompress(data) if data else b""


class PackedList(msgspec.Struct, Generic[Item]):
    """A list of which `pack` compresses all but the end."""

    BLOCK: ClassVar[int]
    """Items that are packed together."""
    LOOSE: ClassVar[int]
    """Items at the end that are never packed, since most readers want these."""

    blocks: tuple[bytes, ...] = ()
    """The first items, `BLOCK` in each, packed; all but the first block like that one."""
    recent: list[Item] = []
    """The items after them."""

    @staticmethod
    @abstractmethod
    def encoded(items: list[Item]) -> bytes:
        """Return items as bytes."""

    @abstractmethod
    def decoded(self, data: bytes) -> list[Item]:
        """Return items from their bytes."""

    def append(self, item: Item) -> None:
        """Add an item at the end."""
        self.recent.append(item)

    def pack(self) -> None:
        """Pack what is not at the end."""
        while len(self.recent) >= self.BLOCK + self.LOOSE:
            data = self.encoded(self.recent[: self.BLOCK])
            self.blocks += (packed(data, self.blocks[0] if self.blocks else b""),)
            del self.recent[: self.BLOCK]

    def cut(self, count: int) -> list[Item]:
        """Remove and return all but the first items."""
        kept = min(count // self.BLOCK, len(self.blocks))
        loose = list(self._from(kept * self.BLOCK))
        place = count - kept * self.BLOCK
        self.blocks, self.recent = self.blocks[:kept], loose[:place]
        return loose[place:]

    def __len__(self) -> int:
        """Return the number of items."""
        return len(self.blocks) * self.BLOCK + len(self.recent)

    def __iter__(self) -> Iterator[Item]:
        """Yield the items in order."""
        return self._from(0)

    @overload
    def __getitem__(self, place: int) -> Item: ...

    @overload
    def __getitem__(self, place: slice) -> list[Item]: ...

    def __getitem__(self, place: int | slice) -> Item | list[Item]:
        """Return an item, or a list of neighbours."""
        if isinstance(place, slice):
            start, stop, step = place.indices(len(self))
            assert step == 1, "neighbours in order"
            return list(islice(self._from(start), max(0, stop - start)))
        return next(self._from(range(len(self))[place]))

    def _from(self, start: int) -> Iterator[Item]:
        block, skipped = divmod(start, self.BLOCK)
        if block >= len(self.blocks):
            return islice(self.recent, start - len(self.blocks) * self.BLOCK, None)
        blocks = map(self._unpacked, range(block, len(self.blocks)))
        return islice(chain(chain.from_iterable(blocks), self.recent), skipped, None)

    def _unpacked(self, block: int) -> list[Item]:
        return self.decoded(unpacked(self.blocks[block], self.blocks[0] if block else b""))
