"""The service's secrets: master keys of the seeds, token key, signing key. Never logged."""

import asyncio
import hmac
import os
import secrets
from collections.abc import Sequence
from hashlib import sha256
from pathlib import Path

import msgspec
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from events.chain import Head, sign
from events.checkpoints.notes import Signer
from events.errata import Erratum, SignedErratum, signed
from events.keyring import BadPublicKey, Keyring, PublicKey, Revocation
from events.receipts import Receipt, sign_together
from events.record import at_text, exact_micros
from events.signing import CannotSign
from games.match.seed import derive_service_seed
from service.base.clock import now_micros
from service.base.signers import signing_key

P256_ORDER = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551
KEY_BYTES = 32
OPEN = 0o027
"""Forbidden permissions of a secret file. Its group may read it: orchestrators mount it so."""


class BadSecrets(Exception):
    """The secret file cannot be used."""


class CheckpointSecrets(msgspec.Struct, forbid_unknown_fields=True):
    """Secrets of the checkpoint log, which goes on when the signing key changes."""

    key: str
    padding: str
    service: str
    """Id in the default name of the log."""


class SecretFile(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True):
    """Content of the secret file. Keys are 32 bytes in hex."""

    master: dict[str, str]
    """Master keys by id. Old keys stay, for the matches that were created with them."""
    current: str
    """ID of the master key for new matches."""
    tokens: str
    signing: str
    """The private key that signs heads: hex, `env:NAME` or `command:…` (`service.base.signers`)."""
    since: str | None = None
    """When the signing key came into use."""
    retired: list[PublicKey] = []
    """The signing keys before, without their private halves."""
    checkpoints: CheckpointSecrets | None = None
    """Derived from the signing key unless they are named here."""


class Keys:
    """The secrets in use."""

    def __init__(self, file: SecretFile) -> None:
        """Parse the keys; raises `BadSecrets`."""
        self._master = {name: _key(f"master.{name}", key) for name, key in file.master.items()}
        self._tokens = _key("tokens", file.tokens)
        try:
            exact_micros(file.since or at_text(0))
        except ValueError as error:
            raise BadSecrets(f"`since` in the secret file: {error}.") from None
        try:
            self._signing, public = signing_key(file.signing)
            earlier = Keyring.checked(file.retired)
        except ValueError as error:
            raise BadSecrets(f"`signing` must be 32 bytes in hex: {error}") from None
        except (CannotSign, BadPublicKey) as error:
            raise BadSecrets(str(error)) from None
        if file.current not in self._master:
            raise BadSecrets(f"`current` is {file.current!r}, but `master` has no such key.")
        self.current = file.current
        key = msgspec.structs.replace(PublicKey.of(public), since=file.since)
        self.service = key.service
        """ID of the signing key."""
        self.ring = Keyring((key, *reversed(earlier.keys)))
        """The public keys that verify what the service signed, the one in use first."""
        self.checkpoints = file.checkpoints or self._derived_checkpoints(public)
        """Secrets of the checkpoint log."""
        self._checkpoint_key = _key("checkpoints.key", self.checkpoints.key)
        self.padding_secret = _key("checkpoints.padding", self.checkpoints.padding)
        """The secret of the leaves with which a quiet checkpoint log is padded."""

    def __repr__(self) -> str:
        """Return a text without secrets."""
        return f"Keys({self.service})"

    def service_seed(self, match: str, key: str) -> bytes:
        """Return the service seed of a match; raises `KeyError` if the master key is missing."""
        return derive_service_seed(self._master[key], match)

    def derive(self, purpose: str, *names: str) -> bytes:
        """Derive 32 bytes for one purpose."""
        return hmac.digest(self._tokens, "\n".join((purpose, *names)).encode(), sha256)

    def push_key(self) -> ec.EllipticCurvePrivateKey:
        """Return the key that identifies this service to push services (VAPID)."""
        number = int.from_bytes(self.derive("push")) % (P256_ORDER - 1) + 1
        return ec.derive_private_key(number, ec.SECP256R1())

    @property
    def ids(self) -> frozenset[str]:
        """IDs of the master keys."""
        return frozenset(self._master)

    def vouch(self, data: bytes) -> bytes:
        """Sign bytes that name their own purpose (Ed25519). Raises `CannotSign`."""
        return self._signing.sign(data)

    async def sign_receipts(self, receipts: Sequence[Receipt]) -> list[Receipt]:
        """Sign receipts that name the signing key together. Raises `CannotSign`."""
        if isinstance(self._signing, Ed25519PrivateKey):
            return sign_together(self._signing, receipts)
        return await asyncio.to_thread(sign_together, self._signing, receipts)

    def checkpoint_signer(self, origin: str) -> Signer:
        """Return the signer of the checkpoint log, with a key of its own.

        By default the origin is made from the id of the first signing key. Raises `BadKey`.
        """
        key = Ed25519PrivateKey.from_private_bytes(self._checkpoint_key)
        return Signer(origin or f"shiplog/{self.checkpoints.service}", key)

    def _derived_checkpoints(self, public: bytes) -> CheckpointSecrets:
        if not isinstance(self._signing, Ed25519PrivateKey):
            raise BadSecrets("A signing key in another program needs `checkpoints` in the file.")
        root = self._signing.private_bytes_raw()
        key, padding = (
            hmac.digest(root, f"shiplog-{purpose}-1".encode(), sha256).hex()
            for purpose in ("checkpoint", "padding")
        )
        return CheckpointSecrets(key, padding, PublicKey.of(public).service)

    def sign(self, match: str, version: int, head: str) -> Head:
        """Sign the head of a match's log. Raises `CannotSign`."""
        return sign(self._signing, self.service, match, version, head)

    def sign_erratum(self, erratum: Erratum) -> SignedErratum:
        """Sign an erratum that names this key. Raises `CannotSign`."""
        return signed(self._signing, erratum)


