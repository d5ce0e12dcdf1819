"""The archive: one compressed file per finished match (`events.file`), in a folder or a bucket.

The archive is given as a path or as any URL that `fsspec` supports, for example
`s3://bucket/prefix` with the package `s3fs`. Files are written once. On a local disk a file is
synced and then renamed into place. In a bucket an upload is either complete or absent.
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

from fsspec.core import (  # pyright: ignore[reportMissingTypeStubs]
    url_to_fs,  # pyright: ignore[reportUnknownVariableType]
)
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
    """A file does not read back as it was written, or cannot be read. Keep the original."""


class NoSuchPlace(StoreError):
    """The archive's URL cannot be used: unknown scheme, or a package that is not installed."""


class ArchiveStore:
    """Logs of matches in files named `<place>/<two hex digits>/<match>.jsonl.zst`."""

    def __init__(self, place: Path | str, **options: Any) -> None:
        """Use a folder, which is created by the first write, or a URL.

        `options` are passed to the file system of `fsspec`. Raises `NoSuchPlace`.
        """
        try:
            self._files, self._root = _file_system(str(place), options)
        except (ValueError, ImportError) as error:
            raise NoSuchPlace(f"{place}: {error}") from None
        self._local = isinstance(self._files, LocalFileSystem)

    async def store(self, match: str, lines: Sequence[bytes], head: Head) -> None:
        """Store a finished match, and read it back to check that it is the same.

        Storing the same records again succeeds. Raises `Taken` if the file has other records,
        `NotArchived` and `Unavailable`.
        """
        await asyncio.to_thread(self._store, match, list(lines), head)

    async def read(self, match: str, after: int = 0, count: int | None = None) -> list[bytes]:
        """Return the bytes of the records after version `after`, in order, at most `count`.

        Returns an empty list for an unknown match. Raises `NotArchived`, `Unavailable`.
        """
        found = await asyncio.to_thread(self._load, match)
        if found is None:
            return []
        return found[0][after:] if count is None else found[0][after : after + count]

    async def head(self, match: str) -> Head | None:
        """Return the signed head, or None for an unknown match."""
        found = await asyncio.to_thread(self._load, match)
        return None if found is None else found[1]

    async def holds(self, match: str) -> bool:
        """Return whether the archive has a match. Raises `Unavailable`."""
        return await self.head(match) is not None

    def share(self, other: "ArchiveStore", match: str) -> None:
        """Add the file that another archive on this disk has, as a hard link if possible."""
        path, source = (Path(archive._path(match)) for archive in (self, other))  # noqa: SLF001
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        try:
            path.hardlink_to(source)
        except OSError:
            shutil.copyfile(source, path)

    async def matches(self) -> AsyncIterator[str]:
        """Yield the ids of all archived matches, in no particular order."""
        for path in await asyncio.to_thread(self._paths):
            yield _name(path).removesuffix(SUFFIX)

    def _paths(self) -> list[str]:
        self._files.invalidate_cache()
        return [path for path in self._files.find(self._root) if NAME.fullmatch(_name(path))]

    def _path(self, match: str) -> str:
        if not MATCH.fullmatch(match):
            raise ValueError(
                f"not a match id: {match!r} (letters, digits, `_` and `-`, at most 64)"
            )
        return f"{self._root}/{sha256(match.encode()).hexdigest()[:2]}/{match}{SUFFIX}"

    def _store(self, match: str, lines: list[bytes], head: Head) -> None:
        path = self._path(match)
        stored = self._load(match)
        if stored is None:
            self._write(path, file.write(lines, head, packed=True))
            stored = self._load(match)
            if stored != (lines, head):
                raise NotArchived(f"{path} does not read back as it was written")
        elif stored[0] != lines:
            raise Taken(f"{path} exists with other records")

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
    """Return the error for a failed access. The client of a bucket may raise anything."""
    why = error.strerror if isinstance(error, OSError) and error.strerror else type(error).__name__
    return Unavailable(f"{path}: {why}")


def write_synced(path: Path, data: bytes) -> None:
    """Write a file atomically: sync it, rename it into place, and sync the folders."""
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    partial = path.with_name(f".{secrets.token_hex(8)}.part")
    try:
        with partial.open("xb") as out:
            out.write(data)
            out.flush()
            os.fsync(out.fileno())
        partial.replace(path)
    finally:
        partial.unlink(missing_ok=True)
    for folder in (path.parent, path.parent.parent):
        descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
