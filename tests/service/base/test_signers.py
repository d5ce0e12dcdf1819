"""A signing key is in the secret file, in the environment, or behind a program."""

import sys

import msgspec
import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from events.signing import CannotSign, is_signed
from service.base.keys import BadSecrets, CheckpointSecrets, Keys
from service.base.signers import ProgramKey, signing_key
from tests.service.table import SECRETS

PRIVATE = Ed25519PrivateKey.from_private_bytes(bytes(32))
PUBLIC = PRIVATE.public_key().public_bytes_raw()
PROGRAM = """
import sys
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
key = Ed25519PrivateKey.from_private_bytes(bytes(32))
if sys.argv[1] == "public":
    print(key.public_key().public_bytes_raw().hex())
else:
    print(key.sign(sys.stdin.buffer.read()).hex())
"""


@pytest.fixture
def program(tmp_path):
    """Return the command line of a program that signs, as the client of a KMS would."""
    path = tmp_path / "kms.py"
    path.write_text(PROGRAM)
    return f"{sys.executable} {path}"


def test_hex_environment_and_program_make_the_same_signature(program, monkeypatch):
    monkeypatch.setenv("SIGNING_KEY", bytes(32).hex())
    made = set()
    for reference in (bytes(32).hex(), "env:SIGNING_KEY", f"command:{program}"):
        key, public = signing_key(reference)
        assert public == PUBLIC
        made.add(key.sign(b"data"))
    (signature,) = made
    assert is_signed(PUBLIC, signature, b"data")


def test_a_program_signs_heads(program):
    secrets = msgspec.structs.replace(
        SECRETS,
        signing=f"command:{program}",
        checkpoints=CheckpointSecrets("44" * 32, "55" * 32, "first"),
    )
    keys = Keys(secrets)
    assert keys.sign("m_1", 3, "ab" * 32) == Keys(
        msgspec.structs.replace(SECRETS, signing=bytes(32).hex())
    ).sign("m_1", 3, "ab" * 32)
    with pytest.raises(BadSecrets, match="needs `checkpoints`"):
        Keys(msgspec.structs.replace(secrets, checkpoints=None))


@pytest.mark.parametrize(
    ("program", "why"),
    [
        ("/nowhere/kms", "Cannot run"),
        (f"{sys.executable} -c 'raise SystemExit(4)'", "exited with 4"),
        (f"{sys.executable} -c 'print(7)'", "must print 64 bytes"),
    ],
)
def test_a_program_that_does_not_sign_is_named(program, why):
    with pytest.raises(CannotSign, match=why):
        ProgramKey(program).sign(b"data")


def test_a_variable_that_is_not_set_is_named():
    with pytest.raises(CannotSign, match="NO_SUCH_VARIABLE"):
        signing_key("env:NO_SUCH_VARIABLE")
