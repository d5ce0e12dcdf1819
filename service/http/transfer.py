"""Logs out and in: exports as they are, signed; uploads verified and browsed, kept nowhere."""

import asyncio
from typing import Annotated, Any

import msgspec
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
from service.context import Context
from service.http.access import FULL, SPECTATOR, sight_of, sit, viewer_of
from service.http.matches import Eyes, JoinCode
from service.players import Caller
from service.problems import malformed, no_such_version, too_large

JSON_LINES = "application/jsonl"
PACKED = "application/zstd"


class Replay(msgspec.Struct):
    """An uploaded log: what an audit says of it, and what is in it."""

    report: Report
    version: int
    """The version shown in `full`: the last that holds, or the one asked for."""
    full: Any
    seen: MatchView
    """The same as one viewer had it."""
    moments: list[Moment]


@get(
    "/matches/{match:str}/export",
    tags=["transfer"],
    operation_id="exportMatch",
    media_type=JSON_LINES,
)
async def export_match(
    match: FromPath[str],
    caller: NamedDependency[Caller],
    context: NamedDependency[Context],
    packed: Annotated[bool, QueryParameter(description="Compressed with zstd.")] = False,
    join_code: JoinCode = None,
) -> Response[bytes]:
    """Download the log of a finished match: its records as they are, and a signature over the head."""
    table = await sit(context, match, caller, join_code)
    sight_of(table, caller, FULL)
    folded = table.folded
    lines = await context.lives.lines(table.live)
    head = context.keys.sign(match, folded.version, folded.head)
    name = f"{match}.jsonl" + (".zst" if packed else "")
    return Response(
        file.write(lines, head, packed=packed),
        media_type=PACKED if packed else JSON_LINES,
        headers={"Content-Disposition": f'attachment; filename="{name}"'},
    )


@post(
    "/replays",
    status_code=200,
    tags=["transfer"],
    operation_id="browseReplay",
    request_max_body_size=None,
)
async def browse_replay(
    request: Request[Any, Any, Any],
    caller: NamedDependency[Caller],
    context: NamedDependency[Context],
    at: Annotated[
        int | None, QueryParameter(ge=1, description="The version to show in full.")
    ] = None,
    eyes: Eyes = None,
) -> Replay:
    """Verify and browse an exported log (`.jsonl` or `.jsonl.zst`). Nothing of it is kept.

    `seen` is what `eyes` saw then, or else a spectator.
    """
    limit = context.settings.upload_bytes_max
    data = b""
    async for chunk in request.stream():
        data += chunk
        if len(data) > limit:
            raise too_large(limit)
    return await asyncio.to_thread(_replay, data, context, at, eyes or SPECTATOR)


def _replay(data: bytes, context: Context, at: int | None, eyes: str) -> Replay:
    limits = UploadLimits(unpacked_bytes=context.settings.upload_bytes_max)
    try:
        found = upload(GAMES, data, context.keys.public, limits)
    except BadUpload as error:
        raise malformed(str(error)) from None
    folded = found.folded
    if at is not None:
        try:
            folded = History(GAMES, found.lines).at(FULL, at)
        except NoSuchVersion as error:
            raise no_such_version(error.number, error.last) from None
    viewer = viewer_of(eyes, folded.match.header.seats)
    full, seen = picture(folded, FULL), match_view(folded.match, viewer, folded.receipt(viewer), {})
    assert isinstance(full, FullView), "the full sight"
    return Replay(found.report, full.version, full, seen, timeline(GAMES, found.lines, FULL))


HANDLERS = (export_match, browse_replay)
