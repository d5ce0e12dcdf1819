"""Looking back at a match: analysis, the best version to go back to, and single commands undone."""

from typing import Annotated, Any

import msgspec
from litestar import Response, get, post
from litestar.di import NamedDependency
from litestar.params import FromPath, JSONBody, QueryParameter
from msgspec import Meta

from games.game import Illegal
from games.wire import PlainCommand
from replay.analysis import Analysis, UndoPoint, last_chance, require_analysable
from replay.chart import chart
from replay.what_if import WhatIf
from service.base.input_errors import input_error
from service.base.problems import Problem, invalid, malformed, ruled_out
from service.http.access import FULL, FoundMatch, MatchAccess, may_solve, require_over, sees_all
from service.http.body import AnyRequest, encoded
from service.http.matches import JoinCode
from service.jobs.client import Jobs
from service.jobs.status import Job
from service.play import answers
from service.play.analyses import Analyses
from service.play.caller import Caller
from service.play.readers import Readers

SVG = "image/svg+xml"
XML = "text/xml"
"""The same, for clients that know no images."""


Partial = Annotated[
    bool,
    QueryParameter(description="Also return what is known so far of an analysis under way."),
]


class WhatIfQuestion(msgspec.Struct, forbid_unknown_fields=True):
    """A command to undo."""

    version: Annotated[int, Meta(ge=1)]
    """Version of its record in the log, as in the full view."""
    instead: PlainCommand | None = None
    """A command of the game that the same seat sends in its place."""
    skip: bool = False
    """Skip later commands that are no longer legal, and continue."""


@post(
    "/matches/{match:str}/what-if",
    status_code=200,
    tags=["travel"],
    operation_id="askWhatIf",
    scope="play",
    refuses=("forbidden", "rules"),
)
async def ask_what_if(
    match: FromPath[str],
    data: JSONBody[WhatIfQuestion],
    caller: NamedDependency[Caller],
    access: NamedDependency[MatchAccess],
    readers: NamedDependency[Readers],
    join_code: JoinCode = None,
) -> Response[WhatIf]:
    """Undo one command and replay the later ones, up to the first that is no longer legal.

    Nothing is changed: branch from `branch_at` to play on. For officers, or once the match is over.
    """
    found = await access.find(match, caller, join_code)
    require_over(found, caller, "What-ifs are")
    instead = _command(found, data.instead)
    body = await readers.of_match(
        caller.player,
        found.cached,
        FULL,
        answers.without,
        data.version,
        found.cached.service_seed,
        instead,
        data.skip,
    )
    return encoded(body)


@post(
    "/matches/{match:str}/solve",
    status_code=202,
    tags=["travel"],
    operation_id="solveMatch",
    scope="play",
    refuses=("not-agreed", "rules"),
)
async def solve_match(
    match: FromPath[str],
    caller: NamedDependency[Caller],
    access: NamedDependency[MatchAccess],
    jobs: NamedDependency[Jobs],
    join_code: JoinCode = None,
) -> Job:
    """Search for the best version to go back to: the last that could be won, or the turning point.

    Officers, and everyone once the match is over, also get the winning moves. During the match,
    the players can ask once all have agreed (`propose_undo` with `solve`); they get the version
    only, in the caller's own numbers.
    """
    found = await access.find(match, caller, join_code)
    _require_state(found)
    full, folded = sees_all(found, caller), found.cached.match
    if not may_solve(found, caller):
        raise Problem(
            403,
            "not-agreed",
            "During the match all seats have to agree first: send propose_undo with solve.",
        )
    return await jobs.submit(
        "solve",
        match,
        found.folded.version,
        caller.player,
        found.viewer,
        {"full": full, "at": folded.version if full else folded.solved},
    )


