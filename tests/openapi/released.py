"""The document of the last release. `python -m tests.openapi.released` records this tree's."""

from pathlib import Path
from typing import Any

import msgspec
import zstandard

from service.http.documents import document
from tests.openapi.breaks import shape

RELEASED = Path(__file__).with_name("released.json.zst")
LEVEL = 19


def released() -> dict[str, Any]:
    """Return the shape of the document of the last release."""
    return msgspec.json.decode(zstandard.decompress(RELEASED.read_bytes()))


def current() -> dict[str, Any]:
    """Return the shape of the document of this tree."""
    return msgspec.json.decode(msgspec.json.encode(shape(document())))


if __name__ == "__main__":
    data = msgspec.json.encode(current(), order="deterministic")
    RELEASED.write_bytes(zstandard.ZstdCompressor(LEVEL).compress(data))
