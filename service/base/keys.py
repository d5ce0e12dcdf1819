"""The service's secrets: master keys of the seeds, the token key, the signing key. Never logged."""

import hmac
import os
import secrets
from hashlib import sha256
from pathlib import Path

import msgspec
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from events.chain import Head, sign
from games.match.seed import service_part

OPEN = 0o027
"""Modes of a secret file that give it away. Its group may read it: orchestrators mount it so."""


class BadSecrets(Exception):
    """The secret file can't be used."""


class SecretFile(msgspec.Struct, forbid_unknown_fields=True):
    """What the file holds; keys are 32 bytes in hex."""

    master: dict[str, str]
    """By key id: old ones stay for the matches that were opened with them."""
    current: str
    """Id of the master key for new matches."""
    tokens: str
    signing: str


class Keys:
    """The secrets at work."""

    def __init__(self, file: SecretFile) -> None:
        """Check and take the keys; raises `BadSecrets`."""
        try:
            self._master = {name: bytes.fromhex(key) for name, key in file.master.items()}
            self._tokens = bytes.fromhex(file.tokens)
            self._signing = Ed25519PrivateKey.from_private_bytes(bytes.fromhex(file.signing))
        except ValueError as error:
            raise BadSecrets(f"keys must be 32 bytes in hex: {error}") from None
        if file.current not in self._master:
            raise BadSecrets(f"no master key named {file.current}")
        self.current = file.current
        self.public: Ed25519PublicKey = self._signing.public_key()
        self.service = sha256(self.public.public_bytes_raw()).hexdigest()[:16]
        """Id of the signing key."""

    def __repr__(self) -> str:
        """Show nothing secret."""
        return f"Keys({self.service})"

    def part(self, match: str, key: str) -> bytes:
        """Give the service's part of a match's seed; raises `KeyError` for a key that is not here."""
        return service_part(self._master[key], match)

    def derive(self, purpose: str, *names: str) -> bytes:
        """Derive 32 bytes for one purpose."""
        return hmac.digest(self._tokens, "\n".join((purpose, *names)).encode(), sha256)

    @property
    def ids(self) -> frozenset[str]:
        """Ids of the master keys that are here."""
        return frozenset(self._master)

    def vouch(self, data: bytes) -> bytes:
        """Sign bytes, which say what they are (Ed25519)."""
        return self._signing.sign(data)

    def sign(self, match: str, version: int, head: str) -> Head:
        """Vouch for a head."""
        return sign(self._signing, self.service, match, version, head)


def load_or_make(path: Path) -> Keys:
    """Read the secret file, making it (0600) at the first start; raises `BadSecrets`."""
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        _make(path)
    if path.stat().st_mode & OPEN:
        raise BadSecrets(f"{path} is open to others: chmod 600")
    try:
        return Keys(msgspec.json.decode(path.read_bytes(), type=SecretFile))
    except msgspec.DecodeError as error:
        raise BadSecrets(f"{path}: {error}") from None


def fresh() -> bytes:
    """Give a new secret file."""
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