@post(
    "/matches/{match:str}/analysis",
    status_code=202,
    tags=["travel"],
    operation_id="analyseMatch",
    scope="play",
    refuses=("forbidden", "rules"),
)
async def analyse_match(
    match: FromPath[str],
    caller: NamedDependency[Caller],
    access: NamedDependency[MatchAccess],
    jobs: NamedDependency[Jobs],
    join_code: JoinCode = None,
) -> Job:
    """Analyse a match: chances, decisions, luck and mistakes. For officers, or once it is over."""
    found = await access.find(match, caller, join_code)
    require_over(found, caller, "The analysis is")
    _require_state(found)
    return await jobs.submit("analysis", match, found.folded.version, caller.player)


@get(
    "/matches/{match:str}/analysis",
    tags=["travel"],
    operation_id="getAnalysis",
    refuses=("forbidden", "not-analysed"),
)
async def get_analysis(
    match: FromPath[str],
    caller: NamedDependency[Caller],
    access: NamedDependency[MatchAccess],
    analyses: NamedDependency[Analyses],
    partial: Partial = False,
    join_code: JoinCode = None,
) -> Analysis:
    """Return the analysis of the current version of the match, if there is one.

    With `partial`, look again while the job is running: each answer is more complete.
    """
    found = await access.find(match, caller, join_code)
    return await _stored(analyses, found, caller, partial=partial)


@get(
    "/matches/{match:str}/analysis.svg",
    tags=["travel"],
    operation_id="drawAnalysis",
    refuses=("forbidden", "not-analysed"),
    media_type=SVG,
)
async def draw_analysis(
    request: AnyRequest,
    match: FromPath[str],
    caller: NamedDependency[Caller],
    access: NamedDependency[MatchAccess],
    analyses: NamedDependency[Analyses],
    partial: Partial = False,
    join_code: JoinCode = None,
) -> Response[bytes]:
    """Draw the curves of the analysis of the current version of the match, if there is one."""
    found = await access.find(match, caller, join_code)
    analysis = await _stored(analyses, found, caller, partial=partial)
    return Response(chart(analysis), media_type=request.accept.best_match([SVG, XML], SVG))


@get(
    "/matches/{match:str}/analysis/undo",
    tags=["travel"],
    operation_id="findUndoPoint",
    refuses=("forbidden", "not-analysed"),
)
async def find_undo_point(
    match: FromPath[str],
    seat: Annotated[int, QueryParameter(ge=0, description="Seat whose decisions count.")],
    chance: Annotated[float, QueryParameter(ge=0, le=1, description="Share of won games.")],
    caller: NamedDependency[Caller],
    access: NamedDependency[MatchAccess],
    analyses: NamedDependency[Analyses],
    join_code: JoinCode = None,
) -> UndoPoint:
    """Find the last version at which a seat still had this chance of winning.

    It is looked up in the analysis of the current version of the match.
    """
    found = await access.find(match, caller, join_code)
    analysis = await _stored(analyses, found, caller)
    if seat >= len(analysis.seats):
        raise malformed(f"Seat must be between 0 and {len(analysis.seats) - 1}, got {seat}.").at(
            parameter="seat"
        )
    return last_chance(analysis, seat, chance)


async def _stored(
    analyses: Analyses, found: FoundMatch, caller: Caller, *, partial: bool = False
) -> Analysis:
    require_over(found, caller, "The analysis is")
    data = await analyses.get(found.folded.head)
    if data is None and partial:
        data = await analyses.get_partial(found.folded.head)
    if data is None:
        raise Problem(
            404, "not-analysed", "There is no analysis of this version: request one with POST."
        )
    return msgspec.json.decode(data, type=Analysis)


def _require_state(found: FoundMatch) -> None:
    try:
        require_analysable(found.cached.match)
    except Illegal as error:
        raise ruled_out(error) from None


def _command(found: FoundMatch, plain: dict[str, Any] | None) -> Any:
    if plain is None:
        return None
    try:
        return msgspec.convert(plain, found.cached.match.game.Command)
    except msgspec.ValidationError as error:
        command = found.cached.match.game.Command
        raise invalid(input_error(str(error), command, plain, "/instead")) from None


HANDLERS = (
    ask_what_if,
    solve_match,
    analyse_match,
    get_analysis,
    draw_analysis,
    find_undo_point,
)
