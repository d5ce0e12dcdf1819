"""A leaf covers a receipt only if it commits to a record of the same log, at or after the one."""

import pytest

from events.checkpoints.leaves import Leaf, PlacedLeaf
from events.receipts import Receipt
from replay.proofs import BadProof, Contradicted, covering_leaf

KINDS = {1: "opening", 3: "head", 5: "end"}
HEADS = [letter * 64 for letter in "abcde"]


def leaf(version, head="", kind="head"):
    head = head or HEADS[version - 1]
    return PlacedLeaf(10 + version, Leaf(kind, "m_1", version, head, ""))


LEAVES = [leaf(5, kind="end"), leaf(1, kind="opening"), leaf(3)]


@pytest.mark.parametrize(("head", "covering"), [(0, 1), (1, 3), (2, 3), (3, 5), (4, 5)])
def test_the_first_leaf_at_or_after_the_record_covers_it(head, covering):
    receipt = Receipt(1, HEADS[head], 0)
    assert covering_leaf(receipt, HEADS, LEAVES) == leaf(covering, kind=KINDS[covering])


@pytest.mark.parametrize(
    "receipt",
    [Receipt(1, "f" * 64, 0), Receipt(3, HEADS[1], 0), Receipt(2, HEADS[2], "full")],
    ids=["no such head", "too early", "another number"],
)
def test_a_receipt_that_contradicts_what_the_leaves_vouch_for_convicts(receipt):
    with pytest.raises(Contradicted):
        covering_leaf(receipt, HEADS, LEAVES)


@pytest.mark.parametrize(
    ("head", "leaves"),
    [
        (HEADS[1], []),
        (HEADS[1], [leaf(1)]),
        (HEADS[1], [leaf(5, kind="erratum")]),
        (HEADS[1], [leaf(3), leaf(5, "f" * 64)]),
        (HEADS[1], [leaf(3), leaf(6, "f" * 64)]),
        ("f" * 64, []),
        ("f" * 64, [leaf(1), leaf(3)]),
        ("f" * 64, [leaf(5, "f" * 64)]),
    ],
)
def test_a_log_that_no_leaf_vouches_for_proves_nothing(head, leaves):
    with pytest.raises(BadProof):
        covering_leaf(Receipt(2, head, 0), HEADS, leaves)
