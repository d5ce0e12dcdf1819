"""Files that were built into a folder, served from memory."""

import mimetypes
from collections.abc import Mapping
from functools import cache
from pathlib import Path

from litestar import Response, get
from litestar.exceptions import NotFoundException
from litestar.handlers import HTTPRouteHandler
from litestar.params import FromPath

FOR_GOOD = {"Cache-Control": "public, max-age=31536000, immutable"}
"""For what never changes under its name."""
MEDIA_TYPES = {".js": "text/javascript", ".mjs": "text/javascript", ".wasm": "application/wasm"}
"""What systems disagree about."""


def media_type(name: str) -> str:
    """Return the media type of a file by its name."""
    known = MEDIA_TYPES.get(Path(name).suffix)
    return known or mimetypes.guess_type(name)[0] or "application/octet-stream"


def listed(folder: Path) -> dict[str, Path]:
    """Return the files that a folder has now, by their path in it."""
    return {str(file.relative_to(folder)): file for file in folder.rglob("*") if file.is_file()}


def files(path: str, folder: Path, headers: Mapping[str, str]) -> HTTPRouteHandler:
    """Serve the files that a folder has now, below a path. Each is read once."""
    found = listed(folder)

    @cache
    def content(name: str) -> bytes:
        return found[name].read_bytes()

    @get(
        f"{path}/{{file:path}}",
        include_in_schema=False,
        sync_to_thread=False,
        name=path,
    )
    def file(file: FromPath[str]) -> Response[bytes]:
        name = file.removeprefix("/")
        if name not in found:
            raise NotFoundException
        return Response(content(name), media_type=media_type(name), headers=headers)

    return file
