"""Receipts that are signed together share a signature, and tell nothing of each other."""

import hashlib
import json
from itertools import pairwise

import msgspec
import pytest

from events.receipts import BATCH_MAX, DEPTH, Receipt, objection, sign_together
from tests.recorder import KEYS, PUBLIC, SERVICE, SIGNING

AT = "2026-11-21T09:00:00.000000Z"


def receipts(count: int) -> list[Receipt]:
    return [Receipt(v + 1, f"{v:064x}", v, "m_1", AT, SERVICE) for v in range(count)]


@pytest.mark.parametrize("count", range(1, BATCH_MAX + 1))
def test_every_receipt_of_a_batch_is_verified_alone(count):
    signed = sign_together(SIGNING, receipts(count))
    assert [objection(one, KEYS) for one in signed] == [None] * count
    assert len({one.signature for one in signed}) == 1
    assert len({one.index for one in signed}) == len({one.salt for one in signed}) == count


def test_a_lonely_receipt_looks_like_one_of_many():
    """Neither index nor path says how many others there were."""
    alone = [sign_together(SIGNING, receipts(1))[0] for _ in range(200)]
    assert {len(one.path) for one in alone} == {DEPTH}
    assert len({one.index for one in alone}) == BATCH_MAX
    assert all(one.path != other.path for one, other in pairwise(alone))


@pytest.mark.parametrize(
    "change",
    [
        {"match": "m_2"}, {"viewer": 3}, {"viewer": "full"}, {"version": 9}, {"head": "ab" * 32},
        {"at": AT.replace("1", "2")}, {"salt": "00" * 16}, {"index": 99}, {"index": -1},
        {"path": ()}, {"path": ("no hex",)}, {"signature": "00" * 64}, {"signature": "no hex"},
    ],
    ids=str,
)  # fmt: skip
def test_a_changed_receipt_proves_nothing(change):
    (receipt,) = sign_together(SIGNING, receipts(1))
    assert objection(msgspec.structs.replace(receipt, **change), KEYS) is not None


def test_fields_do_not_run_into_each_other():
    """Each stands after its length, so that no text can be cut in another place."""
    (one,) = sign_together(SIGNING, [Receipt(1, "ab", 1, "m_1", AT, SERVICE)])
    moved = msgspec.structs.replace(one, match="m_11", viewer=1, version=1)
    assert objection(moved, KEYS) is not None


def test_the_documented_lines_verify_a_receipt():
    """docs/log-format.md describes the bytes; these lines follow it."""
    (kept,) = sign_together(SIGNING, [Receipt(3, "ab" * 32, "spectator", "m_1", AT, SERVICE)])
    receipt = json.loads(msgspec.json.encode(kept))
    data = b"shiplog-receipt-1\n"
    for name in ("salt", "match", "viewer", "version", "head", "at", "key"):
        text = str(receipt[name]).encode()
        data += len(text).to_bytes(4, "big") + text
    node, index = hashlib.sha256(data).digest(), receipt.get("index", 0)
    for sibling in map(bytes.fromhex, receipt["path"]):
        pair = sibling + node if index & 1 else node + sibling
        node, index = hashlib.sha256(b"\x01" + pair).digest(), index >> 1
    PUBLIC.verify(bytes.fromhex(receipt["signature"]), b"shiplog-receipts-1\n" + node)
