"""Export of logs with a signed head, and uploads, which are verified but not stored."""

from typing import Annotated, Any

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from litestar import Request, Response, get, post
from litestar.di import NamedDependency
from litestar.params import FromPath, QueryParameter

from projections.folded import Viewer
from service.base.keys import Keys
from service.base.problems import too_large
from service.http.access import FULL, SPECTATOR, MatchAccess, sight_of
from service.http.body import encoded
from service.http.matches import Eyes, JoinCode
from service.play import answers
from service.play.answers import Replay
from service.play.match_cache import CachedMatch
from service.play.players import Caller
from service.play.readers import Readers

JSON_LINES = "application/jsonl"
PACKED = "application/zstd"
BYTES = "application/octet-stream"
"""Either of them, for clients that know no other type of files."""


class Exports:
    """Writes the logs of matches as signed files."""

    def __init__(self, readers: Readers, keys: Keys) -> None:
        """Write in a reading process; sign the heads with the keys."""
        self._readers = readers
        self._keys = keys

    async def export(self, caller: str, cached: CachedMatch, *, packed: bool) -> bytes:
        """Return the log of a match up to its cached version, as a file; raises `Problem`."""
        folded = cached.folded
        head = self._keys.sign(cached.match.header.match, folded.version, folded.head)
        return await self._readers.of_match(caller, cached, FULL, answers.export, head, packed)


class Uploads:
    """Verifies uploaded logs."""

    def __init__(self, readers: Readers, key: Ed25519PublicKey, bytes_max: int) -> None:
        """Verify signatures with a key; refuse logs above a size (bytes)."""
        self._readers = readers
        self._key = key.public_bytes_raw()
        self._bytes_max = bytes_max

    async def read(self, request: Request[Any, Any, Any]) -> bytes:
        """Read the body of a request; raises `Problem` 413."""
        data = b""
        async for chunk in request.stream():
            data += chunk
            if len(data) > self._bytes_max:
                raise too_large(self._bytes_max)
        return data

    async def replay(self, caller: str, data: bytes, at: int | None, eyes: Viewer) -> bytes:
        """Verify a log and show one of its versions; raises `Problem`."""
        return await self._readers.of_upload(
            caller, answers.browse, data, at, eyes, self._key, self._bytes_max
        )


@get(
    "/matches/{match:str}/export",
    tags=["transfer"],
    operation_id="exportMatch",
    refuses=("forbidden",),
    media_type=JSON_LINES,
)
async def export_match(
    request: Request[Any, Any, Any],
    match: FromPath[str],
    caller: NamedDependency[Caller],
    access: NamedDependency[MatchAccess],
    exports: NamedDependency[Exports],
    packed: Annotated[bool, QueryParameter(description="Compress with zstd.")] = False,
    join_code: JoinCode = None,
) -> Response[bytes]:
    """Download the log of a match: its records, byte for byte, and a signature of the head.

    For officers, or once the match is over.
    """
    found = await access.find(match, caller, join_code)
    sight_of(found, caller, FULL)
    name = f"{match}.jsonl" + (".zst" if packed else "")
    kind = PACKED if packed else JSON_LINES
    return Response(
        await exports.export(caller.player, found.cached, packed=packed),
        media_type=request.accept.best_match([kind, BYTES], kind),
        headers={"Content-Disposition": f'attachment; filename="{name}"'},
    )


@post(
    "/replays",
    status_code=200,
    tags=["transfer"],
    operation_id="browseReplay",
    scope="read",
    refuses=("malformed", "too-large", "no-such-version"),
    request_max_body_size=None,
)
async def browse_replay(
    request: Request[Any, Any, Any],
    caller: NamedDependency[Caller],
    uploads: NamedDependency[Uploads],
    at: Annotated[
        int | None, QueryParameter(ge=1, description="The version to show in `full`.")
    ] = None,
    eyes: Eyes = None,
) -> Response[Replay]:
    """Verify and browse an exported log (`.jsonl` or `.jsonl.zst`). It is not stored.

    `seen` is the view of `eyes`, by default of a spectator.
    """
    data = await uploads.read(request)
    viewer = None if eyes in (None, SPECTATOR) else int(eyes)
    return encoded(await uploads.replay(caller.player, data, at, viewer))


HANDLERS = (export_match, browse_replay)
