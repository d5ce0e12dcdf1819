"""The checkpoint log of a running service: read by everybody, watched by a witness."""

import hmac
import json
import re
import subprocess
import sys
from base64 import b64decode
from hashlib import sha256
from pathlib import Path

import httpx
import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from events.chain import follow
from events.checkpoints.merkle import leaf_hash, root, verify_consistency, verify_inclusion
from events.checkpoints.notes import Signer, cosigned_at, parse_note, parse_vkey, verified
from tests.e2e.checkpoints import another_history, at_least, latest
from tests.e2e.service import SCRIPT, Player, refusal, running, wait_until

pytestmark = pytest.mark.long

BEAT_S = "1"


@pytest.fixture(scope="module")
def quick(tmp_path_factory):
    """Run a service with a short beat."""
    with running(tmp_path_factory.mktemp("quick"), "serve", checkpoint_s=BEAT_S) as process:
        yield process


def ended(service):
    """Play a short match to its end; return its id and its export."""
    with Player(service.url, "Ada") as ada:
        match = ada.open_match(seats=1)
        ada.do(match, {"type": "take_seat", "entropy": "e"})
        ada.do(match, {"type": "propose_abandon"})
        wait_until(lambda: ada.get(f"/matches/{match}/leaves")["leaves"])
        leaves = ada.get(f"/matches/{match}/leaves")
        return match, leaves, ada.http.get(f"/matches/{match}/export").text.splitlines()


def told_proof(text):
    """Parse a tlog-proof: what it opens, index, hashes and checkpoint."""
    head, _, checkpoint = text.partition("\n\n")
    first, extra, index, *hashes = head.split("\n")
    assert first == "c2sp.org/tlog-proof@v1"
    opened = b64decode(extra.removeprefix("extra "))
    return opened, int(index.removeprefix("index ")), [*map(b64decode, hashes)], checkpoint.encode()


def test_a_stranger_proves_that_an_ended_match_is_in_the_log(quick):
    """From the export and the proofs alone, with the key kept from before."""
    match, told, lines = ended(quick)
    log = parse_vkey(told["log"])
    heads = list(follow(line.encode() for line in lines[:-1]))
    secret = json.loads(lines[-2])["events"][-1]["secret"]
    assert told["secret"] == hmac.digest(bytes.fromhex(secret), b"leaf", "sha256").hex()
    assert [leaf["kind"] for leaf in told["leaves"]][::2] in (["opening"], ["opening", "end"])
    assert told["leaves"][-1]["kind"] == "end"
    for leaf in told["leaves"]:
        opened, index, hashes, note = told_proof(leaf["proof"])
        line = lines[leaf["version"] - 1]
        assert leaf["head"] == heads[leaf["version"] - 1]
        assert leaf["at"] == json.loads(line)["at"]
        text = f"shiplog-leaf-1\n{leaf['kind']}\n{leaf['version']}\n{leaf['head']}\n{leaf['at']}\n"
        assert opened == text.encode()
        entry = hmac.digest(bytes.fromhex(told["secret"]), opened, "sha256")
        checkpoint = verified(note, log)[0]
        assert index == leaf["index"]
        verify_inclusion(leaf_hash(entry), index, checkpoint.size, hashes, checkpoint.root)
    stored = httpx.get(f"{quick.url}/matches/{match}/leaves")
    assert stored.status_code == 401


def test_the_tiles_are_static_files_for_ever(quick):
    checkpoint = at_least(quick, 1)
    width = f".p/{checkpoint.size}"
    hashes = httpx.get(f"{quick.url}/tile/0/000{width}")
    assert "immutable" in hashes.headers["Cache-Control"]
    assert hashes.headers["Content-Type"] == "application/octet-stream"
    data = hashes.content
    assert root([data[at : at + 32] for at in range(0, len(data), 32)]) == checkpoint.root
    entries = httpx.get(f"{quick.url}/tile/entries/000{width}").content
    assert leaf_hash(entries[2:34]) == data[:32]
    note = httpx.get(f"{quick.url}/checkpoint")
    assert note.headers["Content-Type"].startswith("text/plain")
    assert note.headers["Cache-Control"] == "public, max-age=1"


@pytest.mark.parametrize(
    "name",
    ["0/999", "private/lock", "%2e%2e/private/lock", "0/..%2f..%2fprivate/lock", "9/000", "0/0"],
)
def test_nothing_else_of_the_log_is_served(quick, name):
    answer = httpx.get(f"{quick.url}/tile/{name}")
    assert answer.status_code == 404


def test_the_log_proves_that_it_only_grew(quick):
    old = at_least(quick, 1)
    ended(quick)
    new = at_least(quick, old.size + 1)
    sizes = {"old": old.size, "new": new.size}
    proof = httpx.get(f"{quick.url}/checkpoint/consistency", params=sizes).json()
    hashes = [bytes.fromhex(hash_) for hash_ in proof["hashes"]]
    verify_consistency(old.size, new.size, hashes, old.root, new.root)
    for wrong in ({"old": 2, "new": 1}, {"old": 1, "new": 99_999}):
        answer = httpx.get(f"{quick.url}/checkpoint/consistency", params=wrong)
        assert refusal(answer) == (404, "not-found")


def test_players_of_a_running_match_are_not_shown_its_leaves(quick):
    with Player(quick.url, "Ada") as ada:
        match = ada.open_match()
        answer = ada.http.get(f"/matches/{match}/leaves")
        assert refusal(answer) == (403, "forbidden")


