"""Travel in time: what happened, and what changed between two versions, in the caller's sight."""

import asyncio
from typing import Annotated

import msgspec
from litestar import get
from litestar.di import NamedDependency
from litestar.params import FromPath, QueryParameter

from games import GAMES
from replay.bisect import Bisected
from replay.blame import BadPath, Blame, blame
from replay.diff import Difference, diff
from replay.subject import Subject
from replay.timeline import Moment, timeline
from replay.travel import NoSuchVersion
from service.base.problems import bad_path, no_such_version
from service.http.access import sight_of, sit
from service.http.matches import JoinCode, View
from service.play.players import Caller
from service.process.context import Context

Of = Annotated[
    Subject,
    QueryParameter(description="`game`: its state, or your view of it; `match`: the whole answer."),
]


class Timeline(msgspec.Struct):
    """All records, with who, when, how long, and on which line."""

    moments: list[Moment]


@get("/matches/{match:str}/timeline", tags=["travel"], operation_id="getTimeline")
async def get_timeline(
    match: FromPath[str],
    caller: NamedDependency[Caller],
    context: NamedDependency[Context],
    view: View = None,
    join_code: JoinCode = None,
) -> Timeline:
    """Give every record with its time, think time, clock and line; undone ones are marked."""
    table = await sit(context, match, caller, join_code)
    sight = sight_of(table, caller, view)
    lines = (await context.histories.of(table.live)).lines[: table.folded.version]
    return Timeline(await asyncio.to_thread(timeline, GAMES, lines, sight))


@get("/matches/{match:str}/diff", tags=["travel"], operation_id="getDiff")
async def get_diff(
    match: FromPath[str],
    caller: NamedDependency[Caller],
    context: NamedDependency[Context],
    start: Annotated[int, QueryParameter(name="from", ge=1)],
    end: Annotated[int, QueryParameter(name="to", ge=1)],
    view: View = None,
    join_code: JoinCode = None,
) -> Difference:
    """Give what changed between two versions, also backwards: as a JSON Patch, and in words."""
    table = await sit(context, match, caller, join_code)
    sight = sight_of(table, caller, view)
    history = await context.histories.of(table.live)
    try:
        return await asyncio.to_thread(diff, history, sight, start, end)
    except NoSuchVersion as error:
        raise no_such_version(error.number, error.last) from None


@get("/matches/{match:str}/blame", tags=["travel"], operation_id="getBlame")
async def get_blame(
    match: FromPath[str],
    caller: NamedDependency[Caller],
    context: NamedDependency[Context],
    path: Annotated[str, QueryParameter(description="A JSON Pointer, such as `/hand/0`.")],
    of: Of = "game",
    view: View = None,
    join_code: JoinCode = None,
) -> Blame:
    """Tell which record, command, event and rule last set a place, and what stood there before."""
    table = await sit(context, match, caller, join_code)
    sight = sight_of(table, caller, view)
    lines = (await context.histories.of(table.live)).lines[: table.folded.version]
    try:
        return await asyncio.to_thread(blame, GAMES, lines, sight, path, of)
    except BadPath as error:
        raise bad_path(str(error)) from None


@get("/matches/{match:str}/bisect", tags=["travel"], operation_id="getBisect")
async def get_bisect(
    match: FromPath[str],
    caller: NamedDependency[Caller],
    context: NamedDependency[Context],
    when: Annotated[str, QueryParameter(description="A condition in JMESPath.")],
    every: Annotated[
        bool, QueryParameter(name="all", description="Every version where it changes.")
    ] = False,
    of: Of = "game",
    view: View = None,
    join_code: JoinCode = None,
) -> Bisected:
    """Find the first version at which a condition holds, or every one at which that changes."""
    table = await sit(context, match, caller, join_code)
    sight = sight_of(table, caller, view)
    lines = (await context.histories.of(table.live)).lines[: table.folded.version]
    return await context.searches.bisect(caller.player, lines, sight, when, subject=of, every=every)


HANDLERS = (get_timeline, get_diff, get_blame, get_bisect)
