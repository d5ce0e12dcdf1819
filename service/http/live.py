"""Records as redacted for the caller: read at once, or streamed as they arrive."""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from typing import Annotated

import msgspec
from litestar import get
from litestar.di import NamedDependency
from litestar.params import FromPath, HeaderParameter, QueryParameter
from litestar.response import ServerSentEvent, ServerSentEventMessage

from events.store import Unavailable
from projections.folded import ToldRecord
from service.base.metrics import LIMITED, STREAMS
from service.base.problems import Problem
from service.base.waiting import wait_for_either
from service.http.access import FoundMatch, MatchAccess, parse_version
from service.http.matches import JoinCode
from service.play.match_cache import MatchCache
from service.play.players import Caller, Players

KEEPALIVE_S = 15
PAGE_MAX = 1_000
"""Maximum number of records in one response."""
STREAM_RETRY_S = 5
RETRY_MS = 1_000
"""Time after which a client opens a lost stream again (milliseconds)."""


class Records(msgspec.Struct):
    """The records after a version, oldest first."""

    version: int
    """Version of the last record in this response; with `more`, ask again after this version."""
    records: list[ToldRecord]
    more: bool = False


class RawRecords(msgspec.Struct):
    """`Records` that are encoded already."""

    version: int
    records: list[msgspec.Raw]
    more: bool = False


class Streams:
    """The open event streams of this process."""

    def __init__(
        self, cache: MatchCache, players: Players, closing: asyncio.Event, streams_max: int
    ) -> None:
        """Allow each player a number of open streams; all of them end once `closing` is set."""
        self._cache = cache
        self._players = players
        self._closing = closing
        self._open: Counter[str] = Counter()
        self._max = streams_max

    async def open(
        self, caller: Caller, messages: AsyncIterator[ServerSentEventMessage]
    ) -> AsyncIterator[ServerSentEventMessage]:
        """Count a stream and return its messages; raises `Problem` 429."""
        counted = self._counted(caller, messages)
        await anext(counted)
        return counted

    async def _counted(
        self, caller: Caller, messages: AsyncIterator[ServerSentEventMessage]
    ) -> AsyncIterator[ServerSentEventMessage]:
        """Yield an empty message at once, from which on the stream is counted, then the others."""
        with self.counted(caller):
            yield ServerSentEventMessage()
            async for message in messages:
                yield message

    @contextmanager
    def counted(self, caller: Caller) -> Iterator[None]:
        """Count an open stream of a caller; raises `Problem` 429."""
        if self._open[caller.player] >= self._max:
            LIMITED.labels("streams").inc()
            raise Problem(
                429,
                "too-many-streams",
                f"You may have at most {self._max} open streams.",
                retry_after=STREAM_RETRY_S,
            )
        self._open[caller.player] += 1
        try:
            with STREAMS.track_inprogress():
                yield
        finally:
            self._open[caller.player] -= 1
            if not self._open[caller.player]:
                del self._open[caller.player]

    async def follow(
        self, found: FoundMatch, caller: Caller, sent: int
    ) -> AsyncIterator[ServerSentEventMessage]:
        """Yield the caller's records after a version, until the match or the token ends.

        The time of a comment follows from what was sent, and tells nothing of hidden records.
        """
        cached = found.cached
        loop = asyncio.get_running_loop()
        due = loop.time() + KEEPALIVE_S
        while not self._closing.is_set() and await self.may_watch(caller):
            changed = cached.changed
            viewer = cached.folded.players.get(caller.player)
            told = await self._cache.follow(cached, viewer)
            for line in told[sent:]:
                sent += 1
                yield ServerSentEventMessage(data=line.decode(), id=sent, event="record")
                due = loop.time() + KEEPALIVE_S
            if cached.match.status in ("finished", "abandoned"):
                yield ServerSentEventMessage(data="{}", event="end")
                return
            if changed.is_set():
                continue
            name = cached.match.header.match
            if await wait_for_either(changed, self._closing, max(0.0, due - loop.time())):
                cached = await self._cache.known(name)
            else:
                yield ServerSentEventMessage(comment="still here")
                due = loop.time() + KEEPALIVE_S
                cached = await self._cache.get(name)

    async def may_watch(self, caller: Caller) -> bool:
        """Return whether the token is still valid. If the log is down, keep serving the stream."""
        try:
            return await self._players.stands(caller)
        except Unavailable:
            return True


@get(
    "/matches/{match:str}/events",
    tags=["matches"],
    operation_id="getEvents",
    response_description="The records.",
)
async def get_events(
    match: FromPath[str],
    caller: NamedDependency[Caller],
    access: NamedDependency[MatchAccess],
    cache: NamedDependency[MatchCache],
    after: Annotated[int, QueryParameter(ge=0)] = 0,
    join_code: JoinCode = None,
) -> Records:
    """Return the records of the match after a version, as redacted for the caller."""
    found = await access.find(match, caller, join_code)
    told = await cache.follow(found.cached, found.viewer)
    page = told[after : after + PAGE_MAX]
    return RawRecords(  # type: ignore[return-value] - the same JSON
        after + len(page), [msgspec.Raw(line) for line in page], after + len(page) < len(told)
    )


@get(
    "/matches/{match:str}/stream",
    tags=["matches"],
    operation_id="streamEvents",
    scope="stream",
    refuses=("too-many-streams", "malformed"),
)
async def stream_events(
    match: FromPath[str],
    caller: NamedDependency[Caller],
    access: NamedDependency[MatchAccess],
    streams: NamedDependency[Streams],
    after: Annotated[int | None, QueryParameter(ge=0)] = None,
    last_event_id: Annotated[
        str | None,
        HeaderParameter(name="Last-Event-ID", description="`id` of the last event received."),
    ] = None,
    join_code: JoinCode = None,
) -> ServerSentEvent:
    """Stream records as they arrive (SSE): `id` is the version, `data` a record as in `/events`.

    Resumes after `Last-Event-ID` or `after`, or else starts from the beginning. The stream ends
    when the match is over or the caller's token is revoked.
    """
    found = await access.find(match, caller, join_code)
    last = parse_version(last_event_id)
    start = last if last is not None else (after or 0)
    records = streams.follow(found, caller, start)
    return ServerSentEvent(await streams.open(caller, records), retry_duration=RETRY_MS)


HANDLERS = (
    get_events,
    stream_events,
)