def test_the_log_goes_on_after_a_kill_and_repeats_nothing(tmp_path):
    with running(tmp_path, "serve", checkpoint_s=BEAT_S) as first:
        with Player(first.url, "Ada") as ada:
            match = ada.open_match(seats=1)
            ada.do(match, {"type": "take_seat", "entropy": "e"})
            old = at_least(first, 1)
            token = ada.token
        first.kill()
    with running(tmp_path, "serve", checkpoint_s=BEAT_S) as second:
        ada = httpx.Client(base_url=second.url, headers={"Authorization": f"Bearer {token}"})
        ada.post(f"/matches/{match}/commands", json={"type": "propose_abandon"})
        wait_until(lambda: ada.get(f"/matches/{match}/leaves").json()["leaves"])
        leaves = ada.get(f"/matches/{match}/leaves").json()["leaves"]
        kinds = [(leaf["kind"], leaf["version"]) for leaf in leaves]
        assert sorted(set(kinds), key=lambda one: one[1]) == kinds
        new = at_least(second, leaves[-1]["index"] + 1)
        sizes = {"old": old.size, "new": new.size}
        proof = ada.get("/checkpoint/consistency", params=sizes).json()
        hashes = [bytes.fromhex(hash_) for hash_ in proof["hashes"]]
        verify_consistency(old.size, new.size, hashes, old.root, new.root)
        ada.close()


def look(url, folder, *more):
    """Run a witness once."""
    words = [sys.executable, "-c", SCRIPT, "witness", url, "--folder", str(folder), "--once", *more]
    return subprocess.run(words, capture_output=True, text=True, timeout=60, check=False)


def test_a_witness_cosigns_what_grows(quick, tmp_path):
    at_least(quick, 1)
    done = look(quick.url, tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    names, seen = map(json.loads, done.stdout.splitlines())
    assert seen["size"] >= 1
    ended(quick)
    at_least(quick, seen["size"] + 1)
    again = look(quick.url, tmp_path, "--key", names["log"])
    assert json.loads(again.stdout.splitlines()[-1])["size"] > seen["size"]
    note = parse_note((tmp_path / "latest").read_bytes())
    assert cosigned_at(note, parse_vkey(names["witness"]))
    other = Signer("other", Ed25519PrivateKey.generate()).verifier
    refused = look(quick.url, tmp_path, "--key", str(other))
    assert (refused.returncode, "another log" in refused.stderr) == (2, True)


def test_a_witness_proves_a_split_view_with_two_checkpoints(quick, tmp_path):
    """It saw another history, signed with the same key: both are printed and kept."""
    at_least(quick, 1)
    look(quick.url, tmp_path)
    now = latest(quick)
    (tmp_path / "latest").write_bytes(another_history(quick, now.size))
    done = look(quick.url, tmp_path)
    assert done.returncode == 1
    alarm = json.loads(done.stderr.splitlines()[0])
    assert alarm["alarm"] == "fork"
    log = parse_vkey((tmp_path / "log.vkey").read_text())
    told = [Path(path).read_text() for path in alarm["evidence"][:2]]
    assert all(note in done.stderr for note in told)
    seen, live = (verified(note.encode(), log)[0].size for note in told)
    assert seen == now.size
    assert live >= seen, "the log may have grown meanwhile"
    (tmp_path / "latest").write_bytes(another_history(quick, 90_000))
    done = look(quick.url, tmp_path)
    assert (done.returncode, json.loads(done.stderr.splitlines()[0])["alarm"]) == (1, "rollback")


def test_a_witness_notices_silence(quick, tmp_path):
    at_least(quick, 1)
    key = httpx.get(f"{quick.url}/checkpoint/key").text.strip()
    done = look("http://127.0.0.1:9", tmp_path, "--key", key)
    assert done.returncode == 1
    assert json.loads(done.stderr.splitlines()[0])["alarm"] == "silence"
    assert look("http://127.0.0.1:9", tmp_path / "new").returncode == 2


def test_a_witness_serves_what_it_cosigned(quick, tmp_path):
    size = at_least(quick, 1).size
    words = [
        sys.executable, "-c", SCRIPT, "witness", quick.url, "--folder", str(tmp_path),
        "--serve", "127.0.0.1:0", "--every", "0.2",
    ]  # fmt: skip
    process = subprocess.Popen(words, stdout=subprocess.PIPE, text=True)
    try:
        names, serving, _ = (json.loads(process.stdout.readline()) for _ in range(3))
        note = httpx.get(f"{serving['serving']}/checkpoint").content
        assert cosigned_at(parse_note(note), parse_vkey(names["witness"]))
        log = parse_vkey(names["log"])
        place = sha256(log.name.encode()).hexdigest()
        assert httpx.get(f"{serving['serving']}/{place}/checkpoint").status_code == 200
        body = b"old 0\n\n" + httpx.get(f"{quick.url}/checkpoint").content
        answer = httpx.post(f"{serving['serving']}/add-checkpoint", content=body)
        assert answer.status_code == 409
        assert re.fullmatch(r"\d+\n", answer.text)
        assert int(answer.text) >= size
        assert httpx.get(f"{serving['serving']}/key").status_code == 404
    finally:
        process.terminate()
        process.wait()
        process.stdout.close()


def test_without_a_log_there_is_nothing_to_read(tmp_path):
    with running(tmp_path, "serve", checkpoints="none") as process:
        for path in ("checkpoint", "checkpoint/key", "tile/0/000"):
            answer = httpx.get(f"{process.url}/{path}")
            assert refusal(answer) == (404, "not-found")
        assert not (tmp_path / "checkpoints").exists()
