"""A statement of provenance holds for the bytes, the key and the commit that it names only."""

import json
import subprocess
from base64 import b64decode, b64encode

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from tests import provenance

KEY = Ed25519PrivateKey.from_private_bytes(bytes(range(32)))
SOURCE = "https://example.org/shiplog"


def git(root, *words):
    who = ("-c", "user.name=Ada", "-c", "user.email=ada@example.org")
    subprocess.run(["git", "-C", root, *who, *words], check=True, capture_output=True)


@pytest.fixture
def tree(tmp_path):
    """Return a repository with one commit."""
    root = tmp_path / "tree"
    (root / "web").mkdir(parents=True)
    for name in provenance.LOCKS:
        (root / name).write_text(name)
    git(root, "init", "--quiet")
    git(root, "add", ".")
    git(root, "commit", "--quiet", "--message", "Begin")
    return root


@pytest.fixture
def built(tmp_path):
    file = tmp_path / "shiplog.whl"
    file.write_bytes(b"wheel")
    return file


@pytest.fixture
def envelope(tree, built):
    return provenance.sign(provenance.statement(built, SOURCE, tree), KEY)


def changed(envelope: bytes, change) -> bytes:
    """Return the envelope with another payload, under a signature by the same key."""
    stated = json.loads(b64decode(json.loads(envelope)["payload"]))
    change(stated)
    return provenance.sign(stated, KEY)


def test_the_source_and_its_commit_are_told(tree, built, envelope):
    commit = provenance.git("rev-parse", "HEAD", root=tree)
    origin = f"git+{SOURCE} at {commit}"
    assert provenance.check(envelope, built, KEY.public_key()) == origin


def test_the_same_commit_is_stated_in_the_same_bytes(tree, built, envelope):
    assert provenance.sign(provenance.statement(built, SOURCE, tree), KEY) == envelope


def test_the_statement_has_the_form_of_slsa(built, envelope):
    sealed = json.loads(envelope)
    stated = json.loads(b64decode(sealed["payload"]))
    assert sealed["payloadType"] == "application/vnd.in-toto+json"
    assert stated["_type"] == "https://in-toto.io/Statement/v1"
    assert stated["predicateType"] == "https://slsa.dev/provenance/v1"
    assert stated["subject"][0]["name"] == built.name
    definition = stated["predicate"]["buildDefinition"]
    assert len(definition["resolvedDependencies"]) == 1 + len(provenance.LOCKS)
    assert {"buildType", "externalParameters"} <= definition.keys()
    assert stated["predicate"]["runDetails"]["builder"]["id"]


def test_a_tree_with_changes_that_no_commit_has_is_not_stated(tree, built):
    (tree / "more.py").write_text("")
    with pytest.raises(provenance.Unproven, match=r"(?s)commit or remove .*more\.py"):
        provenance.statement(built, SOURCE, tree)


def test_another_file_key_or_kind_of_statement_does_not_pass(tmp_path, built, envelope):
    other = tmp_path / "other.whl"
    other.write_bytes(b"another")
    public = KEY.public_key()
    stranger = Ed25519PrivateKey.from_private_bytes(bytes(32)).public_key()
    with pytest.raises(provenance.Unproven, match="another digest"):
        provenance.check(envelope, other, public)
    with pytest.raises(provenance.Unproven, match="no signature is by the key"):
        provenance.check(envelope, built, stranger)
    with pytest.raises(provenance.Unproven, match="states something else"):
        provenance.check(changed(envelope, lambda it: it.update(_type="x")), built, public)
    with pytest.raises(provenance.Unproven, match="no statement of provenance"):
        provenance.check(changed(envelope, lambda it: it.pop("subject")), built, public)


@pytest.mark.parametrize("text", [b"", b"[]", b"{}", b'{"payload":"?","payloadType":"x"}'])
def test_what_is_no_envelope_is_named(built, text):
    with pytest.raises(provenance.Unproven, match="no DSSE envelope"):
        provenance.check(text, built, KEY.public_key())


def test_a_payload_that_was_changed_after_it_was_signed_does_not_pass(built, envelope):
    sealed = json.loads(envelope)
    sealed["payload"] = b64encode(b64decode(sealed["payload"]).replace(b"gitCommit", b"gitcommit"))
    forged = json.dumps({**sealed, "payload": sealed["payload"].decode()}).encode()
    with pytest.raises(provenance.Unproven, match="no signature"):
        provenance.check(forged, built, KEY.public_key())


def test_the_command_checks_the_statement_beside_the_file(tmp_path, built, envelope):
    key = tmp_path / "public.pem"
    key.write_bytes(KEY.public_key().public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo))
    built.with_name(f"{built.name}.intoto.json").write_bytes(envelope)
    said = provenance.main(["check", str(built), "--key", str(key)])
    assert said.startswith(f"shiplog.whl was built from git+{SOURCE} at ")
