"""Chat at the table."""

import msgspec
from litestar import get, post
from litestar.di import NamedDependency
from litestar.params import FromPath, JSONBody

from service.http.access import MatchAccess
from service.http.matches import JoinCode
from service.play.caller import Caller
from service.play.match_cache import is_spectator
from service.play.talk import Channel, Message, Talk, Text


class Said(msgspec.Struct, forbid_unknown_fields=True):
    """A message to the whole table or to the sender's own crew."""

    text: Text
    channel: Channel = "table"


@post(
    "/matches/{match:str}/talk",
    status_code=201,
    tags=["talk"],
    operation_id="say",
    scope="play",
    refuses=("not-a-seat", "talk-closed", "talk-ended"),
)
async def say(
    match: FromPath[str],
    data: JSONBody[Said],
    caller: NamedDependency[Caller],
    access: NamedDependency[MatchAccess],
    talk: NamedDependency[Talk],
    join_code: JoinCode = None,
) -> Message:
    """Send a message, if the game allows talk at this moment.

    It is kept beside the log until the match is archived.
    """
    found = await access.find(match, caller, join_code)
    return await talk.say(found.cached.match, found.viewer, data.channel, data.text)


@get("/matches/{match:str}/talk", tags=["talk"], operation_id="getTalk")
async def get_talk(
    match: FromPath[str],
    caller: NamedDependency[Caller],
    access: NamedDependency[MatchAccess],
    talk: NamedDependency[Talk],
    join_code: JoinCode = None,
) -> list[Message]:
    """Return the messages that the caller may read."""
    found = await access.find(match, caller, join_code)
    seen = found.cached.match
    behind = seen.spectators_behind if is_spectator(found.cached, caller) else 0
    return await talk.heard(seen, found.viewer, behind=behind)


HANDLERS = (
    say,
    get_talk,
)
