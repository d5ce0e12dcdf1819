"""Time travel: the timeline of a match, diffs, blame and bisect, as the caller may see it."""

from typing import Annotated

from litestar import Response, get
from litestar.di import NamedDependency
from litestar.params import FromPath, QueryParameter

from replay.bisect import Bisected
from replay.blame import Blame
from replay.diff import Difference
from replay.explain import Explanation
from replay.subject import Subject
from service.http.access import FULL, MatchAccess, require_over, sight_of
from service.http.body import encoded
from service.http.matches import JoinCode, View
from service.play import answers
from service.play.answers import Timeline
from service.play.caller import Caller
from service.play.readers import Readers

MOMENTS_MAX = 1_000
"""Maximum number of records in one response."""
CHANGES = 100
"""Default number of changes in a response."""

Of = Annotated[
    Subject,
    QueryParameter(
        description="`game`: the game's state, or your view of it; `match`: the whole response."
    ),
]


@get(
    "/matches/{match:str}/timeline",
    tags=["travel"],
    operation_id="getTimeline",
    refuses=("no-such-version",),
)
async def get_timeline(
    match: FromPath[str],
    caller: NamedDependency[Caller],
    access: NamedDependency[MatchAccess],
    readers: NamedDependency[Readers],
    after: Annotated[int, QueryParameter(ge=0)] = 0,
    limit: Annotated[
        int, QueryParameter(ge=1, le=MOMENTS_MAX, description="Page size.")
    ] = MOMENTS_MAX,
    view: View = None,
    join_code: JoinCode = None,
) -> Response[Timeline]:
    """Return the records after a version, with time, think time and clock; undone ones are marked.

    With `more`, ask again after the last record of the response.
    """
    found = await access.find(match, caller, join_code)
    sight = sight_of(found, caller, view)
    return encoded(
        await readers.of_match(
            caller.player, found.cached, sight, answers.timeline_page, after, limit
        )
    )


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
    readers: NamedDependency[Readers],
    start: Annotated[int, QueryParameter(name="from", ge=1)],
    end: Annotated[int, QueryParameter(name="to", ge=1)],
    view: View = None,
    join_code: JoinCode = None,
) -> Response[Difference]:
    """Return the changes between two versions, also backwards: as a JSON Patch, and in words."""
    found = await access.find(match, caller, join_code)
    sight = sight_of(found, caller, view)
    return encoded(
        await readers.of_match(
            caller.player,
            found.cached,
            sight,
            answers.difference,
            start,
            end,
            versions=(start, end),
        )
    )


@get(
    "/matches/{match:str}/blame",
    tags=["travel"],
    operation_id="getBlame",
    refuses=("bad-path", "no-such-version"),
)
async def get_blame(
    match: FromPath[str],
    caller: NamedDependency[Caller],
    access: NamedDependency[MatchAccess],
    readers: NamedDependency[Readers],
    path: Annotated[
        str,
        QueryParameter(
            description="JSON Pointer, such as `/hand/0`.",
            schema_extra={"pattern": "^(/([^~/]|~[01])*)*$"},
        ),
    ],
    of: Of = "game",
    limit: Annotated[
        int, QueryParameter(ge=1, le=MOMENTS_MAX, description="Changes to list, the latest ones.")
    ] = CHANGES,
    at: Annotated[
        int | None,
        QueryParameter(ge=1, description="Version to look at, by default the last."),
    ] = None,
    causes: Annotated[
        bool,
        QueryParameter(
            description="Also return what the rule had read (`facts`), in the full view."
        ),
    ] = False,
    view: View = None,
    join_code: JoinCode = None,
) -> Response[Blame]:
    """Return which record, command, event and rule last set a path, and its previous value."""
    found = await access.find(match, caller, join_code)
    sight = sight_of(found, caller, view)
    return encoded(
        await readers.of_match(
            caller.player, found.cached, sight, answers.origin, path, of, limit, at, causes
        )
    )


@get(
    "/matches/{match:str}/explanation",
    tags=["travel"],
    operation_id="getExplanation",
    refuses=("forbidden", "no-such-version"),
)
async def get_explanation(
    match: FromPath[str],
    caller: NamedDependency[Caller],
    access: NamedDependency[MatchAccess],
    readers: NamedDependency[Readers],
    record: Annotated[int, QueryParameter(ge=1, description="Version of the log.")],
    join_code: JoinCode = None,
) -> Response[Explanation]:
    """Return a record as recorded and as decided again, with the state before and what was read.

    Anyone may ask once the match is over, and officers at any time.
    """
    found = await access.find(match, caller, join_code)
    require_over(found, caller, "Explanations are")
    return encoded(
        await readers.of_match(
            caller.player,
            found.cached,
            FULL,
            answers.explanation,
            record,
            found.cached.service_seed,
        )
    )


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
    readers: NamedDependency[Readers],
    when: Annotated[str, QueryParameter(description="Condition in JMESPath.")],
    every: Annotated[
        bool, QueryParameter(name="all", description="Return every version where it changes.")
    ] = False,
    of: Of = "game",
    view: View = None,
    join_code: JoinCode = None,
) -> Response[Bisected]:
    """Find the first version where a condition holds, or every version where that changes."""
    found = await access.find(match, caller, join_code)
    sight = sight_of(found, caller, view)
    return encoded(
        await readers.of_match(
            caller.player, found.cached, sight, answers.turnings, when, of, every
        )
    )


HANDLERS = (get_timeline, get_diff, get_blame, get_explanation, get_bisect)
