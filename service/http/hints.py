"""Hints: what a seat could do now, why, and how sure the advice is; and why bots move."""

from typing import Annotated

import msgspec
from litestar import Response, get, post
from litestar.di import NamedDependency
from litestar.params import FromPath, JSONBody, QueryParameter
from msgspec import Meta

from games.game import Illegal
from games.search import Hint
from replay.why import Why
from service.base.problems import ruled_out
from service.http.access import MatchAccess, sight_of
from service.http.body import encoded
from service.http.matches import JoinCode, View
from service.jobs.client import Jobs
from service.jobs.status import Job
from service.play import answers
from service.play.caller import Caller
from service.play.hints import BUDGET, BUDGET_MAX, advisable
from service.play.readers import Readers


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
    readers: NamedDependency[Readers],
    join_code: JoinCode = None,
) -> HintAnswer:
    """Advise the caller's seat, which must be to move, from what that seat knows."""
    found = await access.find(match, caller, join_code)
    cached, seat = found.cached, found.viewer
    try:
        advisable(cached.match, seat)
    except Illegal as error:
        raise ruled_out(error, cached.match.game) from None
    version, number = cached.match.version, cached.folded.number(seat)
    hint = await readers.of_match(
        caller.player, cached, seat, answers.first_hint, data.budget, ancestors=True
    )
    arguments = {"budget": data.budget}
    job = await jobs.submit("hint", match, version, caller.player, seat, arguments)
    return HintAnswer(number, msgspec.json.decode(hint, type=Hint), job)


@get(
    "/matches/{match:str}/why",
    tags=["play"],
    operation_id="askWhy",
    refuses=("hints-off", "no-bot-move", "no-reasons", "no-such-version"),
)
async def ask_why(
    match: FromPath[str],
    caller: NamedDependency[Caller],
    access: NamedDependency[MatchAccess],
    readers: NamedDependency[Readers],
    version: Annotated[
        int, QueryParameter(ge=1, description="Version of the move, one of the caller's.")
    ],
    view: View = None,
    join_code: JoinCode = None,
) -> Response[Why]:
    """Return why a bot made a move.

    While the match runs, the reason follows from what the caller was shown. Once it is over, the
    answer also compares the move with what the bot's rules of thumb preferred.
    """
    found = await access.find(match, caller, join_code)
    sight, over = sight_of(found, caller, view), found.cached.match.over
    return encoded(
        await readers.of_match(
            caller.player, found.cached, sight, answers.reason, version, over, versions=(version,)
        )
    )


HANDLERS = (ask_hint, ask_why)
