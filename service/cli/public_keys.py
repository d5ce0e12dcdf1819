"""Public keys for the verbs that check signatures: `--public-key`."""

from pathlib import Path
from typing import Annotated

import httpx
import msgspec
import typer
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from cryptography.hazmat.primitives.serialization import load_pem_public_key

from events.checkpoints.notes import BadKey, Verifier, parse_vkey
from events.keyring import BadPublicKey, Keyring, PublicKey
from service.cli.answers import ANSWER_S, received

PATH = "/keys"

PublicKeys = Annotated[
    list[str] | None,
    typer.Option(
        "--public-key",
        metavar="KEY",
        help="Key that signed the heads: 64 hex digits, a file (hex, PEM, or the JSON of "
        "`GET /keys`), or the address of the service. May be repeated.",
    ),
]
AllowUnsigned = Annotated[
    bool,
    typer.Option("--allow-unsigned", help="Accept logs that no known key signed."),
]


def keyring(given: list[str] | None) -> Keyring:
    """Return the given keys. Raises `typer.BadParameter`."""
    ring = Keyring()
    for text in given or ():
        try:
            ring |= _keys(text)
        except (BadPublicKey, OSError, ValueError, httpx.HTTPError) as error:
            why = f"{text} is not a public key, nor a file or a service that has one: {error}"
            raise typer.BadParameter(why) from None
    return ring


def parse_log_key(text: str) -> Verifier:
    """Return the key of a checkpoint log from its text or a file. Raises `typer.BadParameter`."""
    try:
        return parse_vkey(Path(text).read_text() if Path(text).is_file() else text)
    except (BadKey, OSError, UnicodeDecodeError) as error:
        raise typer.BadParameter(f"--log-key: {error}") from None


def _keys(text: str) -> Keyring:
    if text.startswith(("http://", "https://")):
        url = text.rstrip("/")
        url = url if url.endswith(PATH) else url + PATH
        with httpx.stream("GET", url, timeout=ANSWER_S) as answer:
            return _decoded(received(answer.raise_for_status()))
    if Path(text).is_file():
        return _decoded(Path(text).read_bytes())
    return _of_hex(text)


def _decoded(data: bytes) -> Keyring:
    """Read keys as JSON, PEM or hex. Raises `BadPublicKey`, `ValueError`."""
    data = data.strip()
    if data.startswith((b"[", b"{")):
        found = msgspec.json.decode(data, type=list[PublicKey] | PublicKey)
        return Keyring.checked([found] if isinstance(found, PublicKey) else found)
    if data.startswith(b"-----BEGIN PUBLIC KEY-----"):
        key = load_pem_public_key(data)
        if not isinstance(key, Ed25519PublicKey):
            raise BadPublicKey("The key in the PEM file is not an Ed25519 key.")
        return Keyring.of(key.public_bytes_raw())
    return _of_hex(data.decode("ascii", "replace"))


def _of_hex(text: str) -> Keyring:
    try:
        return Keyring.of(bytes.fromhex(text))
    except ValueError:
        raise BadPublicKey("Expected 64 hex digits.") from None
