"""The heads reveal every change; signatures vouch for heads."""

import json
from hashlib import sha256

import msgspec
import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from hypothesis import given, settings
from hypothesis import strategies as st

from events.chain import ChainBroken, Head, follow, head_after, message, sign
from events.keyring import PublicKey, is_signed_by
from events.record import GENESIS
from tests.events.lines import chain_of

LINES = chain_of(6)
LINES_1 = [b'{"v":1,"prev":"' + GENESIS.encode() + b'"}']
for version in range(2, 7):
    prev = sha256(LINES_1[-1]).hexdigest()
    LINES_1.append(json.dumps({"v": version, "prev": prev}).encode())
KEY = Ed25519PrivateKey.from_private_bytes(bytes(range(32)))
SIGNATURE = (
    "a78ae04f3db007b643cc3c690d101c96f7abf39d92fbbdd67e747abb238ba883"
    "72cbf39b36e9c3daba48773aa22a7e32224d52e1dcb01e0fdb467534e23e7d07"
)


def heads(lines):
    return list(follow(lines))


def test_a_head_is_the_hash_of_the_record_and_of_the_head_before():
    head = bytes(32)
    for line, found in zip(LINES, heads(LINES), strict=True):
        head = sha256(b"shiplog-record-2\n" + head + line).digest()
        assert found == head.hex()
    assert heads([]) == []


def test_in_format_1_a_head_is_the_hash_of_the_record():
    """Which contains the head before."""
    assert heads(LINES_1) == [sha256(line).hexdigest() for line in LINES_1]
    assert head_after(1, "", LINES_1[0]) == heads(LINES_1)[0]


@settings(max_examples=400)
@given(st.sampled_from([LINES, LINES_1]), st.integers(0, len(LINES) - 1), st.data())
def test_a_flipped_bit_anywhere_is_found(original, index, data):
    """In format 1 at that record or the next; otherwise by the head that was published."""
    changed = bytearray(original[index])
    changed[data.draw(st.integers(0, len(changed) - 1))] ^= 1 << data.draw(st.integers(0, 7))
    lines = [*original[:index], bytes(changed), *original[index + 1 :]]
    try:
        found = heads(lines)
    except ChainBroken as broken:
        assert broken.version in {index + 1, index + 2}  # noqa: PT017 - either may be
    else:
        assert original is LINES or index in {0, len(LINES) - 1}
        assert found[-1] != heads(original)[-1]


@pytest.mark.parametrize(
    ("lines", "version"),
    [
        (LINES[1:], 1),
        ([LINES[0], *LINES[2:]], 2),
        ([LINES[0], LINES[2], LINES[1]], 2),
        ([*LINES[:2], LINES[1]], 3),
        ([*LINES_1[:3], LINES_1[3].replace(b'"prev": "', b'"prev": "0')], 4),
        ([*LINES_1[:3], b'{"v":4}'], 4),
        ([*LINES[:2], b""], 3),
        ([*LINES[:2], b"\xff"], 3),
        ([*LINES[:2], b'{"v":3,"prev":"\xff"}'], 3),
        ([*LINES[:2], b"[" * 99_999 + b"]" * 99_999], 3),
        ([b"null"], 1),
        ([b'{"v":"1","prev":"0"}'], 1),
    ],
)
def test_what_does_not_follow_is_named(lines, version):
    with pytest.raises(ChainBroken) as broken:
        heads(lines)
    assert broken.value.version == version
    assert str(broken.value).startswith(f"record {version}: ")


def verified(key: Ed25519PrivateKey, head: Head) -> bool:
    public = PublicKey.of(key.public_key().public_bytes_raw())
    return is_signed_by(public, head.signature, message(head.match, head.version, head.head))


def test_a_signature_vouches_for_one_head_only():
    head = sign(KEY, "service", "m_1", 6, heads(LINES)[-1])
    assert verified(KEY, head)
    for change in (
        {"match": "m_2"},
        {"version": 5},
        {"head": GENESIS},
        {"signature": "00" * 64},
        {"signature": "no hex"},
        {"signature": ""},
    ):
        assert not verified(KEY, msgspec.structs.replace(head, **change))
    other = Ed25519PrivateKey.from_private_bytes(bytes(32))
    assert not verified(other, head)


def test_what_is_signed_is_pinned():
    """Files that are out there must go on verifying."""
    head = sign(KEY, "service", "m_1", 1, "ab" * 32)
    assert message("m_1", 1, "ab" * 32) == b"shiplog-head-1\nm_1\n1\n" + b"ab" * 32 + b"\n"
    assert json.loads(msgspec.json.encode(head)) == {
        "match": "m_1",
        "version": 1,
        "head": "ab" * 32,
        "service": "service",
        "signature": SIGNATURE,
    }
