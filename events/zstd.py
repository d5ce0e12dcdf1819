"""Compression with zstd: that of `zstandard` or, in a browser, of Python 3.14."""

import sys

MAGIC = b"\x28\xb5\x2f\xfd"
LEVEL = 9


class BadFrame(Exception):
    """The data cannot be decompressed. The message says why."""


if sys.platform == "emscripten":
    from compression import zstd

    _OPTIONS = {
        zstd.CompressionParameter.compression_level: LEVEL,
        zstd.CompressionParameter.checksum_flag: 1,
    }

    def compress(data: bytes) -> bytes:
        """Return one frame with a checksum."""
        return zstd.compress(data, options=_OPTIONS)

    def decompress(data: bytes, limit: int) -> bytes:
        """Return the contents of one frame, of at most `limit` bytes. Raises `BadFrame`."""
        unpacker = zstd.ZstdDecompressor()
        try:
            found = unpacker.decompress(data, max_length=limit + 1)
        except zstd.ZstdError as error:
            raise BadFrame(str(error)) from None
        if len(found) > limit:
            raise BadFrame(f"it is longer than {limit} bytes when decompressed")
        if not unpacker.eof or unpacker.unused_data:
            raise BadFrame("expected one complete frame")
        return found

    def salvage(data: bytes, limit: int) -> bytes:
        """Return as much of the contents of a damaged frame as possible."""
        unpacker = zstd.ZstdDecompressor()
        try:
            return unpacker.decompress(data, max_length=limit)
        except zstd.ZstdError:
            return b""

else:
    import zstandard

    def compress(data: bytes) -> bytes:
        """Return one frame with a checksum."""
        return zstandard.ZstdCompressor(LEVEL, write_checksum=True).compress(data)

    def decompress(data: bytes, limit: int) -> bytes:
        """Return the contents of one frame, of at most `limit` bytes. Raises `BadFrame`."""
        try:
            if zstandard.frame_content_size(data) > limit:
                raise BadFrame(f"it is longer than {limit} bytes when decompressed")
            return zstandard.ZstdDecompressor().decompress(
                data, max_output_size=limit, allow_extra_data=False
            )
        except zstandard.ZstdError as error:
            raise BadFrame(str(error)) from None

    def salvage(data: bytes, limit: int) -> bytes:
        """Return as much of the contents of a damaged frame as possible."""
        try:
            return zstandard.ZstdDecompressor().stream_reader(data).read(limit)
        except zstandard.ZstdError:
            return b""
