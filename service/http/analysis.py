"""Looking back: what if a command had not been sent, where the match could be saved, and where it was decided."""

import asyncio
from typing import Annotated, Any

import msgspec
from litestar import Response, get, post
from litestar.di import NamedDependency
from litestar.params import FromPath, JSONBody
from msgspec import Meta

from games import GAMES
from games.game import Illegal
from replay.analysis import Analysis, require_analysable
from replay.chart import chart
from replay.what_if import WhatIf, take_back
from service.context import Context
from service.http.access import FULL, Table, may_solve, sees_all, sight_of, sit
from service.http.matches import JoinCode
from service.job_books import Job
from service.players import Caller
from service.problems import Problem, malformed, ruled_out

SVG = "image/svg+xml"


class Question(msgspec.Struct, forbid_unknown_fields=True):
    """A command to be taken back."""

    version: Annotated[int, Meta(ge=1)]
    """Of its record in the log: the full view's."""
    instead: dict[str, Any] | None = None
    """A command of the game that the same seat sends in its place."""
    skip: bool = False
    """Leave out later commands that are not legal any more, and go on."""


@post("/matches/{match:str}/what-if", status_code=200, tags=["travel"], operation_id="askWhatIf")
async def ask_what_if(
    match: FromPath[str],
    data: JSONBody[Question],
    caller: NamedDependency[Caller],
    context: NamedDependency[Context],
    join_code: JoinCode = None,
) -> WhatIf:
    """Take back one command and replay the later ones; the first that is not legal any more is named.

    Nothing is changed: branch from `branch_at` to play on. For officers, or once the match is over.
    """
    table = await sit(context, match, caller, join_code)
    sight_of(table, caller, FULL)
    lines = await context.lives.lines(table.live)
    instead = _command(table, data.instead)
    try:
        return await asyncio.to_thread(
            take_back,
            GAMES,
            lines,
            data.version,
            part=table.live.part,
            instead=instead,
            skip=data.skip,
        )
    except Illegal as error:
        raise ruled_out(error) from None


@post("/matches/{match:str}/solve", status_code=202, tags=["travel"], operation_id="solveMatch")
async def solve_match(
    match: FromPath[str],
    caller: NamedDependency[Caller],
    context: NamedDependency[Context],
    join_code: JoinCode = None,
) -> Job:
    """Have the best version to go back to searched for: the last that could be won, or the turning point.

    For officers, or once the match is over, with the line that wins. While it is played, for those at the table once
    all have agreed (`propose_undo` with `solve`), and then the version alone, as the caller counts.
    """
    table = await sit(context, match, caller, join_code)
    _require_state(table)
    full, its = sees_all(table, caller), table.live.match
    if not may_solve(table, caller):
        raise Problem(
            403,
            "not-agreed",
            "while the match is played, all have to agree: propose_undo with solve",
        )
    return await context.jobs.ask(
        "solve",
        match,
        table.folded.version,
        caller.player,
        table.viewer,
        {"full": full, "at": its.version if full else its.solved},
    )


@post(
    "/matches/{match:str}/analysis", status_code=202, tags=["travel"], operation_id="analyseMatch"
)
async def analyse_match(
    match: FromPath[str],
    caller: NamedDependency[Caller],
    context: NamedDependency[Context],
    join_code: JoinCode = None,
) -> Job:
    """Have a match analysed: curves of winning, decision and luck, mistakes. For officers, or once it is over."""
    table = await sit(context, match, caller, join_code)
    sight_of(table, caller, FULL)
    _require_state(table)
    return await context.jobs.ask("analysis", match, table.folded.version, caller.player)


@get("/matches/{match:str}/analysis", tags=["travel"], operation_id="getAnalysis")
async def get_analysis(
    match: FromPath[str],
    caller: NamedDependency[Caller],
    context: NamedDependency[Context],
    join_code: JoinCode = None,
) -> Analysis:
    """Give the analysis of the match as it stands, once it has been made."""
    return await _kept(context, match, caller, join_code)


@get(
    "/matches/{match:str}/analysis.svg",
    tags=["travel"],
    operation_id="drawAnalysis",
    media_type=SVG,
)
async def draw_analysis(
    match: FromPath[str],
    caller: NamedDependency[Caller],
    context: NamedDependency[Context],
    join_code: JoinCode = None,
) -> Response[bytes]:
    """Draw the curves of the analysis of the match as it stands, once it has been made."""
    analysis = await _kept(context, match, caller, join_code)
    return Response(chart(analysis), media_type=SVG)


async def _kept(context: Context, match: str, caller: Caller, code: str | None) -> Analysis:
    table = await sit(context, match, caller, code)
    sight_of(table, caller, FULL)
    data = await context.analyses.get(table.folded.head)
    if data is None:
        raise Problem(404, "not-analysed", "not analysed yet, or not lately: POST here asks for it")
    return msgspec.json.decode(data, type=Analysis)


def _require_state(table: Table) -> None:
    try:
        require_analysable(table.live.match)
    except Illegal as error:
        raise ruled_out(error) from None


def _command(table: Table, plain: dict[str, Any] | None) -> Any:
    if plain is None:
        return None
    try:
        return msgspec.convert(plain, table.live.match.game.Command)
    except msgspec.ValidationError as error:
        raise malformed(f"instead: {error}") from None


HANDLERS = (ask_what_if, solve_match, analyse_match, get_analysis, draw_analysis)
