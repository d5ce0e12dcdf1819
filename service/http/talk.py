"""Talking at the table."""

import msgspec
from litestar import get, post
from litestar.di import NamedDependency
from litestar.params import FromPath, JSONBody

from service.http.access import sit
from service.http.matches import JoinCode
from service.play.players import Caller
from service.play.talk import Channel, Message, Talk, Text
from service.process.context import Context


class Said(msgspec.Struct, forbid_unknown_fields=True):
    """What to say, and to whom: the whole table, or the own crew."""

    text: Text
    channel: Channel = "table"


@post("/matches/{match:str}/talk", status_code=201, tags=["talk"], operation_id="say")
async def say(
    match: FromPath[str],
    data: JSONBody[Said],
    caller: NamedDependency[Caller],
    context: NamedDependency[Context],
    join_code: JoinCode = None,
) -> Message:
    """Say something, as far as the game allows at that moment. It is kept outside the log."""
    table = await sit(context, match, caller, join_code)
    return await Talk(context.work).say(table.live.match, table.viewer, data.channel, data.text)


@get("/matches/{match:str}/talk", tags=["talk"], operation_id="getTalk")
async def get_talk(
    match: FromPath[str],
    caller: NamedDependency[Caller],
    context: NamedDependency[Context],
    join_code: JoinCode = None,
) -> list[Message]:
    """Give what was said, as far as the caller may hear it."""
    table = await sit(context, match, caller, join_code)
    return await Talk(context.work).heard(table.live.match, table.viewer)


HANDLERS = (
    say,
    get_talk,
)
