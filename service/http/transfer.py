"""Export of logs with a signed head, and uploads, which are verified but not stored."""

import asyncio
from typing import Annotated, Any

import msgspec
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from litestar import Request, Response, get, post
from litestar.di import NamedDependency
from litestar.params import FromPath, QueryParameter

from events import file
from games import GAMES
from projections.views import MatchView, match_view
from replay.history import History
from replay.report import Report
from replay.timeline import Moment, timeline
from replay.transfer import BadUpload, UploadLimits, upload
from replay.travel import FullView, NoSuchVersion, picture
from service.base.keys import Keys
from service.base.problems import malformed, no_such_version, too_large
from service.http.access import FULL, SPECTATOR, MatchAccess, sight_of, viewer_of
from service.http.matches import Eyes, JoinCode
from service.play.match_cache import CachedMatch, MatchCache
from service.play.players import Caller

JSON_LINES = "application/jsonl"
PACKED = "application/zstd"
BYTES = "application/octet-stream"
"""Either of them, for clients that know no other type of files."""


class Replay(msgspec.Struct):
    """An uploaded log: the report of its audit, and its contents."""

    report: Report
    version: int
    """Version shown in `full`: the last valid one, or the one asked for."""
    full: FullView
    seen: MatchView
    """The same version as seen by one viewer."""
    moments: list[Moment]


class Exports:
    """Writes the logs of matches as signed files."""

    def __init__(self, cache: MatchCache, keys: Keys) -> None:
        """Read logs through the cache; sign their heads with the keys."""
        self._cache = cache
        self._keys = keys

    async def export(self, cached: CachedMatch, *, packed: bool) -> bytes:
        """Return the log of a match up to its cached version, as a file; raises `Problem` 503."""
        folded = cached.folded
        lines = await self._cache.lines(cached)
        head = self._keys.sign(cached.match.header.match, folded.version, folded.head)
        return file.write(lines, head, packed=packed)


class Uploads:
    """Verifies uploaded logs."""

    def __init__(self, key: Ed25519PublicKey, bytes_max: int) -> None:
        """Verify signatures with a key; refuse logs above a size (bytes)."""
        self._key = key
        self._bytes_max = bytes_max

    async def read(self, request: Request[Any, Any, Any]) -> bytes:
        """Read the body of a request; raises `Problem` 413."""
        data = b""
        async for chunk in request.stream():
            data += chunk
            if len(data) > self._bytes_max:
                raise too_large(self._bytes_max)
        return data

    def replay(self, data: bytes, at: int | None, eyes: str) -> Replay:
        """Verify a log and show one of its versions; raises `Problem` 400, 404, 422."""
        try:
            found = upload(GAMES, data, self._key, UploadLimits(unpacked_bytes=self._bytes_max))
        except BadUpload as error:
            raise malformed(str(error)) from None
        folded = found.folded
        if at is not None:
            try:
                folded = History(GAMES, found.lines).at(FULL, at)
            except NoSuchVersion as error:
                raise no_such_version(error.number, error.last) from None
        viewer = viewer_of(eyes, folded.match.header.seats)
        full = picture(folded, FULL)
        seen = match_view(folded.match, viewer, folded.receipt(viewer), {})
        assert isinstance(full, FullView), "the full view"
        return Replay(found.report, full.version, full, seen, timeline(GAMES, found.lines, FULL))


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
        await exports.export(found.cached, packed=packed),
        media_type=request.accept.best_match([kind, BYTES], kind),
        headers={"Content-Disposition": f'attachment; filename="{name}"'},
    )


@post(
    "/replays",
    status_code=200,
    tags=["transfer"],
    operation_id="browseReplay",
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
) -> Replay:
    """Verify and browse an exported log (`.jsonl` or `.jsonl.zst`). It is not stored.

    `seen` is the view of `eyes`, by default of a spectator.
    """
    data = await uploads.read(request)
    return await asyncio.to_thread(uploads.replay, data, at, eyes or SPECTATOR)


HANDLERS = (export_match, browse_replay)
