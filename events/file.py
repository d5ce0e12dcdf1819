"""The exchange format: a match's records as they are, one a line, and a signature over the head (`.jsonl`).

The same packed by zstd is `.jsonl.zst`; `read` tells them apart by their first bytes. What a file says is not believed
here: the chain (`events.chain.follow`) and the signature (`events.chain.verify`) are for the reader to check.
"""

from collections.abc import Sequence

import msgspec
import zstandard

from events.chain import Head
from events.codec import MALFORMED, digest

UNPACKED_BYTES_MAX = 64 << 20
ZSTD_MAGIC = b"\x28\xb5\x2f\xfd"
LEVEL = 9
ENCODER = msgspec.json.Encoder()
HEAD = msgspec.json.Decoder(Head)


class BadFile(Exception):
    """No file of ours, or not a whole one."""


def write(lines: Sequence[bytes], head: Head | None, *, packed: bool = False) -> bytes:
    """Give the bytes of a file: the records, and the signature line if there is a head."""
    signature = () if head is None else (ENCODER.encode(head),)
    data = b"".join(line + b"\n" for line in (*lines, *signature))
    return zstandard.ZstdCompressor(LEVEL, write_checksum=True).compress(data) if packed else data


def read(
    data: bytes, *, unsigned: bool = False, limit: int = UNPACKED_BYTES_MAX
) -> tuple[list[bytes], Head | None]:
    """Give the records' bytes and the signed head; raises `BadFile`.

    The head is None only where `unsigned` files are allowed. `limit` is in bytes, unpacked.
    """
    if data.startswith(ZSTD_MAGIC):
        data = _unpack(data, limit)
    if len(data) > limit:
        raise BadFile(f"longer than {limit} bytes")
    if not data.endswith(b"\n"):
        raise BadFile("cut short: the last line has no end" if data else "empty")
    *lines, last = data[:-1].split(b"\n")
    head = _head(last)
    if head is None:
        lines.append(last)
    _check(lines, head, unsigned=unsigned)
    return lines, head


def _check(lines: Sequence[bytes], head: Head | None, *, unsigned: bool) -> None:
    for number, line in enumerate(lines, start=1):
        if not line.startswith(b"{") or not line.endswith(b"}"):
            raise BadFile(f"line {number} is no record")
        if _head(line) is not None:
            raise BadFile(f"something follows the signature in line {number}")
    if not lines:
        raise BadFile("no records")
    if head is None:
        if not unsigned:
            raise BadFile("cut short: no signature in the last line")
        return
    if head.version != len(lines):
        raise BadFile(f"the signature is over {head.version} records, but there are {len(lines)}")
    if head.head != digest(lines[-1]):
        raise BadFile("the signature is over another last record")


def _head(line: bytes) -> Head | None:
    if not line.startswith(b'{"match":'):
        return None
    try:
        return HEAD.decode(line)
    except MALFORMED as error:
        raise BadFile(f"the signature line can't be read: {error}") from None


def _unpack(data: bytes, limit: int) -> bytes:
    try:
        size = zstandard.frame_content_size(data)
        if size > limit:
            raise BadFile(f"longer than {limit} bytes when unpacked")
        return zstandard.ZstdDecompressor().decompress(
            data, max_output_size=limit, allow_extra_data=False
        )
    except zstandard.ZstdError as error:
        raise BadFile(f"can't be unpacked: {error}") from None
