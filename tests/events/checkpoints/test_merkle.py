"""Trees, tiles and proofs are those of RFC 9162 and C2SP."""

from hashlib import sha256

import pytest
from hypothesis import given
from hypothesis import strategies as st

from events.checkpoints.merkle import (
    ProofFailed,
    leaf_hash,
    node_hash,
    prove_consistency,
    prove_inclusion,
    root,
    subtree_of,
    verify_consistency,
    verify_inclusion,
)
from events.checkpoints.tiles import (
    PATH,
    BadTile,
    Edge,
    Tile,
    TiledTree,
    decode_entries,
    encode_entries,
    entries_path,
    last_tiles,
    split_hashes,
)
from tests.events.checkpoints.roots import ROOTS

A = "583c7dfb7b3055d99465544032a571e10a134b1b6f769422bbb71fd7fa167a5d"
X = "89c929834ed1459b07f65b5e1a2143a8cf5d8efdf30f49ffffa328bb1d9133bb"
THIRD = "fcf0a6c700dd13e274b6fba8deea8dd9b26e4eedde3495717cac8408c9c5177f"
SIZES = st.integers(1, 700)


def leaves(size):
    return [leaf_hash(bytes([i])) for i in range(size)]


def hashes(size):
    """Return leaf hashes for trees of more than 256 leaves."""
    return [leaf_hash(i.to_bytes(4, "big")) for i in range(size)]


def mth(hashes):
    """Return the root by the definition in the RFC."""
    if len(hashes) == 1:
        return hashes[0]
    k = 1
    while k * 2 < len(hashes):
        k *= 2
    return node_hash(mth(hashes[:k]), mth(hashes[k:]))


def told(proof):
    return [hash_.hex() for hash_ in proof]


def test_the_roots_are_the_known_ones():
    assert root(()) == sha256(b"").digest()
    for size, known in enumerate(ROOTS, start=1):
        assert root(leaves(size)).hex() == known


def test_the_proofs_are_the_known_ones():
    seven = subtree_of(leaves(7))
    assert told(prove_inclusion(2, 7, seven)) == [A, ROOTS[1], X]
    assert told(prove_consistency(3, 7, seven)) == [THIRD, A, ROOTS[1], X]
    assert told(prove_consistency(4, 7, seven)) == [X]


@given(SIZES)
def test_a_root_is_that_of_the_definition(size):
    assert root(hashes(size)) == mth(hashes(size))


def test_every_proof_of_small_trees_verifies_and_no_shorter_or_longer_one():
    for size in range(1, 70):
        tree, whole = subtree_of(leaves(size)), root(leaves(size))
        for index in range(size):
            proof = prove_inclusion(index, size, tree)
            leaf = leaves(size)[index]
            verify_inclusion(leaf, index, size, proof, whole)
            for wrong in ([*proof, whole], proof[:-1], proof[1:]):
                if wrong != proof:
                    with pytest.raises(ProofFailed):
                        verify_inclusion(leaf, index, size, wrong, whole)
        for old in range(1, size + 1):
            proof = prove_consistency(old, size, tree)
            verify_consistency(old, size, proof, root(leaves(old)), whole)
            for wrong in ([*proof, whole], proof[:-1], proof[1:]):
                if wrong != proof:
                    with pytest.raises(ProofFailed):
                        verify_consistency(old, size, wrong, root(leaves(old)), whole)


@given(SIZES, st.data())
def test_a_proof_does_not_hold_for_another_leaf_place_or_tree(size, data):
    index = data.draw(st.integers(0, size - 1))
    tree, whole = subtree_of(hashes(size)), root(hashes(size))
    proof = prove_inclusion(index, size, tree)
    verify_inclusion(hashes(size)[index], index, size, proof, whole)
    other = leaf_hash(b"another")
    for leaf, place, end in (
        (other, index, whole),
        (hashes(size)[index], index + size, whole),
        (hashes(size)[index], index, other),
    ):
        with pytest.raises(ProofFailed):
            verify_inclusion(leaf, place, size, proof, end)


