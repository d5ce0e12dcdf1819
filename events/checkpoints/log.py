"""The writer of a checkpoint log, in a folder or a bucket.

    checkpoint               the published checkpoint
    tile/…                   tiles and entries, as C2SP's tlog-tiles has them
    private/lock             the last signed checkpoint: the truth about what was signed
    private/staged/…         everything that belongs to a checkpoint that is being written
    private/leaves/…         what the leaves commit to, in pages of 256
    private/matches/…        the leaves of each match that has ended or has errata

Only `checkpoint` and `tile/` are public. To add leaves, everything new is first staged as one file,
read back and hashed again. Then the checkpoint is signed and replaces the one in `private/lock`,
which succeeds for one process only. Then the files are written, the last of them `checkpoint`. A
process that was killed in between is completed by the next one from the staged file.

The order of the tree is a truth of its own. Nothing that was signed is ever written anew from the
logs of the matches: leaves that are missing are appended.
"""

from collections.abc import Sequence
from typing import NamedTuple

import msgspec

from events.checkpoints.leaves import Leaf, PlacedLeaf
from events.checkpoints.merkle import leaf_hash
from events.checkpoints.notes import Checkpoint, Signer, signed
from events.checkpoints.reader import (
    CHECKPOINT,
    LogBroken,
    leaves_of,
    leaves_path,
    match_path,
    read_entries,
    read_leaves,
    read_verified,
    stored_tree,
)
from events.checkpoints.tiles import WIDTH, BadTile, Edge, TiledTree, encode_entries, entries_path
from events.codec import MALFORMED
from events.folder import Folder, NoSuchPlace, Swapped

LOCK = "private/lock"
STAGED = "private/staged"
LEAVES_MAX = 50_000
"""Maximum number of leaves that are added together."""
ENCODER = msgspec.json.Encoder()


class Entry(NamedTuple):
    """An entry to append."""

    data: bytes
    """The public bytes."""
    leaf: Leaf
    """What they commit to."""


class Bundle(msgspec.Struct, frozen=True):
    """A staged file: a checkpoint that is about to be signed, and what belongs to it."""

    size: int
    root: bytes
    entries: list[bytes]
    """The new entries."""
    files: dict[str, bytes]
    obsolete: list[str]
    """Folders of partial tiles that are full now."""


