"""Notes, checkpoints and cosignatures are those of C2SP."""

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from events.checkpoints.notes import (
    COSIGNATURE,
    BadKey,
    BadNote,
    Checkpoint,
    Signer,
    cosigned_at,
    parse_checkpoint,
    parse_note,
    parse_vkey,
    proof_text,
    signed,
    verified,
)
from tests.events.checkpoints.roots import ROOTS
from tests.events.checkpoints.signers import LOG, ORIGIN, WITNESS

SEVEN = Checkpoint(ORIGIN, 7, bytes.fromhex(ROOTS[6]))
VKEY = "shiplog.example/log+aec90c73+AYqI4910CfGV/VLbLTy6XXLKZwm/HZQSG/N0iAG0D29c"
SIGNATURE = (
    "rskMcyI1SXQdxeQgh/bs89/pJM6A+CnYKohJva4o0+tQ0c/AYnrAjGWrJOx9VtHagNjKcM2j+hK9nzgIanZYk3DfvQI="
)
COSIGNED = (
    "3xwKNQAAAABlU/EAU6rJVNiViQugQutv+57To7iNb2avqbGRlbOKfZjaWUuTMYWR"
    "ElR9QhVHCbhaygjGbbiYmLhYHyAyvcZxeNTECw=="
)
NOTE = signed(SEVEN.text, [LOG.sign(SEVEN.text)])


def test_the_signatures_are_the_known_ones():
    assert str(LOG.verifier) == VKEY
    assert LOG.sign(SEVEN.text) == f"— {ORIGIN} {SIGNATURE}"
    assert WITNESS.cosign(SEVEN.text, 1_700_000_000) == f"— witness.example/w1 {COSIGNED}"


def test_a_checkpoint_is_read_back_with_its_signatures():
    cosigned = signed(SEVEN.text, [LOG.sign(SEVEN.text), WITNESS.cosign(SEVEN.text, 5)])
    checkpoint, note = verified(cosigned, parse_vkey(VKEY))
    assert checkpoint == SEVEN
    assert note.encoded() == cosigned
    assert cosigned_at(note, WITNESS.verifier) == 5
    assert cosigned_at(parse_note(NOTE), WITNESS.verifier) is None


def test_unknown_keys_are_ignored_and_a_known_keys_bad_signature_is_not():
    other = Signer("other.example", Ed25519PrivateKey.from_private_bytes(b"\x03" * 32))
    lines = [other.sign("something else\n"), LOG.sign(SEVEN.text)]
    assert verified(signed(SEVEN.text, lines), LOG.verifier)[0] == SEVEN
    bad = signed(SEVEN.text, [LOG.sign(SEVEN.text), LOG.sign("something else\n")])
    with pytest.raises(BadNote, match="is not valid"):
        verified(bad, LOG.verifier)
    forged = signed(SEVEN.text, [LOG.sign(SEVEN.text), WITNESS.cosign("another\n", 5)])
    with pytest.raises(BadNote, match="is not valid"):
        cosigned_at(parse_note(forged), WITNESS.verifier)


def test_sixteen_signatures_are_accepted():
    signers = [
        Signer(f"w{i}.example", Ed25519PrivateKey.from_private_bytes(bytes([i]) * 32), COSIGNATURE)
        for i in range(16)
    ]
    lines = [LOG.sign(SEVEN.text), *(one.cosign(SEVEN.text, 1) for one in signers)]
    note = verified(signed(SEVEN.text, lines), LOG.verifier)[1]
    assert all(cosigned_at(note, one.verifier) == 1 for one in signers)


def test_a_checkpoint_of_another_log_or_key_is_refused():
    text = Checkpoint("other.example", 7, SEVEN.root).text
    with pytest.raises(BadNote, match=r"is of 'other\.example'"):
        verified(signed(text, [LOG.sign(text)]), LOG.verifier)
    with pytest.raises(BadNote, match="is not signed by"):
        verified(signed(SEVEN.text, [WITNESS.cosign(SEVEN.text, 1)]), LOG.verifier)


@pytest.mark.parametrize(
    "data",
    [
        b"", b"\xff\n\n", b"text\n", NOTE[:-1], NOTE.replace("—".encode(), b"-"),
        NOTE.replace(b"\n\n", b"\n"), b"a\rb\n\n" + NOTE.split(b"\n\n")[1], b"x" * 100_001,
        SEVEN.text.encode() + b"\n" + "— name AAAA\n".encode(),
        SEVEN.text.encode() + b"\n" + "— na+me AAAAAAAA\n".encode(),
        SEVEN.text.encode() + b"\n" + "— name !\n".encode(),
        SEVEN.text.encode() + b"\n" + 101 * (LOG.sign(SEVEN.text) + "\n").encode(),
    ],
)  # fmt: skip
def test_what_is_no_note_is_refused(data):
    with pytest.raises(BadNote):
        parse_note(data)


@pytest.mark.parametrize(
    "text",
    ["", "origin\n", "origin\n07\nAAAA\n", "origin\n-1\n" + "A" * 43 + "=\n", "\n1\nAAAA\n",
     "origin\n1\nAAAA\n", "origin\none\n" + "A" * 43 + "=\n", "origin\n1\n!\n"],
)  # fmt: skip
def test_what_is_no_checkpoint_is_refused(text):
    with pytest.raises(BadNote):
        parse_checkpoint(text)


@pytest.mark.parametrize(
    "text",
    ["", "name+00000000", "na me+aec90c73+AYqI4910CfGV/VLbLTy6XXLKZwm/HZQSG/N0iAG0D29c",
     VKEY.replace("aec90c73", "aec90c74"), VKEY.replace("+AYq", "+AIq"), VKEY + "=", "+1+AA=="],
)  # fmt: skip
def test_what_is_no_verifier_key_is_refused(text):
    with pytest.raises(BadKey):
        parse_vkey(text)
    with pytest.raises(BadKey):
        Signer("two words", Ed25519PrivateKey.generate())


def test_a_proof_for_offline_use_has_the_form_of_the_specification():
    lines = proof_text(b"opened", 2, [SEVEN.root], NOTE).decode().split("\n")
    assert lines[:3] == ["c2sp.org/tlog-proof@v1", "extra b3BlbmVk", "index 2"]
    assert lines[4:7] == ["", ORIGIN, "7"]
