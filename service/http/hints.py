"""Hints: what a seat could do now, why, and how sure that is."""

import asyncio
from typing import Annotated

import msgspec
from litestar import post
from litestar.di import NamedDependency
from litestar.params import FromPath, JSONBody
from msgspec import Meta

from games.game import Illegal
from games.search import Hint
from service.base.problems import ruled_out
from service.http.access import sit
from service.http.matches import JoinCode
from service.jobs.status import Job
from service.play.hints import BUDGET, BUDGET_MAX, question
from service.play.players import Caller
from service.process.context import Context


class HintQuestion(msgspec.Struct, forbid_unknown_fields=True):
    """How much to look ahead."""

    budget: Annotated[int, Meta(ge=1, le=BUDGET_MAX)] = BUDGET
    """Playouts, of all candidates together."""


class HintAnswer(msgspec.Struct):
    """The rules' hint at once, and the job that looks ahead; its `result` is a hint of the same form."""

    version: int
    """The seat's, for which the hint is."""
    hint: Hint
    job: Job


@post("/matches/{match:str}/hints", status_code=202, tags=["play"], operation_id="askHint")
async def ask_hint(
    match: FromPath[str],
    data: JSONBody[HintQuestion],
    caller: NamedDependency[Caller],
    context: NamedDependency[Context],
    join_code: JoinCode = None,
) -> HintAnswer:
    """Advise the caller's seat, which is to act now, from what that seat knows."""
    table = await sit(context, match, caller, join_code)
    live, seat = table.live, table.viewer
    try:
        its = question(live, seat)
    except Illegal as error:
        raise ruled_out(error) from None
    version, number = live.match.version, live.folded.number(seat)
    hint = await asyncio.to_thread(lambda: next(its.answers(data.budget)))
    arguments = {"budget": data.budget}
    job = await context.jobs.ask("hint", match, version, caller.player, seat, arguments)
    return HintAnswer(number, hint, job)


HANDLERS = (ask_hint,)
