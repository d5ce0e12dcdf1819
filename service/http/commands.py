"""Commands: the one way to change a match."""

import re
from collections.abc import Mapping
from functools import cache
from typing import Annotated, Any, NamedTuple, Union

import msgspec
from litestar import Request, Response, post
from litestar.di import NamedDependency
from litestar.params import FromPath, HeaderParameter
from litestar.types import ASGIApp, Receive, Scope, Send

from games.game import AnyGame
from games.match.commands import PlayerCommand
from service.base.input_errors import UNDECODABLE
from service.base.problems import undecodable
from service.http.access import MatchAccess, parse_version
from service.http.body import JSON, JsonRequest, encoded
from service.http.callers import Callers
from service.http.matches import ETAG, KEY, RECEIPT, JoinCode, Key
from service.http.preferences import (
    MINIMAL,
    PREFERENCE_APPLIED,
    WITH_RECEIPT,
    headers_of,
    preferred,
)
from service.play.match_cache import CachedMatch
from service.play.matches import Accepted, Matches
from service.play.players import Caller
from service.play.receipts import Receipts

ENCODER = msgspec.json.Encoder()
PLAIN_KEY = re.compile(KEY)


@cache
def decoder(game: AnyGame) -> msgspec.json.Decoder[Any]:
    """Return the decoder of the commands that clients may send to a match of a game."""
    commands: Any = Union[PlayerCommand, game.Command]  # noqa: UP007 - a value
    return msgspec.json.Decoder(commands)


class Commands:
    """Takes commands. One part with all that the most frequent call needs."""

    def __init__(self, access: MatchAccess, matches: Matches, receipts: Receipts) -> None:
        """Find matches for callers, play their commands, and sign receipts."""
        self._access = access
        self._matches = matches
        self._receipts = receipts

    async def send(
        self,
        match: str,
        caller: Caller,
        body: bytes | msgspec.Raw,
        *,
        key: str | None,
        version: int | None,
        code: str | None,
        within: str = "",
    ) -> tuple[Accepted, CachedMatch]:
        """Decode and decide a command, for one version only if one is given; raises `Problem`.

        `within` points to the command in what the client has sent.
        """
        cached = (await self._access.find(match, caller, code, fresh=False)).cached
        commands = decoder(cached.match.game)
        try:
            command = commands.decode(body)
        except UNDECODABLE as error:
            raise undecodable(error, commands.type, body, within) from None
        return await self._matches.play(cached, caller, command, key, version), cached

    async def receipt(self, cached: CachedMatch, caller: Caller, accepted: Accepted) -> str | None:
        """Return the receipt for an accepted command in JSON, or None if there is none now.

        The caller may have left its seat with it, and is then told what a spectator is.
        """
        folded, version = cached.folded, accepted.version
        for viewer in (folded.players.get(caller.player), None):
            known = 0 < version <= folded.number(viewer)
            if known and folded.receipt(viewer, version) == accepted.head:
                return await self._receipts.json(folded, viewer, version)
        return None


class Parts(NamedTuple):
    """What a command over HTTP needs of the service."""

    callers: Callers
    commands: Commands


class Direct:
    """Middleware that calls the handler of a command without Litestar's parameters and answer.

    Commands are most of what a service does, and Litestar spends more on dependencies, parameters
    and the objects of an answer than it takes to decide a command. Routing, limits, errors and the
    document are those of all calls. A call with a query or with a bad key goes Litestar's way.
    """

    def __init__(self, app: ASGIApp) -> None:
        """Wrap the handler; the parts are in the state of the application."""
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Call the handler and send its answer."""
        assert scope["type"] == "http", "the handler is one for HTTP"
        given = dict(reversed([*scope["headers"]]))
        key = _text(given, b"idempotency-key")
        if scope["query_string"] or not (key is None or PLAIN_KEY.search(key)):
            await self._app(scope, receive, send)
            return
        parts: Parts = scope["litestar_app"].state.direct
        answer = await scope["route_handler"].fn(
            request=JsonRequest(scope, receive, send),
            match=scope["path_params"]["match"],
            caller=await parts.callers.caller(scope),
            commands=parts.commands,
            idempotency_key=key,
            if_match=_text(given, b"if-match"),
            prefer=_text(given, b"prefer"),
        )
        await _send(answer, send)


def _text(headers: Mapping[bytes, bytes], name: bytes) -> str | None:
    value = headers.get(name)
    return None if value is None else value.decode("latin-1")


async def _send(answer: Response[Any], send: Send) -> None:
    headers = [
        (name.lower().encode("latin-1"), value.encode("latin-1"))
        for name, value in answer.headers.items()
    ]
    headers.append((b"content-type", JSON.encode()))
    headers.append((b"content-length", str(len(answer.content)).encode()))
    await send({"type": "http.response.start", "status": 200, "headers": headers})
    await send({"type": "http.response.body", "body": answer.content, "more_body": False})


@post(
    "/matches/{match:str}/commands",
    status_code=200,
    tags=["matches"],
    operation_id="sendCommand",
    scope="play",
    middleware=[Direct],
    response_description="The command's record is on disk.",
    response_headers=[ETAG, RECEIPT, PREFERENCE_APPLIED],
    refuses=("malformed", "too-large", "not-a-seat", "not-at-the-table", "stale-version", "rules"),
)
async def send_command(
    request: Request[Any, Any, Any],
    match: FromPath[str],
    caller: NamedDependency[Caller],
    commands: NamedDependency[Commands],
    idempotency_key: Key = None,
    if_match: Annotated[
        str | None,
        HeaderParameter(
            name="If-Match", description="ETag of the only version that the command is meant for."
        ),
    ] = None,
    prefer: Annotated[
        str | None,
        HeaderParameter(
            name="Prefer",
            description=f"`{MINIMAL}` leaves the view out of the answer, `{WITH_RECEIPT}` asks for "
            "a receipt (RFC 7240). Other preferences are ignored.",
        ),
    ] = None,
    join_code: JoinCode = None,
) -> Response[Accepted]:
    """Decide a command, and answer once its record is on disk.

    The body is a command of the game or one that every match has; `type` tells them apart.
    """
    accepted, cached = await commands.send(
        match,
        caller,
        await request.body(),
        key=idempotency_key,
        version=None if if_match in (None, "*") else parse_version(if_match, "If-Match"),
        code=join_code,
    )
    preferences = preferred(prefer)
    minimal = MINIMAL in preferences
    receipt = None
    if WITH_RECEIPT in preferences:
        receipt = await commands.receipt(cached, caller, accepted)
    if minimal:
        accepted = msgspec.structs.replace(accepted, view=msgspec.UNSET)
    headers = {"ETag": f'"{accepted.version}"'} | headers_of(receipt, minimal=minimal)
    return encoded(ENCODER.encode(accepted), **headers)


HANDLERS = (send_command,)
