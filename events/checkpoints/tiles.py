"""Tiles as specified by C2SP: the hashes of a tree in files of 256.

A tile of level 0 has the hashes of leaves. A tile of the next level has the roots of full tiles.
The last tile of a level is partial. It is stored under its width and never changed.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from events.checkpoints.merkle import Subtree, node_hash, root, split

WIDTH = 256
"""Number of hashes in a full tile."""
HEIGHT = 8
"""Number of levels of the tree in a tile."""
HASH_BYTES = 32

NUMBER = r"(?:x\d{3}/)*\d{3}"
PATH = re.compile(rf"tile/(?:[0-7]|entries)/{NUMBER}(?:\.p/[1-9]\d{{0,2}})?", re.ASCII)
"""Names of tiles."""


class BadTile(Exception):
    """A tile is missing, has the wrong length, or does not belong to the tree."""


class Tile(NamedTuple):
    """The place of a tile in a tree of a given size."""

    level: int
    number: int
    width: int = WIDTH
    """Number of hashes; below 256 for a partial tile."""

    @property
    def path(self) -> str:
        """The name of the file."""
        return f"tile/{self.level}/{_numbered(self.number, self.width)}"

    @property
    def full(self) -> "Tile":
        """The full tile at the same place."""
        return self._replace(width=WIDTH)


def entries_path(number: int, width: int = WIDTH) -> str:
    """Return the name of the file with the entries of a tile of level 0."""
    return f"tile/entries/{_numbered(number, width)}"


def _numbered(number: int, width: int) -> str:
    digits = f"{number:03}"
    digits = digits.zfill(-(-len(digits) // 3) * 3)
    groups = [digits[at : at + 3] for at in range(0, len(digits), 3)]
    name = "/".join([*(f"x{group}" for group in groups[:-1]), groups[-1]])
    return name if width == WIDTH else f"{name}.p/{width}"


def encode_entries(entries: Sequence[bytes]) -> bytes:
    """Encode the entries of a tile: the length of each in two bytes, and the entry."""
    return b"".join(len(entry).to_bytes(2, "big") + entry for entry in entries)


def decode_entries(data: bytes) -> list[bytes]:
    """Decode the entries of a tile. Raises `BadTile`."""
    entries: list[bytes] = []
    at = 0
    while at < len(data):
        start = at + 2
        at = start + int.from_bytes(data[at:start], "big")
        if at > len(data) or start > len(data):
            raise BadTile("the entries are cut short")
        entries.append(data[start:at])
    return entries


def split_hashes(data: bytes, width: int) -> list[bytes]:
    """Return the hashes of a tile. Raises `BadTile` unless there are `width`."""
    if len(data) != width * HASH_BYTES:
        raise BadTile(f"a tile has {len(data)} bytes, expected {width * HASH_BYTES}")
    return [data[at : at + HASH_BYTES] for at in range(0, len(data), HASH_BYTES)]


ReadHashes = Callable[[Tile], list[bytes]]
"""Reads the hashes of a tile."""


def last_tiles(size: int) -> Iterator[Tile]:
    """Yield the last tile of every level of a tree, the partial ones and full ones alike."""
    level = 0
    while size:
        yield Tile(level, (size - 1) // WIDTH, (size - 1) % WIDTH + 1)
        size //= WIDTH
        level += 1


class TiledTree:
    """A tree of a given size, read from its tiles."""

    def __init__(self, size: int, read: ReadHashes) -> None:
        """Read each tile at most once."""
        self.size = size
        self._read = read
        self._tiles: dict[Tile, list[bytes]] = {}

    @property
    def root(self) -> bytes:
        """The root."""
        return self.root_at(self.size)

    def root_at(self, size: int) -> bytes:
        """Return the root that the tree had when it was smaller."""
        return self.subtree(0, size) if size else root(())

    @property
    def subtree(self) -> Subtree:
        """The roots of subtrees, for proofs."""
        return self._subtree

    def _subtree(self, start: int, end: int) -> bytes:
        size = end - start
        if size & (size - 1):
            middle = start + split(size)
            return node_hash(self._subtree(start, middle), self._subtree(middle, end))
        level = (size.bit_length() - 1) // HEIGHT
        span = 1 << HEIGHT * level
        first = start // span
        hashes = self.hashes(level, first // WIDTH)
        at = first % WIDTH
        return root(hashes[at : at + size // span])

    def hashes(self, level: int, number: int) -> list[bytes]:
        """Return the hashes of a tile of this tree. Raises `BadTile`."""
        count = self.size >> HEIGHT * level
        width = min(WIDTH, count - number * WIDTH)
        if width <= 0:
            raise BadTile(f"a tree of {self.size} leaves has no tile {number} of level {level}")
        tile = Tile(level, number, width)
        if tile not in self._tiles:
            hashes = self._read(tile)
            if len(hashes) != width:
                raise BadTile(f"{tile.path} has {len(hashes)} hashes, expected {width}")
            self._tiles[tile] = hashes
        return self._tiles[tile]


class Edge:
    """The right edge of a growing tree: the hashes of the last tile of each level.

    `append` returns the tiles that changed. The edge of a tree takes some kilobytes, however large
    the tree is.
    """

    def __init__(self, size: int = 0, levels: Sequence[Sequence[bytes]] = ()) -> None:
        """Continue a tree from the hashes of its partial tiles, which may be empty."""
        self.size = size
        self._levels: list[list[bytes]] = [list(level) for level in levels]

    @classmethod
    def of(cls, tree: TiledTree) -> "Edge":
        """Read the right edge of a stored tree. Raises `BadTile`."""
        levels = [
            tree.hashes(tile.level, tile.number) if tile.width < WIDTH else []
            for tile in last_tiles(tree.size)
        ]
        return cls(tree.size, levels)

    def copy(self) -> "Edge":
        """Return an independent edge of the same tree."""
        return Edge(self.size, self._levels)

    def append(self, hashes: Sequence[bytes]) -> dict[Tile, bytes]:
        """Append leaf hashes, and return the contents of all new tiles."""
        self.size += len(hashes)
        tiles: dict[Tile, bytes] = {}
        count, level = self.size, 0
        added: list[bytes] = list(hashes)
        while added:
            if level == len(self._levels):
                self._levels.append([])
            row = [*self._levels[level], *added]
            number = (count - len(row)) // WIDTH
            added = []
            while len(row) >= WIDTH:
                full, row = row[:WIDTH], row[WIDTH:]
                tiles[Tile(level, number)] = b"".join(full)
                added.append(root(full))
                number += 1
            if row:
                tiles[Tile(level, number, len(row))] = b"".join(row)
            self._levels[level] = row
            count //= WIDTH
            level += 1
        return tiles

    @property
    def root(self) -> bytes:
        """The root of the tree."""
        rest: list[bytes] = []
        for row in self._levels:
            if row or rest:
                rest = [root([*row, *rest])]
        return rest[0] if rest else root(())
