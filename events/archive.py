"""The archive: finished matches, one packed file each (`events.file`), in a directory. Written once, then read only."""

import asyncio
import os
import re
import secrets
from collections.abc import AsyncIterator, Sequence
from hashlib import sha256
from pathlib import Path

from events import file
from events.chain import Head
from events.store import StoreError, Taken, Unavailable

MATCH = re.compile(r"[A-Za-z0-9_-]{1,64}")
SUFFIX = ".jsonl.zst"
UNPACKED_BYTES_MAX = 1 << 30


class NotArchived(StoreError):
    """What was written did not read back the same, or what lies there can't be read. Keep the original."""


class ArchiveStore:
    """Matches' logs in files: `<folder>/<two hex digits>/<match>.jsonl.zst`."""

    def __init__(self, folder: Path) -> None:
        """Work in a folder, which is made at the first write."""
        self._folder = folder

    async def store(self, match: str, lines: Sequence[bytes], head: Head) -> None:
        """Put a finished match on disk; when it returns, what is there has been read back and is the same.

        Storing the same again succeeds. Raises `Taken` when other records are there, `NotArchived`, `Unavailable`.
        """
        await asyncio.to_thread(self._store, match, list(lines), head)

    async def read(self, match: str, after: int = 0, count: int | None = None) -> list[bytes]:
        """Give the bytes of the records after a version, in order; [] for an unknown match."""
        found = await asyncio.to_thread(self._load, match)
        if found is None:
            return []
        return found[0][after:] if count is None else found[0][after : after + count]

    async def head(self, match: str) -> Head | None:
        """Give the head as it was signed."""
        found = await asyncio.to_thread(self._load, match)
        return None if found is None else found[1]

    async def matches(self) -> AsyncIterator[str]:
        """Give the ids of all archived matches, in no order."""
        for path in await asyncio.to_thread(self._paths):
            yield path.name.removesuffix(SUFFIX)

    def _paths(self) -> list[Path]:
        return list(self._folder.glob(f"??/*{SUFFIX}"))

    def _path(self, match: str) -> Path:
        if not MATCH.fullmatch(match):
            raise ValueError(f"no match id: {match!r}")
        return self._folder / sha256(match.encode()).hexdigest()[:2] / (match + SUFFIX)

    def _store(self, match: str, lines: list[bytes], head: Head) -> None:
        path = self._path(match)
        there = self._load(match)
        if there is None:
            try:
                _write(path, file.write(lines, head, packed=True))
            except OSError as error:
                raise Unavailable(f"{path}: {error.strerror}") from None
            there = self._load(match)
            if there != (lines, head):
                raise NotArchived(f"{path} does not read back as written")
        elif there[0] != lines:
            raise Taken(f"{path} holds other records")

    def _load(self, match: str) -> tuple[list[bytes], Head | None] | None:
        path = self._path(match)
        try:
            return file.read(path.read_bytes(), limit=UNPACKED_BYTES_MAX)
        except FileNotFoundError:
            return None
        except OSError as error:
            raise Unavailable(f"{path}: {error.strerror}") from None
        except file.BadFile as error:
            raise NotArchived(f"{path}: {error}") from None


def _write(path: Path, data: bytes) -> None:
    """Put a file in place whole, on disk with its name."""
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    part = path.with_name(f".{secrets.token_hex(8)}.part")
    try:
        with part.open("xb") as out:
            out.write(data)
            out.flush()
            os.fsync(out.fileno())
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)
    for folder in (path.parent, path.parent.parent):
        descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
