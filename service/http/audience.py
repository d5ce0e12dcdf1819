"""Talk of the audience, apart from the talk of the table."""

import msgspec
from litestar import delete, get, post
from litestar.di import NamedDependency
from litestar.params import FromPath, JSONBody

from service.http.access import MatchAccess
from service.http.matches import JoinCode
from service.play.audience import Audience, AudienceMessage
from service.play.caller import Caller
from service.play.talk import Text


class SaidToAudience(msgspec.Struct, forbid_unknown_fields=True):
    """A message to the audience."""

    text: Text


@post(
    "/matches/{match:str}/audience",
    status_code=201,
    tags=["talk"],
    operation_id="sayToAudience",
    scope="play",
    refuses=("forbidden", "work-unavailable"),
)
async def say_to_audience(
    match: FromPath[str],
    data: JSONBody[SaidToAudience],
    caller: NamedDependency[Caller],
    access: NamedDependency[MatchAccess],
    audience: NamedDependency[Audience],
    join_code: JoinCode = None,
) -> AudienceMessage:
    """Say something to the other spectators, 10 times a minute and 200 times a day at most.

    It is kept outside the log, for 30 days after the last message to the same audience.
    """
    found = await access.find(match, caller, join_code)
    return await audience.say(found.cached.match, found.viewer, caller, data.text)


@get(
    "/matches/{match:str}/audience",
    tags=["talk"],
    operation_id="getAudience",
    refuses=("forbidden", "work-unavailable"),
)
async def get_audience(
    match: FromPath[str],
    caller: NamedDependency[Caller],
    access: NamedDependency[MatchAccess],
    audience: NamedDependency[Audience],
    join_code: JoinCode = None,
) -> list[AudienceMessage]:
    """Return what the audience says. Whoever has a seat may read it once the match is over."""
    found = await access.find(match, caller, join_code)
    return await audience.heard(found.cached.match, found.viewer)


@delete(
    "/matches/{match:str}/audience/{message:str}",
    tags=["talk"],
    operation_id="deleteAudienceMessage",
    scope="play",
    refuses=("forbidden", "work-unavailable"),
)
async def delete_audience_message(
    match: FromPath[str],
    message: FromPath[str],
    caller: NamedDependency[Caller],
    access: NamedDependency[MatchAccess],
    audience: NamedDependency[Audience],
    join_code: JoinCode = None,
) -> None:
    """Delete a message to the audience: your own or, as an operator, any."""
    found = await access.find(match, caller, join_code)
    await audience.delete(found.cached.match, caller, message)


HANDLERS = (say_to_audience, get_audience, delete_audience_message)
