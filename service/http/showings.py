"""Watching a finished match together: one leads, the others follow."""

from collections.abc import AsyncIterator

import msgspec
from litestar import delete, get, post, put
from litestar.di import NamedDependency
from litestar.params import FromPath, JSONBody
from litestar.response import ServerSentEvent, ServerSentEventMessage

from service.http.access import FULL, FoundMatch, MatchAccess, viewer_of
from service.http.live import RETRY_MS, STILL_HERE, Streams
from service.http.matches import JoinCode
from service.play.caller import Caller
from service.play.showings import Showing, Showings, ShownMoment, check_moment


class NewLeader(msgspec.Struct, forbid_unknown_fields=True):
    """Who leads from now on."""

    player: str
    """Id of a player who is present."""


@post(
    "/matches/{match:str}/showings",
    status_code=201,
    tags=["travel"],
    operation_id="openShowing",
    scope="play",
    refuses=("forbidden", "no-such-seat", "no-such-version", "too-many-showings"),
)
async def open_showing(
    match: FromPath[str],
    data: JSONBody[ShownMoment],
    caller: NamedDependency[Caller],
    access: NamedDependency[MatchAccess],
    showings: NamedDependency[Showings],
    join_code: JoinCode = None,
) -> Showing:
    """Open a showing of a finished match, which you lead.

    Others follow it by its code if they may see the match. It ends 6 hours after the last moment
    that was shown.
    """
    found = await access.find(match, caller, join_code)
    _check_view(found, data)
    return await showings.open(found.cached.match, caller.player, data)


@get(
    "/showings/{showing:str}",
    tags=["travel"],
    operation_id="getShowing",
    refuses=("not-found", "work-unavailable"),
)
async def get_showing(
    showing: FromPath[str],
    caller: NamedDependency[Caller],
    access: NamedDependency[MatchAccess],
    showings: NamedDependency[Showings],
    join_code: JoinCode = None,
) -> Showing:
    """Return a showing: its match, what is shown, and who is present."""
    found = await showings.get(showing)
    await access.find(found.match, caller, join_code, fresh=False)
    return found


@put(
    "/showings/{showing:str}/moment",
    status_code=204,
    tags=["travel"],
    operation_id="showMoment",
    scope="play",
    refuses=("forbidden", "no-such-seat", "no-such-version", "rate-limited", "work-unavailable"),
)
async def show_moment(
    showing: FromPath[str],
    data: JSONBody[ShownMoment],
    caller: NamedDependency[Caller],
    access: NamedDependency[MatchAccess],
    showings: NamedDependency[Showings],
    join_code: JoinCode = None,
) -> None:
    """Show another moment to all who follow you, at most 10 a second."""
    shown = await showings.get(showing)
    found = await access.find(shown.match, caller, join_code, fresh=False)
    _check_view(found, data)
    check_moment(found.cached.match, data)
    await showings.show(shown, caller.player, data)


@put(
    "/showings/{showing:str}/leader",
    status_code=204,
    tags=["travel"],
    operation_id="handOverShowing",
    scope="play",
    refuses=("forbidden", "not-present", "work-unavailable"),
)
async def hand_over(
    showing: FromPath[str],
    data: JSONBody[NewLeader],
    caller: NamedDependency[Caller],
    access: NamedDependency[MatchAccess],
    showings: NamedDependency[Showings],
    join_code: JoinCode = None,
) -> None:
    """Let somebody who is present lead, or take the lead yourself while the leader is away."""
    shown = await showings.get(showing)
    await access.find(shown.match, caller, join_code, fresh=False)
    await showings.hand_over(shown, caller.player, data.player)


@delete(
    "/showings/{showing:str}",
    tags=["travel"],
    operation_id="endShowing",
    scope="play",
    refuses=("forbidden", "work-unavailable"),
)
async def end_showing(
    showing: FromPath[str],
    caller: NamedDependency[Caller],
    access: NamedDependency[MatchAccess],
    showings: NamedDependency[Showings],
    join_code: JoinCode = None,
) -> None:
    """End a showing that you lead."""
    shown = await showings.get(showing)
    await access.find(shown.match, caller, join_code, fresh=False)
    await showings.end(shown, caller.player)


@get(
    "/showings/{showing:str}/stream",
    tags=["travel"],
    operation_id="streamShowing",
    scope="stream",
    refuses=("too-many-streams", "showing-full", "work-unavailable"),
    event="StreamedShowing",
)
async def stream_showing(
    showing: FromPath[str],
    caller: NamedDependency[Caller],
    access: NamedDependency[MatchAccess],
    showings: NamedDependency[Showings],
    streams: NamedDependency[Streams],
    join_code: JoinCode = None,
) -> ServerSentEvent:
    """Stream a showing, now and whenever it changes (SSE). You are present while you read it.

    The stream ends when the showing has ended, and when the caller's token is revoked. A showing
    has room for 20 streams, 3 of them of the same player.
    """
    shown = await showings.get(showing)
    await access.find(shown.match, caller, join_code, fresh=False)
    messages = _messages(caller, streams, await showings.watch(shown, caller.player))
    return ServerSentEvent(await streams.open(caller, messages), retry_duration=RETRY_MS)


async def _messages(
    caller: Caller, streams: Streams, found: AsyncIterator[Showing | None]
) -> AsyncIterator[ServerSentEventMessage]:
    async for shown in found:
        if not await streams.may_watch(caller):
            return
        if shown is None:
            yield STILL_HERE
        else:
            data = msgspec.json.encode(shown).decode()
            yield ServerSentEventMessage(data=data, event="showing")


def _check_view(found: FoundMatch, moment: ShownMoment) -> None:
    """Raise `Problem` 422 unless the match has the moment's seat."""
    if moment.view != FULL:
        viewer_of(moment.view, found.cached.match.header.seats)


HANDLERS = (open_showing, get_showing, show_moment, hand_over, end_showing, stream_showing)
