"""Everybody can have proofs from the published log, whatever sizes it was published at."""

from itertools import combinations_with_replacement

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from events.checkpoints.leaves import Leaf, commitment
from events.checkpoints.log import CheckpointLog, Entry
from events.checkpoints.merkle import leaf_hash, root, verify_consistency
from events.checkpoints.notes import NOTE, Signer
from events.folder import Folder
from service.play.published_log import Absent, PublishedLog

SIGNER = Signer("shiplog.example/log", Ed25519PrivateKey.from_private_bytes(b"\x01" * 32), NOTE)
SIZES = (1, 5, 258, 260)
"""Sizes that were published. No tile was ever stored for those between."""


def entry(number):
    leaf = Leaf("head", "m_1", number, f"{number:064}", "2026", number)
    return Entry(commitment(b"secret", leaf), leaf)


ENTRIES = [entry(number) for number in range(SIZES[-1])]
HASHES = [leaf_hash(one.data) for one in ENTRIES]


@pytest.fixture
def published(tmp_path):
    folder = Folder(tmp_path)
    log = CheckpointLog(folder, SIGNER)
    for start, end in zip((0, *SIZES), SIZES, strict=False):
        log.append(ENTRIES[start:end])
    return PublishedLog(folder, SIGNER.verifier)


async def test_any_two_sizes_up_to_the_published_one_have_a_proof(published):
    for old, new in combinations_with_replacement((1, 2, 3, 5, 7, 255, 256, 257, 259, 260), 2):
        proof = await published.consistency(old, new)
        verify_consistency(old, new, proof, root(HASHES[:old]), root(HASHES[:new]))


@pytest.mark.parametrize(("old", "new"), [(0, 1), (2, 1), (1, 261)])
async def test_other_sizes_have_none(published, old, new):
    with pytest.raises(Absent):
        await published.consistency(old, new)


async def test_a_match_has_no_leaves_before_the_first_checkpoint(tmp_path):
    assert await PublishedLog(Folder(tmp_path), SIGNER.verifier).proofs("m_1") == []
