"""Rotate and revoke signing keys, as docs/operations.md says: older matches go on verifying."""

import asyncio
import json
import resource
from contextlib import contextmanager

import msgspec
import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from events import file
from events.chain import follow
from events.checkpoints.leaves import Leaf, commitment
from events.checkpoints.log import CheckpointLog, Entry
from events.checkpoints.notes import Signer
from events.folder import Folder
from events.receipts import Receipt
from events.store import append_all
from games.match.seed import leaf_secret
from replay.header import reveal
from service.base.keys import CheckpointSecrets, Keys, encoded, read
from service.play.errata import secret_of
from service.play.published_log import PublishedLog
from tests.record_matches import Plan, Table, players_of
from tests.replay.forgery import changed, rechained
from tests.service.cli.conftest import GAME, within, write_secrets


@pytest.fixture
def path(tmp_path):
    write_secrets(tmp_path)
    return tmp_path / "secrets.json"


def history(shiplog, path):
    return json.loads(shiplog("secrets", "keys", "--file", path).stdout)


@pytest.fixture
def full():
    """Return a context in which no file can be longer than 100 bytes."""

    @contextmanager
    def limit():
        soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
        resource.setrlimit(resource.RLIMIT_FSIZE, (100, hard))
        try:
            yield
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))

    return limit


def test_on_a_full_disk_a_rotation_changes_nothing_and_leaves_no_part(shiplog, path, full):
    before = path.read_bytes()
    with full():
        result = shiplog("secrets", "rotate", "--file", path)
    assert (result.exit_code, result.stderr) == (2, "shiplog: File too large\n")
    assert {file: file.read_bytes() for file in path.parent.iterdir()} == {path: before}


def test_on_a_full_disk_an_export_leaves_no_part(shiplog, files, full):
    with full():
        result = shiplog("export", "good.jsonl", "-o", "copy.jsonl")
    assert (result.exit_code, "None" in result.output) == (2, False)
    assert not (files / "copy.jsonl").exists()
    assert shiplog("export", "good.jsonl", "-o", "copy.jsonl").exit_code == 0


def test_a_new_secret_file_is_printed(shiplog, path):
    path.write_text(shiplog("secrets").stdout)
    (key,) = history(shiplog, path)
    assert key["since"]
    assert key["until"] is key["revoked"] is None


def test_a_rotation_keeps_the_old_public_key_and_drops_its_private_half(shiplog, path):
    before = read(path)
    assert shiplog("secrets", "rotate", "--file", path).exit_code == 0
    after = read(path)
    assert before.signing not in path.read_text()
    assert path.stat().st_mode & 0o777 == 0o600
    new, old = history(shiplog, path)
    assert (old["service"], new["service"]) == (Keys(before).service, Keys(after).service)
    assert old["until"] == new["since"]
    assert new["until"] is None


def test_a_rotation_leaves_the_checkpoint_log_alone(shiplog, path):
    before = Keys(read(path))
    shiplog("secrets", "rotate", "--file", path)
    shiplog("secrets", "rotate", "--file", path)
    after = Keys(read(path))
    assert after.checkpoint_signer("").verifier == before.checkpoint_signer("").verifier
    assert after.padding_secret == before.padding_secret
    assert len(after.ring.keys) == 3


@pytest.mark.parametrize(
    ("wrong", "why"),
    [
        ({"master": {"k1": ""}}, "`master.k1` in the secret file must be 32 bytes in hex"),
        ({"tokens": "22" * 31}, "`tokens` in the secret file must be 32 bytes in hex"),
        ({"tokens": "none"}, "`tokens` in the secret file must be 32 bytes in hex"),
        ({"signing": "33"}, "`signing` must be 32 bytes in hex"),
        ({"since": "yesterday"}, "`since` in the secret file"),
        ({"checkpoints": ("", "55" * 32)}, "`checkpoints.key` in the secret file"),
        ({"checkpoints": ("44" * 32, "55")}, "`checkpoints.padding` in the secret file"),
    ],
)
def test_a_secret_file_with_a_weak_or_wrong_key_is_refused(shiplog, path, wrong, why):
    if "checkpoints" in wrong:
        wrong = {"checkpoints": CheckpointSecrets(*wrong["checkpoints"], "first")}
    path.write_bytes(encoded(msgspec.structs.replace(read(path), **wrong)))
    refused = shiplog("secrets", "keys", "--file", path)
    assert (refused.exit_code, why in refused.stderr) == (2, True), refused.output


