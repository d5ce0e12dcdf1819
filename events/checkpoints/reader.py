"""Read a checkpoint log from its files, wherever they are."""

from collections.abc import Iterator
from hashlib import sha256
from typing import Protocol

import msgspec

from events.checkpoints.leaves import Leaf, PlacedLeaf
from events.checkpoints.notes import BadNote, Checkpoint, Verifier, verified
from events.checkpoints.tiles import (
    WIDTH,
    BadTile,
    Tile,
    TiledTree,
    decode_entries,
    entries_path,
    split_hashes,
)
from events.codec import MALFORMED
from events.folder import Folder

CHECKPOINT = "checkpoint"
LEAVES = "private/leaves"
MATCHES = "private/matches"
LEAF = msgspec.json.Decoder(Leaf)
PLACED = msgspec.json.Decoder(list[PlacedLeaf])


class LogBroken(Exception):
    """The log contradicts what was signed, or parts of it are missing. Nothing may be signed."""


class Files(Protocol):
    """Files by name: a folder, or the addresses of a service."""

    def read(self, name: str) -> bytes | None:
        """Return the content of a file, or None if there is none. Raises `Unavailable`."""
        ...

    def path(self, name: str) -> str:
        """Return the path or address of a file, for messages."""
        ...


def read_tile(files: Files, tile: Tile) -> list[bytes]:
    """Read the hashes of a tile. The full tile serves for a partial one. Raises `BadTile`."""
    data = files.read(tile.path)
    if data is None and tile.width < WIDTH:
        data = files.read(tile.full.path)
    if data is None:
        raise BadTile(f"{files.path(tile.path)} is missing")
    return split_hashes(data, len(data) // 32)[: tile.width]


def stored_tree(files: Files, size: int) -> TiledTree:
    """Return the tree of a size, read from the folder's tiles."""
    return TiledTree(size, lambda tile: read_tile(files, tile))


def read_entries(files: Files, number: int, width: int) -> list[bytes]:
    """Read the first entries of a tile of level 0. Raises `BadTile`."""
    data = files.read(entries_path(number, width))
    if data is None and width < WIDTH:
        data = files.read(entries_path(number))
    if data is None:
        raise BadTile(f"{files.path(entries_path(number, width))} is missing")
    return decode_entries(data)[:width]


def read_checkpoint(files: Files, log: Verifier, name: str = CHECKPOINT) -> Checkpoint | None:
    """Read a checkpoint and verify its signature. None if there is none. Raises `LogBroken`."""
    data = files.read(name)
    return None if data is None else read_verified(files, log, name, data)


def read_leaves(folder: Folder, size: int) -> Iterator[Leaf]:
    """Yield what the first `size` leaves commit to. Raises `LogBroken`, `Unavailable`."""
    names = [leaves_path(number) for number in range(-(-size // WIDTH))]
    left = size
    for name, data in zip(names, folder.read_all(names), strict=True):
        leaves = _decoded(folder, name, data)
        if len(leaves) < min(WIDTH, left):
            raise LogBroken(f"{folder.path(name)} has {len(leaves)} leaves of {min(WIDTH, left)}")
        yield from leaves[:left]
        left -= WIDTH


def read_leaves_page(files: Files, number: int) -> list[Leaf]:
    """Return what the leaves of a tile commit to. Raises `LogBroken`, `Unavailable`."""
    name = leaves_path(number)
    data = files.read(name)
    return [] if data is None else _decoded(files, name, data)


def _decoded(files: Files, name: str, data: bytes) -> list[Leaf]:
    try:
        return [LEAF.decode(line) for line in data.splitlines()]
    except MALFORMED as error:
        raise LogBroken(f"{files.path(name)} cannot be read: {error}") from None


def leaves_of(files: Files, match: str) -> list[PlacedLeaf]:
    """Return the leaves of a match that has ended; empty before."""
    data = files.read(match_path(match))
    return [] if data is None else PLACED.decode(data)


def read_verified(files: Files, log: Verifier, name: str, data: bytes) -> Checkpoint:
    """Return what a file with a signed checkpoint says. Raises `LogBroken`."""
    try:
        return verified(data, log)[0]
    except BadNote as error:
        raise LogBroken(f"{files.path(name)}: {error}") from None


def leaves_path(number: int) -> str:
    """Return the name of the file with what the leaves of a tile commit to."""
    return f"{LEAVES}/{number // 1000:06}/{number:09}.jsonl"


def match_path(match: str) -> str:
    """Return the name of the file with the leaves of a match that has ended."""
    return f"{MATCHES}/{sha256(match.encode()).hexdigest()[:2]}/{match}.json"
