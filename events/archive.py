"""The archive: finished matches, one packed file each (`events.file`), in a folder or a bucket. Written once.

The place is a path or any URL that `fsspec` knows: `s3://bucket/prefix` with the package `s3fs`, say. On a local disk
a file is put in place whole and synced with its folder; elsewhere the upload is whole or not there.
"""

import asyncio
import os
import re
import secrets
import shutil
from collections.abc import AsyncIterator, Callable, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any, cast

from fsspec.core import url_to_fs  # pyright: ignore[reportMissingTypeStubs, reportUnknownVariableType]
from fsspec.implementations.local import (  # pyright: ignore[reportMissingTypeStubs]
    LocalFileSystem,
)

from events import file
from events.chain import Head
from events.store import StoreError, Taken, Unavailable

MATCH = re.compile(r"[A-Za-z0-9_-]{1,64}")
SUFFIX = ".jsonl.zst"
NAME = re.compile(MATCH.pattern + re.escape(SUFFIX))
UNPACKED_BYTES_MAX = 1 << 30


class NotArchived(StoreError):
    """What was written did not read back the same, or what lies there can't be read. Keep the original."""


class NoSuchPlace(StoreError):
    """The archive's URL can't be used: an unknown kind, or a package that is not installed."""


class ArchiveStore:
    """Matches' logs in files: `<place>/<two hex digits>/<match>.jsonl.zst`."""

    def __init__(self, place: Path | str, **options: Any) -> None:
        """Work in a folder, which is made at the first write, or at a URL; `options` are its file system's.

        Raises `NoSuchPlace`.
        """
        try:
            self._files, self._root = _file_system(str(place), options)
        except (ValueError, ImportError) as error:
            raise NoSuchPlace(f"{place}: {error}") from None
        self._local = isinstance(self._files, LocalFileSystem)

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

    async def holds(self, match: str) -> bool:
        """Tell whether a match is here; raises `Unavailable`."""
        return await self.head(match) is not None

    def share(self, other: "ArchiveStore", match: str) -> None:
        """Have the same file as another archive on this machine, as a second name of it where the disk allows that."""
        path, source = (Path(one._path(match)) for one in (self, other))  # noqa: SLF001 - one of these, too
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        try:
            path.hardlink_to(source)
        except OSError:
            shutil.copyfile(source, path)

    async def matches(self) -> AsyncIterator[str]:
        """Give the ids of all archived matches, in no order."""
        for path in await asyncio.to_thread(self._paths):
            yield _name(path).removesuffix(SUFFIX)

    def _paths(self) -> list[str]:
        self._files.invalidate_cache()
        return [path for path in self._files.find(self._root) if NAME.fullmatch(_name(path))]

    def _path(self, match: str) -> str:
        if not MATCH.fullmatch(match):
            raise ValueError(f"no match id: {match!r}")
        return f"{self._root}/{sha256(match.encode()).hexdigest()[:2]}/{match}{SUFFIX}"

    def _store(self, match: str, lines: list[bytes], head: Head) -> None:
        path = self._path(match)
        there = self._load(match)
        if there is None:
            self._write(path, file.write(lines, head, packed=True))
            there = self._load(match)
            if there != (lines, head):
                raise NotArchived(f"{path} does not read back as written")
        elif there[0] != lines:
            raise Taken(f"{path} holds other records")

    def _load(self, match: str) -> tuple[list[bytes], Head | None] | None:
        path = self._path(match)
        try:
            return file.read(self._files.cat_file(path), limit=UNPACKED_BYTES_MAX)
        except FileNotFoundError:
            return None
        except file.BadFile as error:
            raise NotArchived(f"{path}: {error}") from None
        except Exception as error:
            raise _unavailable(path, error) from error

    def _write(self, path: str, data: bytes) -> None:
        try:
            if self._local:
                write_synced(Path(path), data)
            else:
                self._files.pipe_file(path, data)
        except Exception as error:
            raise _unavailable(path, error) from error


def _file_system(place: str, options: dict[str, Any]) -> tuple[Any, str]:
    files, root = cast("Callable[..., tuple[Any, str]]", url_to_fs)(place, **options)
    return files, root.rstrip("/")


def _name(path: str) -> str:
    return path.rpartition("/")[2]


def _unavailable(path: str, error: Exception) -> Unavailable:
    """Say what failed: a bucket's client may do so in any way."""
    why = error.strerror if isinstance(error, OSError) and error.strerror else type(error).__name__
    return Unavailable(f"{path}: {why}")


def write_synced(path: Path, data: bytes) -> None:
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
