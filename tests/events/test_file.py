"""The exchange format: what is written is read, and nothing else is."""

import hashlib
import json

import msgspec
import pytest
import zstandard
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from events.chain import sign
from events.file import BadFile, is_too_deep, read, write
from tests.events.lines import chain_of, head_of

KEY = Ed25519PrivateKey.from_private_bytes(bytes(range(32)))
LINES = chain_of(4)
HEAD = sign(KEY, "service", "m_1", 4, head_of(LINES))
WHOLE = write(LINES, HEAD)
PACKED = write(LINES, HEAD, packed=True)


def test_records_stand_as_they_are_and_the_signature_follows():
    assert WHOLE.split(b"\n")[:4] == LINES
    assert json.loads(WHOLE.splitlines()[4]) == msgspec.to_builtins(HEAD)
    assert WHOLE.endswith(b"}\n")


@pytest.mark.parametrize("data", [WHOLE, PACKED], ids=["plain", "packed"])
def test_a_file_comes_back(data):
    assert read(data) == (LINES, HEAD)


def test_packing_packs():
    assert len(PACKED) < len(WHOLE) / 2
    assert zstandard.ZstdDecompressor().decompress(PACKED) == WHOLE


def test_a_stranger_verifies_it_with_a_hash_and_a_key():
    """What the documentation shows, without a line of ours."""
    *lines, last = WHOLE.decode().splitlines()
    before = bytes(32)
    for number, line in enumerate(lines, start=1):
        assert json.loads(line)["v"] == number
        before = hashlib.sha256(b"shiplog-record-2\n" + before + line.encode()).digest()
    head = json.loads(last)
    assert (head["version"], head["head"]) == (len(lines), before.hex())
    signed = f"shiplog-head-1\n{head['match']}\n{head['version']}\n{head['head']}\n"
    KEY.public_key().verify(bytes.fromhex(head["signature"]), signed.encode())


@pytest.mark.parametrize("data", [WHOLE, PACKED], ids=["plain", "packed"])
@pytest.mark.parametrize("unsigned", [False, True])
def test_a_file_cut_anywhere_is_refused(data, unsigned):
    """Except at a line's end if unsigned files are accepted: only the signature tells there."""
    for size in range(len(data)):
        at_line_end = data[:size].endswith(b"}\n")
        if unsigned and data is WHOLE and at_line_end:
            continue
        with pytest.raises(BadFile):
            read(data[:size], unsigned=unsigned)


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"", "empty"),
        (b"\n", "Line 1 is not a record"),
        (WHOLE[:-1], "cut short: the last line is incomplete"),
        (b"\n".join(LINES) + b"\n", "cut short: the last line is not a signed head"),
        (WHOLE + b"garbage\n", "Line 6 is not a record|is not the last line"),
        (WHOLE + LINES[0] + b"\n", "The signed head in line 5 is not the last line"),
        (WHOLE + WHOLE.splitlines()[4] + b"\n", "The signed head in line 5 is not the last line"),
        (WHOLE.replace(b"\n", b"\n\n"), "Line 2 is not a record"),
        (LINES[0] + b"\n" + WHOLE, "The signed head is for version 4, but the file has 5 records"),
        (write(chain_of(4, "x"), HEAD), "not the head of these records"),
        (write([], HEAD), "The file has no records"),
        (WHOLE.replace(b'"service":"service",', b""), "signed head cannot be read"),
        (
            WHOLE.replace(b'"service":"service"', b'"service":"\xff"'),
            "signed head cannot be read",
        ),
        (PACKED + b"x", "cannot be decompressed"),
        (PACKED[:40] + b"\0\0\0" + PACKED[43:], "cannot be decompressed"),
    ],
)
def test_what_is_wrong_is_said(data, words):
    with pytest.raises(BadFile, match=words):
        read(data)


@pytest.mark.parametrize("packed", [False, True])
def test_unsigned_files_are_read_where_they_are_allowed(packed):
    data = write(LINES, None, packed=packed)
    with pytest.raises(BadFile, match="not a signed head"):
        read(data)
    assert read(data, unsigned=True) == (LINES, None)


def test_a_file_beyond_the_limit_is_not_unpacked():
    bomb = zstandard.ZstdCompressor().compress(b"{}\n" * 3_000_000)
    assert len(bomb) < 2_000
    with pytest.raises(BadFile, match="longer than 1000000 bytes"):
        read(bomb, limit=1_000_000)
    with pytest.raises(BadFile, match="longer than"):
        read(WHOLE, limit=100)
    silent = zstandard.ZstdCompressor(write_content_size=False).compress(b"{}\n" * 3_000_000)
    with pytest.raises(BadFile, match="cannot be decompressed"):
        read(silent, limit=1_000_000)
    assert read(PACKED, limit=len(WHOLE)) == (LINES, HEAD)


def test_brackets_in_texts_are_no_depth():
    assert not is_too_deep(b'{"x":"' + b"[" * 300 + b'\\"' + b"[" * 300 + b'"}')
    assert not is_too_deep(b'"' + b"[" * 300 + b'"')
    assert not is_too_deep(b"[]" * 300)
    assert not is_too_deep(b"[" * 200 + b"]" * 200)
    assert is_too_deep(b'{"x":[' * 101)