@given(SIZES, SIZES)
def test_a_tree_that_was_rewritten_is_not_consistent(one, other):
    old, new = sorted((one, other))
    changed = [leaf_hash(b"changed"), *hashes(new)[1:]]
    proof = prove_consistency(old, new, subtree_of(changed))
    with pytest.raises(ProofFailed):
        verify_consistency(old, new, proof, root(hashes(old)), root(changed))


@pytest.mark.parametrize("sizes", [(0, 3), (4, 3), (-1, 3)])
def test_there_is_no_proof_for_sizes_out_of_order(sizes):
    with pytest.raises(ProofFailed):
        verify_consistency(*sizes, [leaf_hash(b"")], root(()), root(()))
    with pytest.raises(ValueError, match="no proof"):
        prove_consistency(*sizes, subtree_of(leaves(3)))
    with pytest.raises(ValueError, match="has no leaf"):
        prove_inclusion(3, 3, subtree_of(leaves(3)))


def test_tiles_have_the_names_of_the_specification():
    assert Tile(0, 1234067).path == "tile/0/x001/x234/067"
    assert Tile(1, 0, 17).path == "tile/1/000.p/17"
    assert entries_path(273, 112) == "tile/entries/273.p/112"
    assert entries_path(1000) == "tile/entries/x001/000"
    for path in ("tile/0/x001/x234/067", "tile/1/000.p/17", "tile/entries/273.p/112"):
        assert PATH.fullmatch(path)
    for path in ("tile/8/000", "tile/0/1", "tile/0/../000", "tile/0/000.p/0", "tile/0/000/x001"):
        assert not PATH.fullmatch(path)


def test_a_tree_of_70_000_leaves_has_the_tiles_of_the_specification():
    tiles = list(last_tiles(70_000))
    assert [(tile.number, tile.width) for tile in tiles] == [(273, 112), (1, 17), (0, 1)]


class Shelf:
    """Tiles by name, as files would be."""

    def __init__(self):
        self.files = {}

    def add(self, tiles):
        self.files |= {tile.path: data for tile, data in tiles.items()}

    def read(self, tile):
        return split_hashes(self.files[tile.path], tile.width)


@given(st.lists(st.integers(1, 400), max_size=6))
def test_a_tree_that_grows_by_batches_is_the_whole_tree(batches):
    """Its root, its tiles and every later edge."""
    edge, shelf, size = Edge(), Shelf(), 0
    assert edge.root == root(())
    for batch in batches:
        shelf.add(edge.append(hashes(size + batch)[size:]))
        size += batch
        tree = TiledTree(size, shelf.read)
        assert edge.root == tree.root == root(hashes(size))
        assert Edge.of(tree).root == edge.root
        edge = Edge.of(tree)
    for index in {0, size // 2, size - 1} if size else ():
        proof = prove_inclusion(index, size, TiledTree(size, shelf.read).subtree)
        verify_inclusion(hashes(size)[index], index, size, proof, root(hashes(size)))


def test_a_large_tree_grows_a_third_level():
    edge, shelf = Edge(), Shelf()
    shelf.add(edge.append(hashes(70_000)))
    tree = TiledTree(70_000, shelf.read)
    assert tree.root == edge.root == root(hashes(70_000))
    for old in (1, 255, 256, 65_536, 69_999):
        proof = prove_consistency(old, 70_000, tree.subtree)
        verify_consistency(old, 70_000, proof, root(hashes(old)), edge.root)


def test_a_tile_of_another_tree_is_refused():
    shelf = Shelf()
    shelf.add(Edge().append(hashes(300)))
    with pytest.raises(BadTile, match="no tile 2 of level 0"):
        TiledTree(300, shelf.read).hashes(0, 2)
    with pytest.raises(BadTile, match="expected 64"):
        split_hashes(b"x" * 63, 2)
    with pytest.raises(BadTile, match="has 300 hashes"):
        TiledTree(300, lambda tile: hashes(300)).hashes(0, 1)


@given(st.lists(st.binary(max_size=300), max_size=20))
def test_entries_are_read_back(entries):
    data = encode_entries(entries)
    assert decode_entries(data) == entries
    if entries:
        with pytest.raises(BadTile):
            decode_entries(data + b"\x00")
        with pytest.raises(BadTile):
            decode_entries(data + b"\x00\x09x")
