"""Records as redacted for the caller: read at once, or streamed as they arrive."""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from functools import lru_cache
from typing import Annotated, NamedTuple

import msgspec
from litestar import get
from litestar.di import NamedDependency
from litestar.params import FromPath, HeaderParameter, QueryParameter
from litestar.response import ServerSentEvent, ServerSentEventMessage

from events.store import Unavailable
from projections.folded import Folded, ToldRecord, Viewer
from service.base.metrics import STREAMS
from service.base.problems import limited, no_such_version
from service.base.waiting import Signal, wait_for_any
from service.http.access import FoundMatch, MatchAccess, parse_version
from service.http.matches import JoinCode
from service.play.caller import Caller
from service.play.match_cache import MatchCache
from service.play.players import Players
from service.play.receipts import Receipts

KEEPALIVE_S = 15
RECEIPT_S = 5.0
"""Beat at which all streams of a process get receipts for what they were sent (seconds)."""
SPECTATORS_S = 0.5
"""Beat at which the spectators of a match that moves faster are sent its records (seconds)."""
PAGE_MAX = 1_000
"""Maximum number of records in one response."""
JOINED_MAX = 100
"""Maximum number of records that a stream is sent at once."""
STREAM_RETRY_S = 5
RETRY_MS = 1_000
"""Time after which a client opens a lost stream again (milliseconds)."""
STILL_HERE = ServerSentEventMessage(comment="still here", data=None)
"""A comment alone. With data, clients would take it for an event."""


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


class SentRecords(ServerSentEventMessage):
    """Records in a row, each a message of its own with its version as `id`."""

    def __init__(self, after: int, lines: tuple[bytes, ...]) -> None:
        """Store encoded records that follow a version."""
        super().__init__(event="record", id=after + len(lines))
        self.after = after
        self.lines = lines

    def encode(self) -> bytes:
        """Return the messages, which all who were sent as much before share."""
        return _messages(self.after, self.lines)


@lru_cache(maxsize=16)
def _messages(after: int, lines: tuple[bytes, ...]) -> bytes:
    return b"".join(
        b"id: %d\r\nevent: record\r\ndata: %b\r\n\r\n" % (version, line)
        for version, line in enumerate(lines, after + 1)
    )


class Owed(NamedTuple):
    """A receipt that a stream is yet to be sent."""

    viewer: Viewer
    version: int
    """The viewer's version, which was the last one sent."""
    due: float


class Streams:
    """The open event streams of this process."""

    def __init__(
        self,
        cache: MatchCache,
        players: Players,
        receipts: Receipts,
        closing: Signal,
        streams_max: int,
    ) -> None:
        """Allow each player a number of open streams; all of them end once `closing` is set."""
        self._cache = cache
        self._players = players
        self._receipts = receipts
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
            raise limited(
                "streams",
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

        The times of comments and receipts follow from what was sent and from the clock. They tell
        nothing of hidden records. A stream that resumes is owed a receipt at once: the one before
        may have been lost with the connection. Spectators are sent the first record at once, and
        those that follow soon after on a beat, so that a thousand of them don't slow a match down.
        """
        cached = found.cached
        name = cached.match.header.match
        loop = asyncio.get_running_loop()
        due = loop.time() + KEEPALIVE_S
        owed = Owed(found.viewer, sent, _next_beat(loop.time())) if sent else None
        while not self._closing.is_set() and await self.may_watch(caller):
            changed = cached.changed
            viewer = cached.folded.players.get(caller.player)
            told = await self._cache.follow(cached, viewer)
            before = sent
            while lines := tuple(told[sent : sent + JOINED_MAX]):
                yield SentRecords(sent, lines)
                sent += len(lines)
                due = loop.time() + KEEPALIVE_S
                owed = Owed(viewer, sent, owed.due if owed else _next_beat(loop.time()))
            over = cached.match.status in ("finished", "abandoned")
            if owed and (over or loop.time() >= owed.due):
                if receipt := await self._receipt(cached.folded, owed):
                    yield ServerSentEventMessage(data=receipt, event="receipt")
                    due = loop.time() + KEEPALIVE_S
                owed = None
            if over:
                yield ServerSentEventMessage(data="{}", event="end")
                return
            if viewer is None and sent > before:
                await asyncio.sleep(_next_beat(loop.time(), SPECTATORS_S) - loop.time())
                cached = await self._cache.shown(await self._cache.known(name), caller)
                continue
            until = min(due, owed.due) if owed else due
            account = self._players.changed(caller.player)
            pause = max(0.0, until - loop.time())
            if await wait_for_any(pause, changed, account, self._closing):
                cached = await self._cache.shown(await self._cache.known(name), caller)
            elif loop.time() >= due:
                yield STILL_HERE
                due = loop.time() + KEEPALIVE_S
                cached = await self._cache.shown(await self._cache.get(name), caller)

    async def _receipt(self, folded: Folded, owed: Owed) -> str | None:
        """Return a receipt in JSON. None if it cannot be signed now, or the records are gone."""
        if owed.version > folded.number(owed.viewer):
            return None
        return await self._receipts.json(folded, owed.viewer, owed.version)

    async def signed_out(self, caller: Caller) -> None:
        """Return as soon as this process ends the caller's token."""
        while await self.may_watch(caller):
            await self._players.changed(caller.player).wait()

    async def may_watch(self, caller: Caller) -> bool:
        """Return whether the token is still valid. If the log is down, keep serving the stream."""
        try:
            return await self._players.stands(caller)
        except Unavailable:
            return True


def require_version(found: FoundMatch, after: int) -> None:
    """Raise `Problem` 404 if a viewer has not come to a version, whose next records it would miss.

    A failover of the log without WAIT takes versions back. Spectators who are behind are believed:
    they may come from a process whose clock is a little ahead.
    """
    if found.viewer is None and found.cached.match.spectators_behind:
        return
    if after > (last := found.folded.number(found.viewer)):
        raise no_such_version(after, last)


def _next_beat(now: float, every: float = RECEIPT_S) -> float:
    return (now // every + 1) * every


@get(
    "/matches/{match:str}/events",
    tags=["matches"],
    operation_id="getEvents",
    response_description="The records.",
    refuses=("no-such-version",),
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
    require_version(found, after)
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
    refuses=("too-many-streams", "no-such-version"),
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

    While records come, an event `receipt` without an `id` follows every 5 seconds and at the end:
    a signed receipt for the last version sent, as in the header `Receipt` of other answers. A
    stream that resumes gets one for the version after which it resumes.
    Resumes after `Last-Event-ID` or `after`, or else starts from the beginning. The stream ends
    when the match is over or the caller's token is revoked.
    """
    found = await access.find(match, caller, join_code)
    last = parse_version(last_event_id or None, "Last-Event-ID")
    start = last if last is not None else (after or 0)
    require_version(found, start)
    records = streams.follow(found, caller, start)
    return ServerSentEvent(await streams.open(caller, records), retry_duration=RETRY_MS)


HANDLERS = (
    get_events,
    stream_events,
)
