"""The archive: one compressed file per finished match (`events.file`), in a folder or a bucket.

`events.folder` says where it may be. Files are written once. The errata of a match
(`events.errata`) have a file of their own, which only grows. The match itself may still be in the
log's Redis.
"""

import asyncio
import re
import shutil
from collections.abc import AsyncIterator, Generator, Sequence
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path
from typing import Any

from events import file
from events.chain import Head
from events.folder import Folder
from events.store import StoreError, Taken, Unavailable

MATCH = re.compile(r"[A-Za-z0-9_-]{1,64}")
SUFFIX = ".jsonl.zst"
NAME = re.compile(MATCH.pattern + re.escape(SUFFIX))
ERRATA = ".errata.jsonl"
ERRATA_NAME = re.compile(MATCH.pattern + re.escape(ERRATA))
UNPACKED_BYTES_MAX = 1 << 30


class NotArchived(StoreError):
    """A file does not read back as it was written, or cannot be read. Keep the original."""


class ArchiveStore:
    """Logs of matches in files named `<place>/<two hex digits>/<match>.jsonl.zst`."""

    def __init__(self, place: Path | str, *, name: str = "archive", **options: Any) -> None:
        """Use a folder, which is created by the first write, or a URL.

        `name` is what it is called in errors. `options` are passed to the file system of `fsspec`.
        Raises `NoSuchPlace`.
        """
        self._folder = Folder(place, **options)
        self._name = name

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

    async def signed(self, match: str) -> tuple[list[bytes], Head | None]:
        """Return the bytes of all records, and the signed head. Empty for an unknown match."""
        return await asyncio.to_thread(self._load, match) or ([], None)

    async def head(self, match: str) -> Head | None:
        """Return the signed head, or None for an unknown match."""
        found = await asyncio.to_thread(self._load, match)
        return None if found is None else found[1]

    async def holds(self, match: str) -> bool:
        """Return whether the archive has a match. Raises `Unavailable`."""
        return await self.head(match) is not None

    def share(self, other: "ArchiveStore", match: str) -> None:
        """Add the file that another archive on this disk has, as a hard link if possible."""
        path, source = (
            Path(archive._folder.path(_name(match)))  # noqa: SLF001
            for archive in (self, other)
        )
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        try:
            path.hardlink_to(source)
        except OSError:
            shutil.copyfile(source, path)

    async def matches(self) -> AsyncIterator[str]:
        """Yield the ids of all archived matches, in no particular order."""
        for name in await asyncio.to_thread(self._names):
            if NAME.fullmatch(found := name.rpartition("/")[2]):
                yield found.removesuffix(SUFFIX)

    async def errata(self, match: str) -> list[bytes]:
        """Return the lines of a match's errata, the oldest first. Raises `Unavailable`."""
        return await asyncio.to_thread(self._errata, match)

    async def add_erratum(self, match: str, line: bytes) -> None:
        """Add an erratum unless it is stored already. Raises `Swapped`, `Unavailable`."""
        await asyncio.to_thread(self._add_erratum, match, line)

    async def with_errata(self) -> list[str]:
        """Return the ids of all matches that have errata, sorted. Raises `Unavailable`."""
        names = await asyncio.to_thread(self._names)
        found = (name.rpartition("/")[2] for name in names)
        return sorted(name.removesuffix(ERRATA) for name in found if ERRATA_NAME.fullmatch(name))

    def _names(self) -> list[str]:
        with _reached(self._name):
            return self._folder.names()

    def _errata(self, match: str) -> list[bytes]:
        with _reached(self._name):
            return (self._folder.read(_name(match, ERRATA)) or b"").splitlines()

    def _add_erratum(self, match: str, line: bytes) -> None:
        name = _name(match, ERRATA)
        with _reached(self._name):
            before = self._folder.read(name)
            if line not in (before or b"").splitlines():
                self._folder.swap(name, before, (before or b"") + line + b"\n")

    def _store(self, match: str, lines: list[bytes], head: Head) -> None:
        name = _name(match)
        path = self._folder.path(name)
        stored = self._load(match)
        if stored is None:
            with _reached(self._name):
                self._folder.write(name, file.write(lines, head, packed=True))
            stored = self._load(match)
            if stored != (lines, head):
                raise NotArchived(f"{path} does not read back as it was written")
        elif stored[0] != lines:
            raise Taken(f"{path} exists with other records")

    def _load(self, match: str) -> tuple[list[bytes], Head | None] | None:
        name = _name(match)
        with _reached(self._name):
            data = self._folder.read(name)
        if data is None:
            return None
        try:
            return file.read(data, limit=UNPACKED_BYTES_MAX)
        except file.BadFile as error:
            raise NotArchived(f"{self._folder.path(name)}: {error}") from None


@contextmanager
def _reached(name: str) -> Generator[None]:
    """Say in the error what is unavailable, the archive or a backup, and what to check."""
    try:
        yield
    except Unavailable as error:
        advice = f"Check where the {name} is, its disk and its permissions."
        raise Unavailable(f"The {name} is unavailable: {error}. {advice}") from error


def _name(match: str, suffix: str = SUFFIX) -> str:
    """Return the name of a file of a match. Raises `ValueError`."""
    if not MATCH.fullmatch(match):
        raise ValueError(f"not a match id: {match!r} (letters, digits, `_` and `-`, at most 64)")
    return f"{sha256(match.encode()).hexdigest()[:2]}/{match}{suffix}"
