"""One stream per player: what happens in all of its matches, and what others ask of it."""

import re
from collections.abc import AsyncIterator
from typing import Annotated

from litestar import get
from litestar.di import NamedDependency
from litestar.params import HeaderParameter
from litestar.response import ServerSentEvent, ServerSentEventMessage

from service.base.problems import malformed
from service.http.live import RETRY_MS, STILL_HERE, Streams
from service.play.caller import Caller
from service.play.notices import Notices, Told

PLACE = re.compile(r"\d{1,16}-\d{1,9}", re.ASCII)


@get(
    "/players/me/stream",
    tags=["players"],
    operation_id="streamNotices",
    scope="stream",
    refuses=("too-many-streams", "work-unavailable"),
    event="StreamedNotice",
)
async def stream_notices(
    caller: NamedDependency[Caller],
    streams: NamedDependency[Streams],
    notices: NamedDependency[Notices],
    last_event_id: Annotated[
        str | None,
        HeaderParameter(name="Last-Event-ID", description="`id` of the last event received."),
    ] = None,
) -> ServerSentEvent:
    """Stream what concerns you in all matches as it happens (SSE).

    Resumes after `Last-Event-ID` within the last 1,000 notices and 24 hours. Otherwise the first
    event is `reset`, with your turns: then read your lists anew. A notice may come twice. The
    stream ends when the caller's token is revoked.
    """
    place = parse_place(last_event_id or None, header="Last-Event-ID")
    told = await notices.follow(caller.player, place)
    messages = _messages(caller, streams, notices, told)
    return ServerSentEvent(await streams.open(caller, messages), retry_duration=RETRY_MS)


def parse_place(text: str | None, **where: str) -> str | None:
    """Return the place of a notice, which stands `where` in the request; raises `Problem` 400."""
    if text is not None and not PLACE.fullmatch(text):
        detail = f"Expected the id of an event of this stream, got {text!r}."
        raise malformed(detail).at(**where)
    return text


async def _messages(
    caller: Caller, streams: Streams, notices: Notices, found: AsyncIterator[Told | None]
) -> AsyncIterator[ServerSentEventMessage]:
    async for told in found:
        if not await streams.may_watch(caller):
            return
        if told is None:
            yield STILL_HERE
        else:
            yield ServerSentEventMessage(data=told.data.decode(), id=told.place, event=told.type)
            if not caller.app:
                await notices.note_seen(caller.player, told.place)


HANDLERS = (stream_notices,)
