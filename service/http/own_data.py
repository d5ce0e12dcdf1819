"""All that the service keeps of the caller, in one file."""

from litestar import get
from litestar.di import NamedDependency
from litestar.response import Stream

from service.http.body import AnyRequest
from service.http.transfer import BYTES, JSON_LINES
from service.play.caller import Caller
from service.play.own_data import OwnData


@get(
    "/players/me/export",
    tags=["account"],
    operation_id="exportMe",
    scope="account",
    media_type=JSON_LINES,
    response_description="What the service keeps of you.",
    refuses=("not-found", "too-many-exports", "work-unavailable"),
)
async def export_me(
    request: AnyRequest,
    caller: NamedDependency[Caller],
    own_data: NamedDependency[OwnData],
) -> Stream:
    """Download all that the service keeps of you, three times a day at most.

    One JSON object per line, each with a `type`: `export`, `player` (your record), `invitation`,
    `seek`, `rematch`, `comment`, and `match` with what you said in it and where its events are. The
    last line is `end`; without it the file is not whole. Tokens and codes are not stored, and so
    not in it.
    """
    return Stream(
        await own_data.export(caller.player),
        media_type=request.accept.best_match([JSON_LINES, BYTES], JSON_LINES),
        headers={"Content-Disposition": f'attachment; filename="{caller.player}.jsonl"'},
    )


HANDLERS = (export_me,)