def test_a_secret_file_that_cannot_be_read_is_named(shiplog, path):
    missing = path.with_name("missing.json")
    result = shiplog("secrets", "keys", "--file", missing)
    assert result.exit_code == 2
    assert f"Cannot read secret file {missing}: No such file" in " ".join(result.stderr.split())


def test_a_revoked_key_is_listed_with_the_reason(shiplog, path):
    shiplog("secrets", "rotate", "--file", path)
    _, old = history(shiplog, path)
    words = ("--reason", "stolen", "--at", "2026-11-21T09:00:00.000000Z", "--size", 12)
    assert shiplog("secrets", "revoke", old["service"], "--file", path, *words).exit_code == 0
    assert history(shiplog, path)[1]["revoked"] == {
        "at": "2026-11-21T09:00:00.000000Z", "reason": "stolen", "size": 12,
    }  # fmt: skip


def test_what_cannot_be_revoked_is_said(shiplog, path):
    in_use = history(shiplog, path)[0]["service"]
    for key, why in ((in_use, "is in use"), ("unknown", "There is no key unknown")):
        refused = shiplog("secrets", "revoke", key, "--file", path, "--reason", "x")
        assert refused.exit_code == 2
        assert why in refused.stderr
    when = shiplog("secrets", "revoke", in_use, "--file", path, "--reason", "x", "--at", "noon")
    assert when.exit_code == 2


def test_a_key_is_not_revoked_in_the_future(shiplog, own, path):
    folder = path.parent / "own"
    assert committed(folder, own) == 1
    assert shiplog("secrets", "rotate").exit_code == 0
    before = (folder / "secrets.json").read_bytes()
    _, old = history(shiplog, folder / "secrets.json")
    for option, value, why in (
        ("--at", "9999-01-01T00:00:00.000000Z", "is in the future"),
        ("--size", 2, "the checkpoint log has only 1 leaves"),
    ):
        revoke = ("secrets", "revoke", old["service"], "--reason", "stolen", option, value)
        refused = shiplog(*revoke)
        assert (refused.exit_code, why in refused.stderr) == (2, True), refused.output
    assert (folder / "secrets.json").read_bytes() == before


def test_matches_verify_after_a_rotation_and_until_a_revocation(shiplog, own, path):
    """The runbook: rotate, publish the keys, revoke the old one if it was stolen."""
    secrets = path.parent / "own" / "secrets.json"
    before = shiplog("export", own, "-o", "-").stdout_bytes
    assert shiplog("secrets", "rotate").exit_code == 0
    assert shiplog("export", own, "-o", "after.jsonl").exit_code == 0
    assert (path.parent / "after.jsonl").read_bytes() == before, "signed once, at its end"
    (path.parent / "keys.json").write_text(shiplog("secrets", "keys").stdout)
    audit = ("audit", "after.jsonl", "--public-key", "keys.json")
    assert shiplog(*audit).exit_code == 0
    assert shiplog("audit", "--all").exit_code == 0
    _, old = history(shiplog, secrets)
    shiplog(
        "secrets",
        "revoke",
        old["service"],
        "--reason",
        "stolen",
        "--at",
        "2026-01-01T00:00:00.000000Z",
    )
    (path.parent / "keys.json").write_text(shiplog("secrets", "keys").stdout)
    assert shiplog(*audit).exit_code == 3
    assert shiplog("audit", own).exit_code == 3


