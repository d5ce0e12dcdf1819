"""Commands: the one way to change a match."""

from functools import cache
from typing import Annotated, Any, Union

import msgspec
from litestar import Request, Response, post
from litestar.di import NamedDependency
from litestar.params import FromPath, HeaderParameter

from games.game import AnyGame
from games.match.commands import PlayerCommand
from service.base.problems import malformed
from service.http.access import MatchAccess, parse_version
from service.http.matches import JoinCode, Key
from service.play.matches import Accepted, Matches
from service.play.players import Caller

JSON = "application/json"
ENCODER = msgspec.json.Encoder()


@cache
def decoder(game: AnyGame) -> msgspec.json.Decoder[Any]:
    """Return the decoder of the commands that clients may send to a match of a game."""
    commands: Any = Union[PlayerCommand, game.Command]  # noqa: UP007 - a value, not an annotation
    return msgspec.json.Decoder(commands)


@post(
    "/matches/{match:str}/commands", status_code=200, tags=["matches"], operation_id="sendCommand"
)
async def send_command(
    request: Request[Any, Any, Any],
    match: FromPath[str],
    caller: NamedDependency[Caller],
    access: NamedDependency[MatchAccess],
    matches: NamedDependency[Matches],
    idempotency_key: Key = None,
    if_match: Annotated[str | None, HeaderParameter(name="If-Match")] = None,
    join_code: JoinCode = None,
) -> Response[Accepted]:
    """Decide a command, and answer once its record is on disk.

    The body is a command of the game or one that every match has; `type` tells them apart.
    """
    found = await access.find(match, caller, join_code, fresh=False)
    body = await request.body()
    try:
        command = decoder(found.cached.match.game).decode(body)
    except (msgspec.DecodeError, RecursionError) as error:
        raise malformed(str(error)) from None
    version = None if if_match in (None, "*") else parse_version(if_match)
    accepted = await matches.play(found.cached, caller, command, idempotency_key, version)
    return Response(
        ENCODER.encode(accepted), media_type=JSON, headers={"ETag": f'"{accepted.version}"'}
    )  # type: ignore[arg-type]


HANDLERS = (send_command,)
