"""Private keys for signatures: in the secret file, in the environment, or behind a program."""

import os
import shlex
import subprocess

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from events.signing import CannotSign, SigningKey

ENVIRONMENT, COMMAND = "env:", "command:"
ANSWER_S = 5.0
"""Time in which a program must sign (seconds)."""
PUBLIC_BYTES, SIGNATURE_BYTES = 32, 64


class ProgramKey:
    """A key that another program holds, such as the client of a KMS or of a hardware token.

    `PROGRAM public` prints the public key, and `PROGRAM sign` reads bytes and prints the Ed25519
    signature over them, both in hex.
    """

    def __init__(self, command: str) -> None:
        """Use a command line, which is split like that of a shell but run without one."""
        self._words = shlex.split(command)

    def public(self) -> bytes:
        """Return the 32 bytes of the public key. Raises `CannotSign`."""
        return self._run("public", b"", PUBLIC_BYTES)

    def sign(self, data: bytes, /) -> bytes:
        """Return the signature of `data`. Raises `CannotSign`."""
        return self._run("sign", data, SIGNATURE_BYTES)

    def _run(self, verb: str, data: bytes, size: int) -> bytes:
        words = [*self._words, verb]
        try:
            done = subprocess.run(  # noqa: S603
                words, input=data, capture_output=True, timeout=ANSWER_S, check=False
            )
        except (OSError, subprocess.TimeoutExpired) as error:
            raise CannotSign(f"Cannot run {shlex.join(words)}: {error}.") from None
        if done.returncode:
            why = done.stderr.decode(errors="replace").strip()
            raise CannotSign(f"{shlex.join(words)} exited with {done.returncode}: {why}")
        try:
            answer = bytes.fromhex(done.stdout.decode("ascii").strip())
        except ValueError:
            answer = b""
        if len(answer) != size:
            raise CannotSign(f"{shlex.join(words)} must print {size} bytes in hex.")
        return answer


def signing_key(reference: str) -> tuple[SigningKey, bytes]:
    """Return a signing key and its public key.

    `reference` is the private key in hex, `env:NAME` for a variable that has it, or `command:…` for
    a program (`ProgramKey`). Raises `ValueError`, `CannotSign`.
    """
    if reference.startswith(COMMAND):
        program = ProgramKey(reference.removeprefix(COMMAND))
        return program, program.public()
    text = reference
    if reference.startswith(ENVIRONMENT):
        name = reference.removeprefix(ENVIRONMENT)
        if (text := os.environ.get(name, "")) == "":
            raise CannotSign(f"The variable {name}, which should have the signing key, is not set.")
    key = Ed25519PrivateKey.from_private_bytes(bytes.fromhex(text))
    return key, key.public_key().public_bytes_raw()