class CheckpointLog:
    """The writer. All calls block; several processes may have one, and one of them succeeds."""

    def __init__(self, folder: Folder, signer: Signer) -> None:
        """Open the log, complete what a killed process left, and check the right edge.

        Raises `LogBroken`, `NoSuchPlace`, `Unavailable`.
        """
        if not folder.can_swap:
            raise NoSuchPlace(f"{folder.path('')}: the log needs a folder or an S3 bucket")
        self._folder = folder
        self._signer = signer
        self._lock = folder.read(LOCK)
        self.checkpoint = self._recovered()
        try:
            tree = stored_tree(folder, self.checkpoint.size)
            self._edge = Edge.of(tree)
            self._entries = self._last_entries(tree)
        except BadTile as error:
            raise LogBroken(str(error)) from None
        if self._edge.root != self.checkpoint.root:
            raise LogBroken(f"{folder.path('tile')} does not have the root that was signed")
        self._page: list[Leaf] = []
        self.live: dict[str, list[PlacedLeaf]] = {}
        """Leaves of the matches that have not ended."""
        self.ended: set[str] = set()
        self.errata: set[str] = set()
        """Digests of the errata that have a leaf."""
        for index, leaf in enumerate(read_leaves(folder, self.checkpoint.size)):
            self._remember(PlacedLeaf(index, leaf))
        self._remove_staged()

    def last(self, match: str) -> Leaf | None:
        """Return the last leaf of a match, or None if it has none."""
        if match in self.ended:
            return Leaf("end", match)
        leaves = self.live.get(match)
        return leaves[-1].leaf if leaves else None

    def append(self, entries: Sequence[Entry]) -> Checkpoint:
        """Append entries, sign the new checkpoint and publish it.

        Raises `Swapped` if another process was faster: open the log again. After any other error,
        open it again as well, since the outcome is unknown. Raises `LogBroken`, `Unavailable`.
        """
        assert 0 < len(entries) <= LEAVES_MAX, "a batch of a sensible size"
        edge = self._edge.copy()
        bundle = self._bundle(edge, entries)
        checkpoint = self.checkpoint._replace(size=edge.size, root=edge.root)
        name = _staged(checkpoint)
        self._folder.write(name, msgspec.msgpack.encode(bundle))
        self._check_staged(name, bundle)
        note = signed(checkpoint.text, [self._signer.sign(checkpoint.text)])
        try:
            self._folder.swap(LOCK, self._lock, note)
        except Swapped:
            self._folder.remove(name)
            raise
        self._complete(bundle, note)
        self._folder.remove(name)
        self._lock, self._edge = note, edge
        self._entries = _partial([*self._entries, *bundle.entries])
        for index, entry in enumerate(entries, start=self.checkpoint.size):
            self._remember(PlacedLeaf(index, entry.leaf))
        self.checkpoint = checkpoint
        return checkpoint

    def _recovered(self) -> Checkpoint:
        """Return what was signed last, after publishing it if that is still missing."""
        folder, log = self._folder, self._signer.verifier
        published = folder.read(CHECKPOINT)
        if self._lock is None:
            if published is not None:
                raise LogBroken(f"{folder.path(LOCK)} is missing, but a checkpoint was published")
            return Checkpoint(log.name, 0, Edge().root)
        checkpoint = read_verified(folder, log, LOCK, self._lock)
        public = None
        if published is not None:
            public = read_verified(folder, log, CHECKPOINT, published)
        if public is not None and public != checkpoint and public.size >= checkpoint.size:
            raise LogBroken(
                f"{folder.path(CHECKPOINT)} has size {public.size}, but what was signed last has "
                f"size {checkpoint.size} or another root. A part of the log was restored or changed"
            )
        if public != checkpoint:
            self._complete(self._staged_bundle(checkpoint), self._lock)
        return checkpoint

    def _staged_bundle(self, checkpoint: Checkpoint) -> Bundle:
        name = _staged(checkpoint)
        data = self._folder.read(name)
        if data is None:
            raise LogBroken(f"{self._folder.path(name)} is missing, but its checkpoint was signed")
        try:
            return msgspec.msgpack.decode(data, type=Bundle)
        except MALFORMED as error:
            raise LogBroken(f"{self._folder.path(name)} cannot be read: {error}") from None

    def _bundle(self, edge: Edge, entries: Sequence[Entry]) -> Bundle:
        """Return everything that the entries change, and advance the edge."""
        start = self.checkpoint.size
        files = {
            tile.path: data
            for tile, data in edge.append([leaf_hash(entry.data) for entry in entries]).items()
        }
        obsolete = [f"{path}.p" for path in files if path.startswith("tile/") and ".p/" not in path]
        first = start // WIDTH
        data = [*self._entries, *(entry.data for entry in entries)]
        leaves = [*self._page, *(entry.leaf for entry in entries)]
        for at in range(0, len(data), WIDTH):
            number, some = first + at // WIDTH, data[at : at + WIDTH]
            files[entries_path(number, len(some))] = encode_entries(some)
            if len(some) == WIDTH:
                obsolete.append(f"{entries_path(number)}.p")
            page = leaves[at : at + WIDTH]
            files[leaves_path(number)] = b"".join(ENCODER.encode(leaf) + b"\n" for leaf in page)
        files |= self._match_files(start, entries)
        new = [entry.data for entry in entries]
        return Bundle(edge.size, edge.root, new, files, obsolete)

    def _match_files(self, start: int, entries: Sequence[Entry]) -> dict[str, bytes]:
        """Return a file for each match that ends, or gets an erratum, with these entries."""
        leaves: dict[str, list[PlacedLeaf]] = {
            entry.leaf.match: [] for entry in entries if entry.leaf.kind in ("end", "erratum")
        }
        for index, entry in enumerate(entries, start=start):
            if entry.leaf.match in leaves:
                leaves[entry.leaf.match].append(PlacedLeaf(index, entry.leaf))
        return {
            match_path(match): ENCODER.encode([*self._known(match), *added])
            for match, added in leaves.items()
        }

    def _known(self, match: str) -> list[PlacedLeaf]:
        """Return the leaves that a match has in the log."""
        if match in self.ended:
            return leaves_of(self._folder, match)
        return self.live.get(match, [])

    def _check_staged(self, name: str, bundle: Bundle) -> None:
        """Read the staged file back, and hash its entries again onto the old edge."""
        data = self._folder.read(name)
        if data is None:
            raise LogBroken(f"{self._folder.path(name)} was not written")
        stored = msgspec.msgpack.decode(data, type=Bundle)
        edge = self._edge.copy()
        tiles = edge.append([leaf_hash(entry) for entry in stored.entries])
        same = all(stored.files.get(tile.path) == data for tile, data in tiles.items())
        if stored != bundle or (stored.size, stored.root) != (edge.size, edge.root) or not same:
            raise LogBroken(f"{self._folder.path(name)} does not read back as it was written")

    def _complete(self, bundle: Bundle, note: bytes) -> None:
        """Write the files of a signed bundle, and publish its checkpoint."""
        self._folder.write_all(bundle.files)
        self._folder.write(CHECKPOINT, note)
        for name in bundle.obsolete:
            self._folder.remove(name)

    def _remove_staged(self) -> None:
        """Remove bundles up to the size that was signed. Nobody can complete them any more."""
        for name in self._folder.names(STAGED):
            size = name.rpartition("/")[2].partition("-")[0]
            if size.isdigit() and int(size) <= self.checkpoint.size:
                self._folder.remove(name)

    def _last_entries(self, tree: TiledTree) -> list[bytes]:
        """Return the entries of the last partial tile, checked against its hashes."""
        number, width = divmod(tree.size, WIDTH)
        if not tree.size:
            return []
        if not width:
            number, width = number - 1, WIDTH
        entries = read_entries(self._folder, number, width)
        if list(map(leaf_hash, entries)) != tree.hashes(0, number):
            path = self._folder.path(entries_path(number, width))
            raise BadTile(f"{path} does not have the entries that were signed")
        return _partial(entries)

    def _remember(self, placed: PlacedLeaf) -> None:
        leaf = placed.leaf
        self._page.append(leaf)
        if len(self._page) == WIDTH:
            self._page.clear()
        if leaf.kind == "erratum":
            self.errata.add(leaf.head)
        if leaf.kind == "end":
            self.ended.add(leaf.match)
            self.live.pop(leaf.match, None)
        elif leaf.match and leaf.match not in self.ended:
            self.live.setdefault(leaf.match, []).append(placed)


def _partial(items: list[bytes]) -> list[bytes]:
    """Return the items of the last page, unless it is full."""
    return items[len(items) // WIDTH * WIDTH :]


def _staged(checkpoint: Checkpoint) -> str:
    return f"{STAGED}/{checkpoint.size:020}-{checkpoint.root.hex()}"
