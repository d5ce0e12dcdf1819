"""Records as the caller is told them: at once, or as they come."""

import asyncio
from collections.abc import AsyncIterator
from typing import Annotated, Any

import msgspec
from litestar import Request, get
from litestar.di import NamedDependency
from litestar.params import FromPath, QueryParameter
from litestar.response import ServerSentEvent, ServerSentEventMessage

from events.store import Unavailable
from projections.folded import ToldRecord
from service.http.access import Table, parse_version, sit
from service.http.callers import Callers
from service.http.matches import JoinCode
from service.play.players import Caller
from service.process.context import Context

KEEPALIVE_S = 15
PAGE_MAX = 1_000
"""Records per answer."""


class Records(msgspec.Struct):
    """The records after a version, oldest first."""

    version: int
    """Of the last record in this answer; ask again after it if `more`."""
    records: list[ToldRecord]
    more: bool = False


class RawRecords(msgspec.Struct):
    """The same, as encoded when they came."""

    version: int
    records: list[msgspec.Raw]
    more: bool = False


@get(
    "/matches/{match:str}/events",
    tags=["matches"],
    operation_id="getEvents",
    response_description="The records.",
)
async def get_events(
    match: FromPath[str],
    caller: NamedDependency[Caller],
    context: NamedDependency[Context],
    after: Annotated[int, QueryParameter(ge=0)] = 0,
    join_code: JoinCode = None,
) -> Records:
    """Give the match's records after a version, as the caller may know them."""
    table = await sit(context, match, caller, join_code)
    told = await context.lives.follow(table.live, table.viewer)
    page = told[after : after + PAGE_MAX]
    return RawRecords(  # type: ignore[return-value] - the same JSON
        after + len(page), [msgspec.Raw(line) for line in page], after + len(page) < len(told)
    )


@get("/matches/{match:str}/stream", tags=["matches"], operation_id="streamEvents")
async def stream_events(
    request: Request[Any, Any, Any],
    match: FromPath[str],
    caller: NamedDependency[Caller],
    context: NamedDependency[Context],
    callers: NamedDependency[Callers],
    after: Annotated[int | None, QueryParameter(ge=0)] = None,
    join_code: JoinCode = None,
) -> ServerSentEvent:
    """Send records as they come (SSE): `id` is the version, `data` a record as in `/events`.

    Resumes after `Last-Event-ID`, or `after`; without either from the start. It ends when the match does, or the
    caller's token.
    """
    callers.check_streams(caller)
    table = await sit(context, match, caller, join_code)
    last = parse_version(request.headers.get("last-event-id"))
    start = last if last is not None else (after or 0)
    messages = _records(context, callers, table, caller, start)
    return ServerSentEvent(messages, retry_duration=1_000)


async def _records(
    context: Context, callers: Callers, table: Table, caller: Caller, sent: int
) -> AsyncIterator[ServerSentEventMessage]:
    with callers.streaming(caller):
        async for message in _following(context, table, caller, sent):
            yield message


async def _following(
    context: Context, table: Table, caller: Caller, sent: int
) -> AsyncIterator[ServerSentEventMessage]:
    live = table.live
    while not context.closing.is_set() and await _may_watch(context, caller):
        changed = live.changed
        viewer = live.folded.players.get(caller.player)
        told = await context.lives.follow(live, viewer)
        for line in told[sent:]:
            sent += 1
            yield ServerSentEventMessage(data=line.decode(), id=sent, event="record")
        if live.match.status in ("finished", "abandoned"):
            yield ServerSentEventMessage(data="{}", event="end")
            return
        if changed.is_set():
            continue
        name = live.match.header.match
        try:
            await asyncio.wait_for(_either(changed, context.closing), KEEPALIVE_S)
            live = await context.lives.known(name)
        except TimeoutError:
            yield ServerSentEventMessage(comment="still here")
            live = await context.lives.get(name)


async def _may_watch(context: Context, caller: Caller) -> bool:
    """Tell whether the token still counts; a log that is away takes nobody's right."""
    try:
        return await context.players.stands(caller)
    except Unavailable:
        return True


async def _either(changed: asyncio.Event, closing: asyncio.Event) -> None:
    waits = [asyncio.create_task(event.wait()) for event in (changed, closing)]
    try:
        await asyncio.wait(waits, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for wait in waits:
            wait.cancel()


HANDLERS = (
    get_events,
    stream_events,
)
