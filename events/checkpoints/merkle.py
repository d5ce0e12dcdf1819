"""Merkle trees as in RFC 9162, section 2.1: hashes, proofs and their verification.

A tree is not padded: a tree of n leaves is split at the largest power of two below n.
"""

from collections.abc import Callable, Iterator, Sequence
from hashlib import sha256

EMPTY = sha256(b"").digest()
"""Root of the tree without leaves."""

Subtree = Callable[[int, int], bytes]
"""Returns the root of the leaves from an index (included) to another (excluded)."""


class ProofFailed(Exception):
    """A proof does not prove what it claims."""


def leaf_hash(data: bytes) -> bytes:
    """Return the hash of a leaf."""
    return sha256(b"\x00" + data).digest()


def node_hash(left: bytes, right: bytes) -> bytes:
    """Return the hash of an inner node."""
    return sha256(b"\x01" + left + right).digest()


def split(size: int) -> int:
    """Return the number of leaves on the left: the largest power of two below `size`."""
    return 1 << ((size - 1).bit_length() - 1)


def root(hashes: Sequence[bytes]) -> bytes:
    """Return the root of a tree from the hashes of its leaves.

    The hashes may also be the roots of complete subtrees of one size, the last of any smaller
    size.
    """
    if not hashes:
        return EMPTY
    level = list(hashes)
    while len(level) > 1:
        odd = level[-1:] if len(level) % 2 else []
        pairs = zip(level[::2], level[1::2], strict=False)
        level = [node_hash(left, right) for left, right in pairs] + odd
    return level[0]


def subtree_of(hashes: Sequence[bytes]) -> Subtree:
    """Return the subtrees of a tree whose leaf hashes are in memory."""
    return lambda start, end: root(hashes[start:end])


def prove_inclusion(index: int, size: int, subtree: Subtree) -> list[bytes]:
    """Return the proof that a tree of `size` leaves has a leaf at `index`."""
    if not 0 <= index < size:
        raise ValueError(f"A tree of {size} leaves has no leaf {index}.")
    start, end = 0, size
    proof: list[bytes] = []
    while end - start > 1:
        middle = start + split(end - start)
        if index < middle:
            proof.append(subtree(middle, end))
            end = middle
        else:
            proof.append(subtree(start, middle))
            start = middle
    return proof[::-1]


def prove_consistency(old: int, new: int, subtree: Subtree) -> list[bytes]:
    """Return the proof that a tree of `new` leaves begins with the tree of its first `old`."""
    if not 0 < old <= new:
        raise ValueError(f"There is no proof of consistency from size {old} to {new}.")
    if old == new:
        return []
    start, end, whole = 0, new, True
    proof: list[bytes] = []
    while old != end:
        middle = start + split(end - start)
        if old <= middle:
            proof.append(subtree(middle, end))
            end = middle
        else:
            proof.append(subtree(start, middle))
            start, whole = middle, False
    if not whole:
        proof.append(subtree(start, end))
    return proof[::-1]


def verify_inclusion(
    leaf: bytes, index: int, size: int, proof: Sequence[bytes], expected: bytes
) -> None:
    """Check that the leaf with a hash is at `index` of the tree. Raises `ProofFailed`."""
    if not 0 <= index < size:
        raise ProofFailed(f"a tree of {size} leaves has no leaf {index}")
    found = leaf
    for sibling, on_the_left in _path(index, size - 1, proof, "inclusion"):
        found = node_hash(sibling, found) if on_the_left else node_hash(found, sibling)
    if found != expected:
        raise ProofFailed(f"leaf {index} is not in the tree of {size} leaves")


def verify_consistency(
    old: int, new: int, proof: Sequence[bytes], old_root: bytes, new_root: bytes
) -> None:
    """Check that the larger tree begins with the smaller one. Raises `ProofFailed`."""
    if old == new:
        if proof or old_root != new_root:
            raise ProofFailed(f"two trees of {old} leaves have different roots")
        return
    if not 0 < old < new:
        raise ProofFailed(f"there is no proof of consistency from size {old} to {new}")
    path = list(proof) if old & (old - 1) else [old_root, *proof]
    if not proof:
        raise ProofFailed("the proof of consistency is empty")
    place, last = old - 1, new - 1
    while place % 2:
        place, last = place >> 1, last >> 1
    first = second = path[0]
    for sibling, on_the_left in _path(place, last, path[1:], "consistency"):
        if on_the_left:
            first, second = node_hash(sibling, first), node_hash(sibling, second)
        else:
            second = node_hash(second, sibling)
    if first != old_root:
        raise ProofFailed(f"the proof does not begin with the tree of {old} leaves")
    if second != new_root:
        raise ProofFailed(f"the tree of {new} leaves does not begin with the one of {old}")


def _path(place: int, last: int, proof: Sequence[bytes], what: str) -> Iterator[tuple[bytes, bool]]:
    """Yield the siblings on the way from a node to the root, and whether each is on the left.

    `place` is that of the node on its level, and `last` that of the last node there. Raises
    `ProofFailed` unless the proof has just as many siblings as there are.
    """
    for sibling in proof:
        if last == 0:
            raise ProofFailed(f"the proof of {what} is too long")
        on_the_left = place % 2 == 1 or place == last
        yield sibling, on_the_left
        if on_the_left:
            while place and not place % 2:
                place, last = place >> 1, last >> 1
        place, last = place >> 1, last >> 1
    if last:
        raise ProofFailed(f"the proof of {what} is too short")
