"""Entries of a checkpoint log, and the check that a log of them is whole."""

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from events.checkpoints.leaves import Leaf, commitment
from events.checkpoints.log import Entry
from events.checkpoints.merkle import leaf_hash, prove_consistency, root, verify_consistency
from events.checkpoints.notes import NOTE, Signer, parse_checkpoint, parse_note
from events.checkpoints.reader import read_checkpoint, read_entries, read_leaves, stored_tree
from events.checkpoints.tiles import WIDTH
from events.folder import Folder

SIGNER = Signer("shiplog.example/log", Ed25519PrivateKey.from_private_bytes(b"\x01" * 32), NOTE)


def entry(number, kind="head", match=None):
    leaf = Leaf(kind, match or f"m_{number % 7}", number, f"{number:064}", "2026", number)
    return Entry(commitment(b"secret", leaf), leaf)


def batches(*sizes):
    start = 0
    for size in sizes:
        yield [entry(number) for number in range(start, start + size)]
        start += size


def hashes(size):
    return [leaf_hash(entry(number).data) for number in range(size)]


def check_whole(place, size, locks=()):
    """Check that everything fits, and that the tree extends everything that was ever signed."""
    folder = Folder(place)
    checkpoint = read_checkpoint(folder, SIGNER.verifier)
    assert (checkpoint.size, checkpoint.root) == (size, root(hashes(size)))
    tree = stored_tree(folder, size)
    assert tree.root == checkpoint.root
    assert [leaf.version for leaf in read_leaves(folder, size)] == list(range(size))
    entries = [
        data
        for start in range(0, size, WIDTH)
        for data in read_entries(folder, start // WIDTH, min(WIDTH, size - start))
    ]
    assert [leaf_hash(data) for data in entries] == hashes(size)
    for note in locks:
        old = parse_checkpoint(parse_note(note).text)
        proof = prove_consistency(old.size, size, tree.subtree)
        verify_consistency(old.size, size, proof, old.root, checkpoint.root)
