"""The export format: the records of a match as stored, one per line, and a signed head (`.jsonl`).

If there are errata of the match (`events.errata`), they follow the head, one per line.
A file compressed with zstd is called `.jsonl.zst`. `read` recognises it by the first bytes.
This module does not name the record that breaks the chain (`events.chain.follow`), and does not
check the signature (`events.chain.verify`).
"""

import re
from collections.abc import Sequence
from contextlib import suppress
from itertools import accumulate

import msgspec

from events import zstd
from events.chain import ChainBroken, Head, follow
from events.codec import MALFORMED
from events.errata import START

UNPACKED_BYTES_MAX = 64 << 20
DEPTH_MAX = 200
"""Maximum nesting of a line. Decoding deeper ones may exhaust the stack of a browser."""
STRING = re.compile(rb'"(?:[^"\\]|\\.)*+"?')
STEPS = bytes.maketrans(b"[{]}", b"\x01\x01\xff\xff")
"""One level deeper, or (as a signed byte) one level back."""
NO_BRACKETS = bytes(set(range(256)) - set(b"[{]}"))
ENCODER = msgspec.json.Encoder()
HEAD = msgspec.json.Decoder(Head)


class BadFile(Exception):
    """Not an export, or an incomplete one. The message says why."""


def write(
    lines: Sequence[bytes], head: Head | None, errata: Sequence[bytes] = (), *, packed: bool = False
) -> bytes:
    """Return the contents of a file: the records, the signed head unless it is None, the errata."""
    signature = () if head is None else (ENCODER.encode(head),)
    data = b"".join(line + b"\n" for line in (*lines, *signature, *errata))
    return zstd.compress(data) if packed else data


def read(
    data: bytes, *, unsigned: bool = False, limit: int = UNPACKED_BYTES_MAX
) -> tuple[list[bytes], Head | None]:
    """Return the bytes of the records, and the signed head, without the errata. Raises `BadFile`.

    The head can be None only if `unsigned` files are allowed. `limit` is the maximum size after
    decompression (bytes).
    """
    lines, head = parsed(data, limit)
    _check_head(lines, head, unsigned=unsigned)
    return lines, head


def parsed(data: bytes, limit: int) -> tuple[list[bytes], Head | None]:
    """Return the bytes of the records, and the head, which may be that of other records.

    Raises `BadFile` if the file is damaged.
    """
    data = unpacked(data, limit)
    if len(data) > limit:
        raise BadFile(f"The file is longer than {limit} bytes.")
    if not data:
        raise BadFile("The file is empty.")
    if not data.endswith(b"\n"):
        raise BadFile("The file is cut short: the last line is incomplete.")
    lines, _ = parted(data[:-1].split(b"\n"))
    if not lines:
        raise BadFile("The file has no records.")
    *lines, last = lines
    head = _head(last)
    if head is None:
        lines.append(last)
    _check_lines(lines)
    return lines, head


def errata(contents: bytes) -> list[bytes]:
    """Return the lines of the errata at the end of the uncompressed contents of a file."""
    return parted(contents.removesuffix(b"\n").split(b"\n"))[1]


def parted(lines: Sequence[bytes]) -> tuple[list[bytes], list[bytes]]:
    """Separate the errata at the end of a file from the lines before them."""
    count = len(lines)
    while count and lines[count - 1].startswith(START):
        count -= 1
    return list(lines[:count]), list(lines[count:])


def _check_lines(lines: Sequence[bytes]) -> None:
    for number, line in enumerate(lines, start=1):
        if is_too_deep(line):
            raise BadFile(f"Line {number} is nested more than {DEPTH_MAX} levels deep.")
        if not line.startswith(b"{") or not line.endswith(b"}"):
            raise BadFile(f"Line {number} is not a record.")
        if _head(line) is not None:
            raise BadFile(f"The signed head in line {number} is not the last line.")
    if not lines:
        raise BadFile("The file has no records.")


def _check_head(lines: Sequence[bytes], head: Head | None, *, unsigned: bool) -> None:
    if head is None:
        if not unsigned:
            raise BadFile("The file is cut short: the last line is not a signed head.")
        return
    if head.version != len(lines):
        found = f"the file has {len(lines)} records"
        raise BadFile(f"The signed head is for version {head.version}, but {found}.")
    with suppress(ChainBroken):
        *_, last = follow(lines)
        if head.head != last:
            raise BadFile("The signed head is not the head of these records.")


def is_too_deep(line: bytes) -> bool:
    """Return whether a line is nested more deeply than any record.

    A small compressed file may have millions of brackets, so they are counted without a loop.
    """
    if line.count(b"[") + line.count(b"{") <= DEPTH_MAX:
        return False
    steps = STRING.sub(b"", line).translate(STEPS, NO_BRACKETS)
    return max(accumulate(memoryview(steps).cast("b")), default=0) > DEPTH_MAX


def _head(line: bytes) -> Head | None:
    if not line.startswith(b'{"match":') or is_too_deep(line):
        return None
    try:
        return HEAD.decode(line)
    except MALFORMED as error:
        raise BadFile(f"The signed head cannot be read: {error}") from None


def unpacked(data: bytes, limit: int) -> bytes:
    """Return the contents of a file, decompressed if necessary. Raises `BadFile`."""
    if not data.startswith(zstd.MAGIC):
        return data
    try:
        return zstd.decompress(data, limit)
    except zstd.BadFrame as error:
        raise BadFile(f"The file cannot be decompressed: {error}.") from None
