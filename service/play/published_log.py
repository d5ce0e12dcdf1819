"""The checkpoint log as everybody may read it: checkpoint, tiles and proofs."""

import asyncio
from functools import lru_cache

import msgspec
from cachetools import TTLCache

from events.checkpoints.leaves import Leaf
from events.checkpoints.merkle import prove_consistency, prove_inclusion
from events.checkpoints.notes import Verifier, proof_text
from events.checkpoints.reader import (
    CHECKPOINT,
    leaves_of,
    read_checkpoint,
    read_verified,
    stored_tree,
)
from events.folder import Folder

FRESH_S = 1.0
"""Time for which a checkpoint is answered from memory (seconds)."""
TILES_MAX = 2_048
"""Maximum number of tiles in memory: at most 16 MiB."""


class ProvedLeaf(msgspec.Struct, frozen=True):
    """A leaf of a match with its proof."""

    index: int
    leaf: Leaf
    proof: bytes
    """In the form of C2SP's tlog-proof, for offline use."""


class Absent(Exception):
    """There is no such file, or the log has no tree of that size."""


class CachedFiles:
    """The public files of a log; tiles never change, so they are kept in memory."""

    def __init__(self, folder: Folder) -> None:
        """Read from a folder or a bucket."""
        self._folder = folder
        self._tile = lru_cache(TILES_MAX)(self._load)

    def path(self, name: str) -> str:
        """Return the path of a file, for messages."""
        return self._folder.path(name)

    def read(self, name: str) -> bytes | None:
        """Return a file, or None if there is none. Raises `Unavailable`."""
        if not name.startswith("tile/"):
            return self._folder.read(name)
        try:
            return self._tile(name)
        except Absent:
            return None

    def _load(self, name: str) -> bytes:
        data = self._folder.read(name)
        if data is None:
            raise Absent(name)
        return data


class PublishedLog:
    """Reads the public part of a checkpoint log, and the leaves of matches that have ended."""

    def __init__(self, folder: Folder, verifier: Verifier) -> None:
        """Read from a folder; `verifier` is the key of the log."""
        self.verifier = verifier
        self._folder = folder
        self._files = CachedFiles(folder)
        self._fresh: TTLCache[str, bytes] = TTLCache(1, FRESH_S)

    async def checkpoint(self) -> bytes:
        """Return the signed checkpoint. Raises `Absent`, `Unavailable`."""
        data = self._fresh.get(CHECKPOINT)
        if data is None:
            data = await asyncio.to_thread(self._folder.read, CHECKPOINT)
            if data is None:
                raise Absent(CHECKPOINT)
            self._fresh[CHECKPOINT] = data
        return data

    async def tile(self, name: str) -> bytes:
        """Return a tile. Raises `Absent`, `Unavailable`."""
        data = await asyncio.to_thread(self._files.read, name)
        if data is None:
            raise Absent(name)
        return data

    async def consistency(self, old: int, new: int) -> list[bytes]:
        """Return the proof that the tree of one size extends that of another.

        Raises `Absent`, `BadTile`, `LogBroken`, `Unavailable`.
        """
        return await asyncio.to_thread(self._consistency, old, new)

    async def proofs(self, match: str) -> list[ProvedLeaf]:
        """Return the leaves of a match that has ended; empty if its end is not in the log yet.

        Raises `BadTile`, `LogBroken`, `Unavailable`.
        """
        return await asyncio.to_thread(self._proofs, match)

    def _consistency(self, old: int, new: int) -> list[bytes]:
        published = read_checkpoint(self._files, self.verifier)
        if published is None or not 0 < old <= new <= published.size:
            raise Absent(f"{old} to {new}")
        # Only the published size has all of its partial tiles, and they serve smaller sizes too.
        return prove_consistency(old, new, stored_tree(self._files, published.size).subtree)

    def _proofs(self, match: str) -> list[ProvedLeaf]:
        note = self._folder.read(CHECKPOINT)
        if note is None:
            return []
        published = read_verified(self._folder, self.verifier, CHECKPOINT, note)
        subtree = stored_tree(self._files, published.size).subtree
        return [
            ProvedLeaf(
                placed.index,
                placed.leaf,
                proof_text(
                    placed.leaf.text.encode(),
                    placed.index,
                    prove_inclusion(placed.index, published.size, subtree),
                    note,
                ),
            )
            for placed in leaves_of(self._folder, match)
            if placed.index < published.size
        ]
