"""Time travel: the timeline of a match, diffs, blame and bisect, as the caller may see it."""

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
from service.http.access import MatchAccess, sight_of
from service.http.matches import JoinCode, View
from service.play.histories import Histories
from service.play.players import Caller
from service.play.searches import Searches

Of = Annotated[
    Subject,
    QueryParameter(
        description="`game`: the game's state, or your view of it; `match`: the whole response."
    ),
]


class Timeline(msgspec.Struct):
    """All records of a match, with actor, time and think time."""

    moments: list[Moment]


@get("/matches/{match:str}/timeline", tags=["travel"], operation_id="getTimeline")
async def get_timeline(
    match: FromPath[str],
    caller: NamedDependency[Caller],
    access: NamedDependency[MatchAccess],
    histories: NamedDependency[Histories],
    view: View = None,
    join_code: JoinCode = None,
) -> Timeline:
    """Return every record with its time, think time and clock; undone records are marked."""
    found = await access.find(match, caller, join_code)
    sight = sight_of(found, caller, view)
    lines = (await histories.of(found.cached)).lines[: found.folded.version]
    return Timeline(await asyncio.to_thread(timeline, GAMES, lines, sight))


@get(
    "/matches/{match:str}/diff",
    tags=["travel"],
    operation_id="getDiff",
    refuses=("no-such-version",),
)
async def get_diff(
    match: FromPath[str],
    caller: NamedDependency[Caller],
    access: NamedDependency[MatchAccess],
    histories: NamedDependency[Histories],
    start: Annotated[int, QueryParameter(name="from", ge=1)],
    end: Annotated[int, QueryParameter(name="to", ge=1)],
    view: View = None,
    join_code: JoinCode = None,
) -> Difference:
    """Return the changes between two versions, also backwards: as a JSON Patch, and in words."""
    found = await access.find(match, caller, join_code)
    sight = sight_of(found, caller, view)
    history = await histories.of(found.cached)
    try:
        return await asyncio.to_thread(diff, history, sight, start, end)
    except NoSuchVersion as error:
        raise no_such_version(error.number, error.last) from None


@get("/matches/{match:str}/blame", tags=["travel"], operation_id="getBlame", refuses=("bad-path",))
async def get_blame(
    match: FromPath[str],
    caller: NamedDependency[Caller],
    access: NamedDependency[MatchAccess],
    histories: NamedDependency[Histories],
    path: Annotated[
        str,
        QueryParameter(
            description="JSON Pointer, such as `/hand/0`.",
            schema_extra={"pattern": "^(/([^~/]|~[01])*)*$"},
        ),
    ],
    of: Of = "game",
    view: View = None,
    join_code: JoinCode = None,
) -> Blame:
    """Return which record, command, event and rule last set a path, and its previous value."""
    found = await access.find(match, caller, join_code)
    sight = sight_of(found, caller, view)
    lines = (await histories.of(found.cached)).lines[: found.folded.version]
    try:
        return await asyncio.to_thread(blame, GAMES, lines, sight, path, of)
    except BadPath as error:
        raise bad_path(str(error)) from None


@get(
    "/matches/{match:str}/bisect",
    tags=["travel"],
    operation_id="getBisect",
    refuses=("bad-condition", "condition-too-costly"),
)
async def get_bisect(
    match: FromPath[str],
    caller: NamedDependency[Caller],
    access: NamedDependency[MatchAccess],
    histories: NamedDependency[Histories],
    searches: NamedDependency[Searches],
    when: Annotated[str, QueryParameter(description="Condition in JMESPath.")],
    every: Annotated[
        bool, QueryParameter(name="all", description="Return every version where it changes.")
    ] = False,
    of: Of = "game",
    view: View = None,
    join_code: JoinCode = None,
) -> Bisected:
    """Find the first version where a condition holds, or every version where that changes."""
    found = await access.find(match, caller, join_code)
    sight = sight_of(found, caller, view)
    lines = (await histories.of(found.cached)).lines[: found.folded.version]
    return await searches.bisect(caller.player, lines, sight, when, subject=of, every=every)


HANDLERS = (get_timeline, get_diff, get_blame, get_bisect)
