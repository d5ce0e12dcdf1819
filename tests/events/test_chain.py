"""The hash chain reveals every change; signatures vouch for heads."""

import json

import msgspec
import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from hypothesis import given, settings
from hypothesis import strategies as st

from events.chain import ChainBroken, follow, message, sign, verify
from events.codec import digest
from tests.events.lines import chain_of, next_line

LINES = chain_of(6)
KEY = Ed25519PrivateKey.from_private_bytes(bytes(range(32)))
SIGNATURE = (
    "a78ae04f3db007b643cc3c690d101c96f7abf39d92fbbdd67e747abb238ba883"
    "72cbf39b36e9c3daba48773aa22a7e32224d52e1dcb01e0fdb467534e23e7d07"
)


def heads(lines):
    return list(follow(lines))


def test_heads_are_the_hashes_of_the_bytes():
    assert heads(LINES) == [digest(line) for line in LINES]
    assert heads([]) == []


@settings(max_examples=400)
@given(st.integers(0, len(LINES) - 1), st.data())
def test_a_flipped_bit_anywhere_is_found(index, data):
    """At that record or the next; in the last one, by the head that was published."""
    changed = bytearray(LINES[index])
    changed[data.draw(st.integers(0, len(changed) - 1))] ^= 1 << data.draw(st.integers(0, 7))
    lines = [*LINES[:index], bytes(changed), *LINES[index + 1 :]]
    try:
        found = heads(lines)
    except ChainBroken as broken:
        assert broken.version in {index + 1, index + 2}  # noqa: PT017 - either may be
    else:
        assert index == len(LINES) - 1
        assert found[-1] != heads(LINES)[-1]


@pytest.mark.parametrize(
    ("lines", "version"),
    [
        (LINES[1:], 1),
        ([LINES[0], *LINES[2:]], 2),
        ([LINES[0], LINES[2], LINES[1]], 2),
        ([*LINES[:2], LINES[1]], 3),
        ([*LINES[:3], next_line(chain_of(3, "other"))], 4),
        ([*LINES[:2], b""], 3),
        ([*LINES[:2], b"\xff"], 3),
        ([*LINES[:2], b'{"v":3,"prev":"\xff"}'], 3),
        ([*LINES[:2], b'{"v":3,"x":' + b"[" * 99_999 + b"]" * 99_999 + b"}"], 3),
        ([b"null"], 1),
        ([b'{"v":"1","prev":"0"}'], 1),
    ],
)
def test_what_does_not_follow_is_named(lines, version):
    with pytest.raises(ChainBroken) as broken:
        heads(lines)
    assert broken.value.version == version
    assert str(broken.value).startswith(f"record {version}: ")


def test_a_signature_vouches_for_one_head_only():
    head = sign(KEY, "service", "m_1", 6, heads(LINES)[-1])
    assert verify(KEY.public_key(), head)
    for change in (
        {"match": "m_2"},
        {"version": 5},
        {"head": digest(b"")},
        {"signature": "00" * 64},
        {"signature": "no hex"},
        {"signature": ""},
    ):
        assert not verify(KEY.public_key(), msgspec.structs.replace(head, **change))
    other = Ed25519PrivateKey.from_private_bytes(bytes(32))
    assert not verify(other.public_key(), head)


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
