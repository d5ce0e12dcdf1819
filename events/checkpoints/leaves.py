"""The leaves of the checkpoint log: commitments to the heads of matches, and to errata.

A leaf is an HMAC with a secret of the match, so it tells nobody anything, not even which match it
belongs to. The secret follows from the service seed, which the last record of the match reveals.
Then everybody can compute the leaves of the match.
"""

import hmac
from hashlib import sha256
from typing import Literal, NamedTuple

import msgspec

from events.record import at_text

LEAF = "shiplog-leaf-1"
"""First line of what a leaf commits to."""

Kind = Literal["opening", "head", "end", "erratum", "padding", "predecessor"]
"""An erratum belongs to a match that has ended (`events.errata.leaf_of`). Padding is the sign of
life of a log to which nothing else is added. A predecessor is the last checkpoint of an earlier
log, and the first entry of the log that succeeds it."""


class Leaf(msgspec.Struct, frozen=True, omit_defaults=True):
    """What a leaf commits to. The service keeps it private until the match has ended."""

    kind: Kind
    match: str = ""
    """Empty for padding and a predecessor."""
    version: int = 0
    """Version of the log. The index of the leaf for padding."""
    head: str = ""
    """Hash of the record at `version`, in hex. The SHA-256 of an erratum's line."""
    at: str = ""
    """Time of that record, or of the erratum."""
    shown: int = 0
    """The spectator's version at `version`. Decides when the next leaf is due."""

    @property
    def text(self) -> str:
        """What the leaf commits to."""
        return f"{LEAF}\n{self.kind}\n{self.version}\n{self.head}\n{self.at}\n"


def parse_text(text: bytes, match: str) -> Leaf:
    """Return the leaf of a match that commits to a text. Raises `msgspec.ValidationError`."""
    lines = text.decode(errors="replace").split("\n")
    first, kind, version, head, at, *rest = [*lines, *[""] * 5]
    fields = {"kind": kind, "match": match, "version": version, "head": head, "at": at}
    leaf = msgspec.convert(fields, Leaf, strict=False)
    if first != LEAF or any(rest) or leaf.text.encode() != text:
        raise msgspec.ValidationError(f"{text!r} is not the text of a leaf")
    return leaf


class PlacedLeaf(msgspec.Struct, frozen=True):
    """A leaf of a match with its place in the tree."""

    index: int
    leaf: Leaf


class MatchHead(NamedTuple):
    """A match at its last record, as far as its leaves depend on it."""

    match: str
    version: int
    head: str
    at: int
    """Time of that record (microseconds since 1970)."""
    shown: int
    """The spectator's version."""
    over: bool
    opening: str
    """Hash of record 1."""
    opened: int
    """Time of record 1 (microseconds since 1970)."""


def commitment(secret: bytes, leaf: Leaf) -> bytes:
    """Return the 32 bytes of a leaf, made with the leaf secret of its match."""
    return hmac.digest(secret, leaf.text.encode(), sha256)


def due_leaves(now: MatchHead, last: Leaf | None) -> list[Leaf]:
    """Return the leaves that a match needs next, given the last one that it has.

    Only what spectators are shown makes a leaf due. If hidden records did, the number of leaves
    would reveal them. The leaf commits to the last record, shown or hidden.
    """
    leaves: list[Leaf] = []
    if last is None:
        last = Leaf("opening", now.match, 1, now.opening, at_text(now.opened), 1)
        leaves.append(last)
    if last.kind == "end":
        return []
    if now.over or now.shown > last.shown:
        kind: Kind = "end" if now.over else "head"
        leaves.append(Leaf(kind, now.match, now.version, now.head, at_text(now.at), now.shown))
    return leaves
