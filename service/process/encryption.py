"""Encrypt a backup into one file, and decrypt it: tar, then AES-256-GCM in chunks.

The file is a magic line, a random salt and the chunks. Each chunk is authenticated with its number,
and with whether it is the last one. So a file that was changed, reordered or cut is not decrypted.
"""

import os
import re
import secrets
import shutil
import stat
import tarfile
from pathlib import Path
from typing import Any, BinaryIO

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

MAGIC = b"shiplog encrypted backup 1\n"
SALT_BYTES = 32
CHUNK_BYTES = 1 << 20
TAG_BYTES = 16
KEY = re.compile(r"[0-9a-f]{64}")


class BadFile(Exception):
    """The key or the file cannot be used; the message says why."""


def read_key(path: Path) -> bytes:
    """Read a key of 32 bytes in hex, from a file of this user. Raises `BadFile`, `OSError`."""
    if path.stat().st_mode & (stat.S_IRWXG | stat.S_IRWXO):
        raise BadFile(f"Key file {path} is readable by other users. Run: chmod 600 {path}")
    text = path.read_text().strip()
    if not KEY.fullmatch(text):
        raise BadFile(f"Key file {path} must contain 64 hex digits. Run: openssl rand -hex 32")
    return bytes.fromhex(text)


def encrypt(folder: Path, target: Path, key: bytes) -> None:
    """Encrypt a folder into a file that does not exist yet. Raises `OSError`."""
    if target.exists():
        raise FileExistsError(f"{target} exists already")
    part = target.with_name(f".{target.name}.part")
    part.touch(0o600)
    try:
        with part.open("wb") as file:
            writer: Any = _Writer(file, key)
            with tarfile.open(fileobj=writer, mode="w|") as tar:
                tar.add(folder, arcname=".")
            writer.finish()
            os.fsync(file.fileno())
        part.rename(target)
    finally:
        part.unlink(missing_ok=True)


def decrypt(source: Path, folder: Path, key: bytes) -> None:
    """Decrypt a file into a folder that does not exist yet. Raises `BadFile`, `OSError`.

    The folder gets its name when everything has been decrypted.
    """
    if folder.exists():
        raise FileExistsError(f"{folder} exists already")
    part = folder.with_name(f".{folder.name}.part")
    part.mkdir(mode=0o700)
    try:
        with source.open("rb") as file:
            reader: Any = _Reader(file, key)
            with tarfile.open(fileobj=reader, mode="r|") as tar:
                tar.extractall(part, filter="data")
            while reader.read(CHUNK_BYTES):
                pass
        part.rename(folder)
    except tarfile.TarError as error:
        raise BadFile(f"{source} does not contain a backup: {error}.") from None
    finally:
        shutil.rmtree(part, ignore_errors=True)


class _Cipher:
    """Encrypts and decrypts the chunks of a file in order."""

    def __init__(self, key: bytes, salt: bytes) -> None:
        derived = HKDF(SHA256(), 32, salt, MAGIC).derive(key)
        self._cipher, self._number = AESGCM(derived), 0

    def nonce(self, *, last: bool) -> bytes:
        """Return the nonce of the next chunk: its number, and whether it is the last one."""
        self._number += 1
        return self._number.to_bytes(11) + bytes([last])

    def encrypt(self, chunk: bytes, *, last: bool) -> bytes:
        return self._cipher.encrypt(self.nonce(last=last), chunk, MAGIC)

    def decrypt(self, chunk: bytes, *, last: bool) -> bytes:
        return self._cipher.decrypt(self.nonce(last=last), chunk, MAGIC)


class _Writer:
    """A file that encrypts what is written to it."""

    def __init__(self, file: BinaryIO, key: bytes) -> None:
        salt = secrets.token_bytes(SALT_BYTES)
        file.write(MAGIC + salt)
        self._file, self._cipher, self._left = file, _Cipher(key, salt), bytearray()

    def write(self, data: bytes) -> int:
        """Encrypt whole chunks. One that may be the last is kept."""
        self._left += data
        while len(self._left) > CHUNK_BYTES:
            self._file.write(self._cipher.encrypt(bytes(self._left[:CHUNK_BYTES]), last=False))
            del self._left[:CHUNK_BYTES]
        return len(data)

    def finish(self) -> None:
        """Encrypt the last chunk."""
        self._file.write(self._cipher.encrypt(bytes(self._left), last=True))


class _Reader:
    """A file that decrypts what is read from it."""

    def __init__(self, file: BinaryIO, key: bytes) -> None:
        if file.read(len(MAGIC)) != MAGIC:
            raise BadFile(f"{file.name} is not an encrypted backup of this release.")
        self._file, self._cipher = file, _Cipher(key, file.read(SALT_BYTES))
        self._next = file.read(CHUNK_BYTES + TAG_BYTES)
        self._plain = bytearray()
        self._ended = False

    def read(self, size: int) -> bytes:
        """Return up to `size` decrypted bytes, fewer at the end. Raises `BadFile`."""
        while len(self._plain) < size and not self._ended:
            chunk, self._next = self._next, self._file.read(CHUNK_BYTES + TAG_BYTES)
            self._ended = not self._next
            try:
                self._plain += self._cipher.decrypt(chunk, last=self._ended)
            except InvalidTag:
                raise BadFile(
                    f"{self._file.name} cannot be decrypted: the key is another one, or the file "
                    "was changed or cut."
                ) from None
        found = bytes(self._plain[:size])
        del self._plain[:size]
        return found
