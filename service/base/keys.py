"""The service's secrets: master keys of the seeds, token key, signing key. Never logged."""

import hmac
import os
import secrets
from hashlib import sha256
from pathlib import Path

import msgspec
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from events.chain import Head, sign
from events.checkpoints.notes import Signer
from events.keyring import Keyring, PublicKey
from games.match.seed import derive_service_seed

OPEN = 0o027
"""Forbidden permissions of a secret file. Its group may read it: orchestrators mount it so."""


class BadSecrets(Exception):
    """The secret file cannot be used."""


class SecretFile(msgspec.Struct, forbid_unknown_fields=True):
    """Content of the secret file. Keys are 32 bytes in hex."""

    master: dict[str, str]
    """Master keys by id. Old keys stay, for the matches that were created with them."""
    current: str
    """ID of the master key for new matches."""
    tokens: str
    signing: str


class Keys:
    """The secrets in use."""

    def __init__(self, file: SecretFile) -> None:
        """Parse the keys; raises `BadSecrets`."""
        try:
            self._master = {name: bytes.fromhex(key) for name, key in file.master.items()}
            self._tokens = bytes.fromhex(file.tokens)
            self._signing = Ed25519PrivateKey.from_private_bytes(bytes.fromhex(file.signing))
        except ValueError as error:
            raise BadSecrets(f"Keys must be 32 bytes in hex: {error}.") from None
        if file.current not in self._master:
            raise BadSecrets(f"`current` is {file.current!r}, but `master` has no such key.")
        self.current = file.current
        key = PublicKey.of(self._signing.public_key().public_bytes_raw())
        self.service = key.service
        """ID of the signing key."""
        self.ring = Keyring((key,))
        """The public keys that verify what the service signed."""

    def __repr__(self) -> str:
        """Return a text without secrets."""
        return f"Keys({self.service})"

    def service_seed(self, match: str, key: str) -> bytes:
        """Return the service seed of a match; raises `KeyError` if the master key is missing."""
        return derive_service_seed(self._master[key], match)

    def derive(self, purpose: str, *names: str) -> bytes:
        """Derive 32 bytes for one purpose."""
        return hmac.digest(self._tokens, "\n".join((purpose, *names)).encode(), sha256)

    @property
    def ids(self) -> frozenset[str]:
        """IDs of the master keys."""
        return frozenset(self._master)

    def vouch(self, data: bytes) -> bytes:
        """Sign bytes that name their own purpose (Ed25519)."""
        return self._signing.sign(data)

    def checkpoint_signer(self, origin: str) -> Signer:
        """Return the signer of the checkpoint log, with a key of its own.

        By default the origin is made from the id of the signing key. Raises `BadKey`.
        """
        key = Ed25519PrivateKey.from_private_bytes(self._derive_signing("shiplog-checkpoint-1"))
        return Signer(origin or f"shiplog/{self.service}", key)

    @property
    def padding_secret(self) -> bytes:
        """The secret of the leaves with which a quiet checkpoint log is padded."""
        return self._derive_signing("shiplog-padding-1")

    def _derive_signing(self, purpose: str) -> bytes:
        return hmac.digest(self._signing.private_bytes_raw(), purpose.encode(), sha256)

    def sign(self, match: str, version: int, head: str) -> Head:
        """Sign the head of a match's log."""
        return sign(self._signing, self.service, match, version, head)


def load_or_make(path: Path) -> Keys:
    """Read the secret file, or create it (0600) at the first start; raises `BadSecrets`."""
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        _make(path)
    if path.stat().st_mode & OPEN:
        raise BadSecrets(f"Secret file {path} is readable by other users. Run: chmod 600 {path}")
    try:
        return Keys(msgspec.json.decode(path.read_bytes(), type=SecretFile))
    except msgspec.DecodeError as error:
        raise BadSecrets(f"Secret file {path} is not valid: {error}.") from None


def fresh() -> bytes:
    """Return the content of a new secret file."""
    file = SecretFile(
        {"k1": secrets.token_hex(32)}, "k1", secrets.token_hex(32), secrets.token_hex(32)
    )
    return msgspec.json.format(msgspec.json.encode(file)) + b"\n"


def _make(path: Path) -> None:
    part = path.with_suffix(f".{secrets.token_hex(4)}")
    with os.fdopen(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as out:
        out.write(fresh())
        out.flush()
        os.fsync(out.fileno())
    try:
        os.link(part, path)
    except FileExistsError:
        pass
    finally:
        part.unlink()
