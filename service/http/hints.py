"""Hints: what a seat could do now, why, and how sure the advice is."""

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
from service.http.access import MatchAccess
from service.http.matches import JoinCode
from service.jobs.client import Jobs
from service.jobs.status import Job
from service.play.caller import Caller
from service.play.hints import BUDGET, BUDGET_MAX, hint_input


class HintQuestion(msgspec.Struct, forbid_unknown_fields=True):
    """How far to look ahead."""

    budget: Annotated[int, Meta(ge=1, le=BUDGET_MAX)] = BUDGET
    """Number of playouts, of all candidates together."""


class HintAnswer(msgspec.Struct):
    """The immediate hint of the rules, and the job that looks ahead; its `result` is a `Hint`."""

    version: int
    """The seat's version that the hint is for."""
    hint: Hint
    job: Job


@post(
    "/matches/{match:str}/hints",
    status_code=202,
    tags=["play"],
    operation_id="askHint",
    scope="play",
    refuses=("not-a-seat", "rules"),
)
async def ask_hint(
    match: FromPath[str],
    data: JSONBody[HintQuestion],
    caller: NamedDependency[Caller],
    access: NamedDependency[MatchAccess],
    jobs: NamedDependency[Jobs],
    join_code: JoinCode = None,
) -> HintAnswer:
    """Advise the caller's seat, which must be to move, from what that seat knows."""
    found = await access.find(match, caller, join_code)
    cached, seat = found.cached, found.viewer
    try:
        known = hint_input(cached, seat)
    except Illegal as error:
        raise ruled_out(error) from None
    version, number = cached.match.version, cached.folded.number(seat)
    arguments = {"budget": data.budget}
    job = await jobs.submit("hint", match, version, caller.player, seat, arguments)
    hint = await asyncio.to_thread(lambda: next(known.hints(data.budget)))
    return HintAnswer(number, hint, job)


HANDLERS = (ask_hint,)