def load_or_make(path: Path) -> Keys:
    """Read the secret file, or create it (0600) at the first start; raises `BadSecrets`."""
    if not path.exists():
        make(path, fresh())
    return Keys(read(path))


def make(path: Path, data: bytes) -> None:
    """Create a secret file (0600), unless another process was faster; raises `BadSecrets`."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        part = _written(path, data, 0o600)
    except OSError as error:
        why = f"cannot create {path}: {error.strerror}"
        raise BadSecrets(f"SHIPLOG_DATA: {why}. Choose another folder.") from None
    try:
        os.link(part, path)
    except FileExistsError:
        pass
    finally:
        part.unlink()


def read(path: Path) -> SecretFile:
    """Read a secret file; raises `BadSecrets`."""
    try:
        if path.stat().st_mode & OPEN:
            raise BadSecrets(
                f"Secret file {path} is readable by other users. Run: chmod 600 {path}"
            )
        return msgspec.json.decode(path.read_bytes(), type=SecretFile)
    except OSError as error:
        raise BadSecrets(f"Cannot read secret file {path}: {error.strerror}.") from None
    except msgspec.DecodeError as error:
        raise BadSecrets(f"Secret file {path} is not valid: {error}.") from None


def replace(path: Path, file: SecretFile) -> None:
    """Replace a secret file at once, with the same permissions; raises `OSError`."""
    part = _written(path, encoded(file), path.stat().st_mode)
    part.replace(path)


def rotated(file: SecretFile, signing: str = "") -> SecretFile:
    """Return the secrets with a new signing key, by default one in the file; raises `BadSecrets`.

    The private half of the old key is dropped. The checkpoint log keeps its key.
    """
    keys, now = Keys(file), at_text(now_micros())
    (old, *_) = keys.ring.keys
    new = msgspec.structs.replace(
        file,
        signing=signing or secrets.token_hex(32),
        since=now,
        retired=[*file.retired, msgspec.structs.replace(old, until=now)],
        checkpoints=keys.checkpoints,
    )
    if (again := Keys(new).ring.find(keys.service)) is None or again.until is None:
        raise BadSecrets(f"The new signing key is the old one, {keys.service}.")
    return new


def revoked(file: SecretFile, service: str, revocation: Revocation) -> SecretFile:
    """Return the secrets with a retired key revoked; raises `BadSecrets`."""
    keys = Keys(file)
    if service == keys.service:
        raise BadSecrets(f"Key {service} is in use. Run `shiplog secrets rotate` first.")
    if keys.ring.find(service) is None:
        known = ", ".join(key.service for key in keys.ring.keys)
        raise BadSecrets(f"There is no key {service}. The keys are {known}.")
    retired = [
        msgspec.structs.replace(key, revoked=revocation) if key.service == service else key
        for key in file.retired
    ]
    return msgspec.structs.replace(file, retired=retired)


def fresh() -> bytes:
    """Return the content of a new secret file."""
    master, tokens, signing = (secrets.token_hex(32) for _ in range(3))
    return encoded(SecretFile({"k1": master}, "k1", tokens, signing, at_text(now_micros())))


def encoded(file: SecretFile) -> bytes:
    """Encode a secret file."""
    return msgspec.json.format(msgspec.json.encode(file)) + b"\n"


def _key(name: str, text: str) -> bytes:
    try:
        key = bytes.fromhex(text)
    except ValueError:
        key = b""
    if len(key) != KEY_BYTES:
        raise BadSecrets(f"`{name}` in the secret file must be {KEY_BYTES} bytes in hex.")
    return key


def _written(path: Path, data: bytes, mode: int) -> Path:
    """Write a file beside a path and sync it; return its name."""
    part = path.with_suffix(f".{secrets.token_hex(4)}")
    with os.fdopen(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as out:
        try:
            os.fchmod(out.fileno(), mode & 0o7777)
            out.write(data)
            out.flush()
            os.fsync(out.fileno())
        except OSError:
            part.unlink()
            raise
    return part