def committed(folder, match):
    """Let the checkpoint log of a service commit to the head of a match that has ended."""
    keys = Keys(read(folder / "secrets.json"))

    lines = within(folder, lambda context: context.store.read(match))
    head, secret = list(follow(lines))[-1], leaf_secret(secret_of(keys, lines))
    at = msgspec.json.decode(lines[-1])["at"]
    leaf = Leaf("end", match, len(lines), head, at)
    log = CheckpointLog(Folder(folder / "checkpoints"), keys.checkpoint_signer(""))
    log.append([Entry(commitment(secret, leaf), leaf)])
    return log.checkpoint.size


def backdated(folder, match):
    """Write a match as a thief of the old key would: with a past time and a valid signature."""
    plan = Plan(4, 2, {}, None, ("", ""), "random", "", 0)
    table = Table(GAME, plan, players_of(GAME))
    assert table.play()
    recorder = table.recorder
    assert recorder.match.header.match != match

    async def put(context):
        name = recorder.match.header.match
        await append_all(context.store, name, recorder.lines, head=recorder.head())

    within(folder, put)
    return recorder.match.header.match


def test_a_revoked_key_vouches_only_for_heads_that_were_in_the_checkpoint_log(shiplog, own, path):
    folder = path.parent / "own"
    assert committed(folder, own) == 1
    assert shiplog("secrets", "rotate").exit_code == 0
    _, old = history(shiplog, folder / "secrets.json")
    revoked = shiplog("secrets", "revoke", old["service"], "--reason", "stolen")
    assert "Only heads among the first 1 leaves" in revoked.stderr
    assert history(shiplog, folder / "secrets.json")[1]["revoked"]["size"] == 1
    forged = backdated(folder, own)
    assert shiplog("audit", own).exit_code == 0
    told = shiplog("audit", forged)
    assert told.exit_code == 3
    assert "no leaf of it is known" in " ".join(told.output.split())
    assert committed(folder, forged) == 2, "the thief's match enters the log too late"
    told = shiplog("audit", forged)
    assert told.exit_code == 3
    assert "the head entered it as leaf 1" in " ".join(told.output.split())
    assert shiplog("audit", "--all").exit_code == 3
    (path.parent / "keys.json").write_text(shiplog("secrets", "keys").stdout)
    assert shiplog("export", own, "-o", "match.jsonl").exit_code == 0
    alone = shiplog("audit", "match.jsonl", "--public-key", "keys.json")
    assert alone.exit_code == 3, "a file alone proves no age"


def test_a_file_of_a_revoked_key_holds_with_the_proof_of_its_leaf(shiplog, own, path):
    folder = path.parent / "own"
    size = committed(folder, own)
    keys = Keys(read(folder / "secrets.json"))
    log = keys.checkpoint_signer("").verifier
    (path.parent / "log.vkey").write_text(f"{log}\n")
    (path.parent / "leaves.json").write_bytes(answered(folder, log, own))
    assert shiplog("export", own, "-o", "match.jsonl").exit_code == 0
    assert shiplog("secrets", "rotate").exit_code == 0
    _, old = history(shiplog, folder / "secrets.json")
    for reason, told in (("stolen", 0), ("stolen before", 3)):
        revoke = ("secrets", "revoke", old["service"], "--reason", reason)
        assert shiplog(*revoke, "--size", size if told == 0 else size - 1).exit_code == 0
        (path.parent / "keys.json").write_text(shiplog("secrets", "keys").stdout)
        alone = ("audit", "match.jsonl", "--public-key", "keys.json")
        assert shiplog(*alone).exit_code == 3, "a file alone proves no age"
        proved = (*alone, "--proof", "leaves.json")
        assert shiplog(*proved, "--log-key", "log.vkey").exit_code == told
        assert shiplog(*proved, "--secrets", folder / "secrets.json").exit_code == told
    missing = shiplog(*proved)
    assert (missing.exit_code, "--proof needs --log-key" in missing.stderr) == (2, True)
    other = Signer("other/log", Ed25519PrivateKey.generate()).verifier
    refused = shiplog(*proved, "--log-key", other)
    assert (refused.exit_code, "proves nothing about match.jsonl" in refused.stderr) == (1, True)


