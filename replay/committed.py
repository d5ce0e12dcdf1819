"""Compare logs with the checkpoint log, which has committed to their heads.

A log that was deleted, cut, or written anew contradicts its leaves, whoever signed it.
"""

from array import array
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from functools import lru_cache
from hashlib import sha256
from itertools import zip_longest
from typing import NamedTuple

import msgspec

from events.chain import ChainBroken, follow
from events.checkpoints.leaves import Leaf, PlacedLeaf, commitment
from events.checkpoints.log import LOCK
from events.checkpoints.merkle import leaf_hash
from events.checkpoints.notes import Checkpoint, Verifier
from events.checkpoints.reader import (
    LogBroken,
    leaves_of,
    read_checkpoint,
    read_entries,
    read_leaves_page,
    stored_tree,
)
from events.checkpoints.tiles import WIDTH, BadTile, TiledTree
from events.codec import MALFORMED
from events.folder import Folder
from games.match.seed import leaf_secret
from replay.report import Finding, difference

PAGES_MAX = 64
"""Number of pages of leaves in memory."""
SECRETS_MAX = 10_000
FINDINGS_MAX = 100
WHOLE = slice(None)


class Dated(msgspec.Struct, frozen=True):
    """The time of a record. Other fields are ignored."""

    at: str = "unknown"


DATED = msgspec.json.Decoder(Dated)


class LeafKeys(NamedTuple):
    """What opens the leaves of an installation."""

    seeds: Callable[[str], Sequence[bytes]]
    """Returns the service seeds that a match may have, one for each master key."""
    padding: bytes
    """Secret of the padding."""


