"""A witness cosigns what only extends the last checkpoint, and proves what does not."""

from base64 import b64encode

import pytest

from events.checkpoints.merkle import leaf_hash, prove_consistency, root, subtree_of
from events.checkpoints.notes import BadNote, Checkpoint, cosigned_at, parse_note, signed, verified
from events.checkpoints.witness import Alarm, Witness
from tests.events.checkpoints.signers import LOG, ORIGIN, WITNESS


def hashes(size, mark=b""):
    return [leaf_hash(mark + bytes([i])) for i in range(size)]


def note(size, mark=b"", signer=LOG, origin=ORIGIN):
    text = Checkpoint(origin, size, root(hashes(size, mark))).text
    return signed(text, [signer.sign(text)])


def proof(old, new, mark=b""):
    return prove_consistency(old, new, subtree_of(hashes(new, mark)))


def prove(old, new, mark=b""):
    return proof(old, new.size, mark)


@pytest.fixture
def witness(tmp_path):
    return Witness(tmp_path, LOG.verifier, WITNESS)


def never(old, new):
    raise AssertionError


def test_it_cosigns_a_growing_log_and_remembers(witness, tmp_path):
    for seconds, size in enumerate((1, 3, 3, 7), start=100):
        line = witness.see(note(size), seconds, prove)
        stored = parse_note(Witness(tmp_path, LOG.verifier, WITNESS).cosigned())
        assert cosigned_at(stored, WITNESS.verifier) == seconds
        assert str(stored.signatures[-1]) == line
        assert verified(stored.encoded(), LOG.verifier)[0].size == size


def test_a_fork_is_an_alarm_with_both_checkpoints(witness):
    witness.see(note(5), 1, never)
    before = witness.cosigned()
    for size in (5, 8):
        with pytest.raises(Alarm, match="forked") as raised:
            witness.see(note(size, b"x"), 2, lambda old, new: prove(old, new, b"x"))
        assert raised.value.kind == "fork"
        evidence = [path.read_bytes() for path in raised.value.evidence]
        assert evidence[:2] == [before, note(size, b"x")]
        assert (len(evidence) == 3) == (size == 8)
        assert witness.cosigned() == before


def test_a_rollback_is_an_alarm_with_both_checkpoints(witness):
    witness.see(note(5), 1, never)
    with pytest.raises(Alarm, match="size 4 after size 5") as raised:
        witness.see(note(4), 2, prove)
    assert raised.value.kind == "rollback"
    assert raised.value.evidence[1].read_bytes() == note(4)


def test_what_another_key_signed_is_not_seen(witness):
    with pytest.raises(BadNote):
        witness.see(note(5, signer=WITNESS), 1, never)
    assert witness.cosigned() is None
    assert witness.latest is None


def test_lines_of_others_are_not_kept(witness, tmp_path):
    extended = note(5) + b"".join(
        f"\u2014 stranger{number} {b64encode(bytes(70)).decode()}\n".encode()
        for number in range(99)
    )
    line = witness.see(extended, 1, never)
    again = Witness(tmp_path, LOG.verifier, WITNESS)
    assert again.cosigned() == note(5) + f"{line}\n".encode()
    assert again.see(note(7), 2, prove)


def request(old, new, hashes=None, data=None):
    given = proof(old, new) if hashes is None and 0 < old < new else hashes or []
    lines = [f"old {old}", *(b64encode(hash_).decode() for hash_ in given)]
    return "\n".join(lines).encode() + b"\n\n" + (note(new) if data is None else data)


def test_it_answers_as_a_witness_of_the_specification(witness):
    told = witness.add_checkpoint(request(0, 4), 7)
    assert (told.status, told.body.startswith(f"— {WITNESS.verifier.name} ")) == (200, True)
    assert witness.add_checkpoint(request(4, 4), 8).status == 200
    assert witness.add_checkpoint(request(4, 9), 9).status == 200
    for body, status, said in (
        (request(4, 9), 409, "9\n"),
        (request(0, 9), 409, "9\n"),
        (request(9, 4), 400, "old size 9"),
        (request(9, 9, data=note(9, b"x")), 422, "forked"),
        (request(9, 12, hashes=[leaf_hash(b"")]), 422, "The proof is wrong"),
        (request(9, 12, data=note(12, origin="other.example")), 404, "Unknown log"),
        (request(9, 12, data=note(12, signer=WITNESS)), 403, "not signed by"),
        (request(9, 12, hashes=[leaf_hash(b"")] * 64), 400, "not a request"),
        (b"old 9\n" + note(9), 400, "not a request"),
        (b"old x\n\n" + note(9), 400, "not a request"),
        (b"", 400, "not a request"),
        ("old ²\n\n".encode() + note(9), 400, "not a request"),
    ):
        answer = witness.add_checkpoint(body, 10)
        assert (answer.status, said in answer.body) == (status, True), answer
    assert witness.add_checkpoint(request(4, 9), 9).media_type == "text/x.tlog.size"
    assert witness.latest.size == 9


def test_a_wrong_proof_of_a_stranger_is_no_evidence(witness, tmp_path):
    witness.see(note(5), 1, never)
    for number in range(3):
        answer = witness.add_checkpoint(request(5, 9, hashes=[leaf_hash(bytes([number]))]), 2)
        assert answer.status == 422
    assert not (tmp_path / "evidence").exists()
    assert witness.add_checkpoint(request(5, 5, data=note(5, b"x")), 3).status == 422
    assert len(list((tmp_path / "evidence").iterdir())) == 2