def test_a_log_that_was_written_anew_contradicts_the_proof_of_its_leaves(shiplog, own, path):
    folder = path.parent / "own"
    committed(folder, own)
    keys = Keys(read(folder / "secrets.json"))
    log = keys.checkpoint_signer("").verifier
    (path.parent / "leaves.json").write_bytes(answered(folder, log, own))
    (path.parent / "none.json").write_bytes(b'{"leaves":[]}')
    assert shiplog("export", own, "-o", "match.jsonl").exit_code == 0

    def audited(proof="leaves.json"):
        key = keys.ring.keys[0].public_key
        audit = ("audit", "match.jsonl", "--public-key", key, "--proof", proof)
        return shiplog(*audit, "--log-key", str(log))

    assert audited().exit_code == 0
    unproven = audited("none.json")
    assert (unproven.exit_code, "no leaf of the last record" in unproven.stderr) == (3, True)
    lines, _ = file.read((path.parent / "match.jsonl").read_bytes())
    forged = rechained(changed(lines, 3, id="other"), bytes.fromhex(reveal(lines).secret))
    *_, head = follow(forged)
    signed = keys.sign(own, len(forged), head)
    (path.parent / "match.jsonl").write_bytes(file.write(forged, signed))
    told = audited()
    assert told.exit_code == 1
    assert "rewritten" in told.output


def test_receipts_are_covered_by_a_leaf_or_prove_too_little(shiplog, own, path):
    folder = path.parent / "own"
    committed(folder, own)
    keys = Keys(read(folder / "secrets.json"))
    log = keys.checkpoint_signer("").verifier
    (path.parent / "leaves.json").write_bytes(answered(folder, log, own))
    assert shiplog("export", own, "-o", "match.jsonl").exit_code == 0
    lines, _ = file.read((path.parent / "match.jsonl").read_bytes())
    heads = list(follow(lines))

    def verified(*words, version=2, head=heads[2], viewer=0, match=own):
        told = Receipt(version, head, viewer, match, "2026-11-21T09:00:00.000000Z", keys.service)
        (signed,) = asyncio.run(keys.sign_receipts([told]))
        (path.parent / "kept.jsonl").write_bytes(msgspec.json.encode(signed))
        result = shiplog("verify-receipt", "kept.jsonl", "--public-key", key, *words)
        return result.exit_code, " ".join(result.output.split())

    key = keys.ring.keys[0].public_key
    proof = ("--proof", "leaves.json", "--log-key", str(log))
    whole = ("--log", "match.jsonl", *proof)
    assert verified()[0] == 0
    assert f"covered by leaf 0 up to record {len(lines)}" in verified(*whole)[1]
    assert verified(*whole, version=3, viewer="full")[0] == 0

    for contradiction in (
        {"head": "ab" * 32},
        {"version": 4},
        {"version": 2, "viewer": "full"},
    ):
        assert verified(*whole, **contradiction)[0] == 1, contradiction
    assert verified(*whole, match="m_1")[0] == 3, "the log says nothing of another match"

    (path.parent / "none.json").write_bytes(b'{"leaves":[]}')
    nothing = verified("--log", "match.jsonl", "--proof", "none.json", "--log-key", str(log))
    assert (nothing[0], "no leaf covers" in nothing[1]) == (3, True)
    for words in (proof, whole[:4], ("--log", "match.jsonl", *proof[2:])):
        assert verified(*words)[0] == 2, words
    other = Signer("other/log", Ed25519PrivateKey.generate()).verifier
    assert verified(*whole[:-1], str(other))[0] == 3
    (path.parent / "match.jsonl").write_bytes(file.write(lines[:-1], None))
    assert verified(*whole)[0] == 3, "a log that was cut reveals no secret"


def answered(folder, log, match):
    """Return what a service answers about the leaves of a match."""
    published = PublishedLog(Folder(folder / "checkpoints"), log)
    proofs = asyncio.run(published.proofs(match))
    return json.dumps({"leaves": [{"proof": one.proof.decode()} for one in proofs]}).encode()