class CommittedHeads:
    """The heads that a checkpoint log has committed to."""

    def __init__(
        self,
        folder: Folder,
        log: Verifier,
        keys: LeafKeys,
        saved: Sequence[Checkpoint],
        leaves: slice = WHOLE,
    ) -> None:
        """Check the whole log: signatures, tiles, entries, and what they commit to.

        `saved` are checkpoints that somebody kept: the log must extend them. `leaves` are those to
        look at, if others were checked before.
        """
        self.findings: list[Finding] = []
        """What is wrong with the log itself."""
        self.size = 0
        self.checked: Checkpoint | None = None
        """The tree up to the last leaf that was looked at. None if nothing is published."""
        self._range = leaves
        self._folder = folder
        self._keys = keys
        self._places: dict[str, array[int]] = {}
        self._page = lru_cache(PAGES_MAX)(self._read_page)
        self._secrets = lru_cache(SECRETS_MAX)(self._derived)
        try:
            self._check(log, saved)
        except (BadTile, LogBroken) as error:
            self._find(str(error))

    @property
    def matches(self) -> frozenset[str]:
        """The matches that have leaves."""
        return frozenset(self._places)

    def leaves(self, match: str) -> list[PlacedLeaf]:
        """Return the leaves of a match, in the order of the tree."""
        places = self._places.get(match, ())
        return [PlacedLeaf(place, self._page(place // WIDTH)[place % WIDTH]) for place in places]

    def _check(self, log: Verifier, saved: Sequence[Checkpoint]) -> None:
        folder = self._folder
        published = read_checkpoint(folder, log)
        signed = read_checkpoint(folder, log, LOCK)
        if published is None:
            if signed is not None or saved:
                self._find(f"{folder.path('checkpoint')} does not exist")
            return
        if signed is None or signed.size < published.size:
            self._find("the published checkpoint is not the one that was signed last")
        tree = stored_tree(folder, published.size)
        if tree.root != published.root:
            self._find("the tiles do not have the root of the published checkpoint")
        self.size = published.size
        indices = range(self.size)[self._range]
        for number in range(indices.start // WIDTH, -(-indices.stop // WIDTH)):
            self._check_page(number, tree.hashes(0, number), indices)
        for checkpoint in saved:
            self._check_saved(checkpoint, log, tree)
        self.checked = Checkpoint(log.name, indices.stop, tree.root_at(indices.stop))

    def _check_page(self, number: int, hashes: Sequence[bytes], indices: range) -> None:
        """Check the entries of a tile, and what they commit to if they are looked at."""
        entries = read_entries(self._folder, number, len(hashes))
        if list(map(leaf_hash, entries)) != hashes:
            self._find(f"the entries of tile {number} are not those of its hashes")
        leaves = self._page(number)
        pairs = zip_longest(entries, leaves[: len(entries)])
        for index, (entry, leaf) in enumerate(pairs, start=number * WIDTH):
            if entry is None or leaf is None or not self._opens(leaf, index, entry):
                self._find(f"nothing opens leaf {index}: a log may have been deleted")
            elif leaf.match and index in indices:
                self._places.setdefault(leaf.match, array("Q")).append(index)

    def _opens(self, leaf: Leaf, index: int, entry: bytes) -> bool:
        """Return whether an entry commits to a leaf."""
        if leaf.kind == "predecessor":
            return index == 0
        if leaf.kind == "padding":
            return leaf.version == index and commitment(self._keys.padding, leaf) == entry
        return any(commitment(secret, leaf) == entry for secret in self._secrets(leaf.match))

    def _check_saved(self, saved: Checkpoint, log: Verifier, tree: TiledTree) -> None:
        if saved.origin != log.name:
            self._find(f"the saved checkpoint is of {saved.origin}, not {log.name}")
        elif saved.size > tree.size:
            self._find(f"the log has {tree.size} leaves, but a saved checkpoint has {saved.size}")
        elif tree.root_at(saved.size) != saved.root:
            self._find(f"the log does not extend the saved checkpoint of {saved.size} leaves")

    def _derived(self, match: str) -> list[bytes]:
        return [leaf_secret(seed) for seed in self._keys.seeds(match)]

    def _read_page(self, number: int) -> list[Leaf]:
        return read_leaves_page(self._folder, number)

    def _find(self, message: str) -> None:
        if len(self.findings) < FINDINGS_MAX:
            self.findings.append(Finding("checkpoint", 0, message))


def published_leaves(
    folder: Folder, log: Verifier, match: str, service_seed: bytes
) -> list[PlacedLeaf] | None:
    """Return the leaves of a match that has ended, as far as the published tree has them.

    None if nothing is published. Raises `BadTile`, `LogBroken`, `Unavailable`.
    """
    if (published := read_checkpoint(folder, log)) is None:
        return None
    tree, secret = stored_tree(folder, published.size), leaf_secret(service_seed)

    def is_published(index: int, leaf: Leaf) -> bool:
        hashes = tree.hashes(0, index // WIDTH) if index < published.size else ()
        return bool(hashes) and hashes[index % WIDTH] == leaf_hash(commitment(secret, leaf))

    return [one for one in leaves_of(folder, match) if is_published(one.index, one.leaf)]


def deleted(leaves: Sequence[PlacedLeaf]) -> Finding:
    """Return the finding for a match with leaves whose log is gone."""
    last = max((one.leaf for one in leaves), key=lambda leaf: leaf.version)
    why = (
        "the log is in neither the store nor the archive, but the checkpoint log has "
        f"{len(leaves)} leaves of it, the last of record {last.version} at {last.at}"
    )
    return Finding("deleted", 0, why)


def compare(
    leaves: Sequence[PlacedLeaf], lines: Sequence[bytes], errata: Sequence[bytes]
) -> Iterator[Finding]:
    """Compare a log and its errata with the leaves of its match."""
    heads = _heads(lines)
    digests = {sha256(line).hexdigest() for line in errata}
    for leaf in (one.leaf for one in leaves):
        version = leaf.version
        if leaf.kind == "erratum":
            if leaf.head not in digests:
                why = "the checkpoint log committed to it, but it is gone"
                yield Finding("erratum", 0, f"the erratum of {leaf.at}: {why}")
            continue
        if version > len(lines):
            why = (
                f"the log ends at {len(lines)}, but record {version} of {leaf.at} is committed "
                "to by the checkpoint log"
            )
            yield Finding("cut", len(lines), why)
        elif version > len(heads):
            why = f"the chain is broken, but the checkpoint log committed to record {version}"
            yield Finding("rewritten", len(heads) + 1, why)
            return
        elif heads[version - 1] != leaf.head:
            at = _time(lines[version - 1])
            dated = "" if at == leaf.at else f", and its time is {at} instead of {leaf.at}"
            why = f"the hash is not the one that the checkpoint log committed to{dated}"
            yield difference("rewritten", version, why, "/head", leaf.head, heads[version - 1])
            return


def _time(line: bytes) -> str:
    try:
        return DATED.decode(line).at
    except MALFORMED:
        return Dated().at


def _heads(lines: Sequence[bytes]) -> list[str]:
    """Return the hash of each record, as far as the chain holds."""
    heads: list[str] = []
    with suppress(ChainBroken):
        heads.extend(follow(lines))
    return heads
