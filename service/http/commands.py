"""Commands: the one way to change a match."""

import re
from collections.abc import Mapping
from functools import cache
from typing import Annotated, Any, Union

import msgspec
from litestar import Request, Response, post
from litestar.di import NamedDependency
from litestar.params import FromPath, HeaderParameter
from litestar.types import ASGIApp, HTTPScope, Receive, Scope, Send

from games.game import AnyGame
from games.match.commands import PlayerCommand
from service.base.input_errors import UNDECODABLE
from service.base.problems import undecodable
from service.http.access import MatchAccess, parse_version
from service.http.body import JSON, encoded
from service.http.callers import Callers
from service.http.matches import ETAG, KEY, RECEIPT, JoinCode, Key
from service.http.preferences import (
    MINIMAL,
    PREFERENCE_APPLIED,
    WITH_RECEIPT,
    headers_of,
    preferred,
)
from service.http.problem_json import message, problem_of
from service.play.match_cache import CachedMatch
from service.play.matches import Accepted, Matches
from service.play.players import Caller, Need
from service.play.receipts import Receipts

ENCODER = msgspec.json.Encoder()
PLAIN_KEY = re.compile(KEY)
COMMAND_PATH = re.compile(r"/matches/([A-Za-z0-9_-]+)/commands")
SCOPE: Need = "play"
"""The scope that a token needs for commands."""


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
        cached = await self._access.find_whole(match, caller, code)
        commands = decoder(cached.match.game)
        try:
            command = commands.decode(body)
        except UNDECODABLE as error:
            raise undecodable(error, commands.type, body, within) from None
        return await self._matches.play(cached, caller, command, key, version), cached

    async def answer(
        self,
        match: str,
        caller: Caller,
        body: bytes,
        *,
        key: str | None,
        if_match: str | None,
        prefer: str | None,
        code: str | None = None,
    ) -> tuple[bytes, dict[str, str]]:
        """Decide a command; return the body and the headers of its answer. Raises `Problem`."""
        version = None if if_match in (None, "*") else parse_version(if_match, "If-Match")
        accepted, cached = await self.send(match, caller, body, key=key, version=version, code=code)
        preferences = preferred(prefer)
        minimal = MINIMAL in preferences
        receipt = None
        if WITH_RECEIPT in preferences:
            receipt = await self.receipt(cached, caller, accepted)
        if minimal:
            accepted = msgspec.structs.replace(accepted, view=msgspec.UNSET)
        headers = {"ETag": f'"{accepted.version}"'} | headers_of(receipt, minimal=minimal)
        return ENCODER.encode(accepted), headers

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


class Direct:
    """Middleware that answers commands without Litestar.

    Commands are most of what a service does, and Litestar spends more on routing, parameters and
    the objects of a call than it takes to decide a command. Limits, refusals and the document are
    those of all calls. A call that is unusual in any way goes Litestar's way.
    """

    def __init__(
        self,
        app: ASGIApp,
        callers: Callers,
        commands: Commands,
        *,
        body_bytes_max: int,
        cors: bool,
    ) -> None:
        """Wrap an application that has the handler of a command, and `cors` for its answers."""
        self._app = app
        self._callers = callers
        self._commands = commands
        self._body_bytes_max = body_bytes_max
        self._cors = cors

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a command, or call the application."""
        if scope["type"] != "http" or not (found := COMMAND_PATH.fullmatch(scope["path"])):
            await self._app(scope, receive, send)
            return
        given = dict(reversed([*scope["headers"]]))
        key = _text(given, b"idempotency-key")
        if not self._is_usual(scope, given, key):
            await self._app(scope, receive, send)
            return
        try:
            caller = await self._callers.caller(scope, SCOPE)
            body, headers = await self._commands.answer(
                found[1],
                caller,
                await _body(receive),
                key=key,
                if_match=_text(given, b"if-match"),
                prefer=_text(given, b"prefer"),
            )
        except Exception as error:  # noqa: BLE001 - each becomes a problem, as it does elsewhere
            problem = problem_of(error, scope["path"])
            start, end = message(problem, scope["state"]["request_id"])
            await send(start)
            await send(end)
        else:
            await _send(body, headers, send)

    def _is_usual(self, scope: HTTPScope, given: Mapping[bytes, bytes], key: str | None) -> bool:
        """Return whether Litestar would only read the headers and the whole body."""
        length = given.get(b"content-length", b"")
        return (
            scope["method"] == "POST"
            and not scope["query_string"]
            and not (self._cors and b"origin" in given)
            and (key is None or PLAIN_KEY.search(key) is not None)
            and length.isdigit()
            and int(length) <= self._body_bytes_max
        )


def _text(headers: Mapping[bytes, bytes], name: bytes) -> str | None:
    value = headers.get(name)
    return None if value is None else value.decode("latin-1")


async def _body(receive: Receive) -> bytes:
    parts: list[bytes] = []
    more = True
    while more:
        part: Any = await receive()
        parts.append(part.get("body", b""))
        more = part.get("more_body", False)
    return b"".join(parts)


async def _send(body: bytes, headers: Mapping[str, str], send: Send) -> None:
    fields = [
        (name.lower().encode("latin-1"), value.encode("latin-1")) for name, value in headers.items()
    ]
    fields.append((b"content-type", JSON.encode()))
    fields.append((b"content-length", b"%d" % len(body)))
    await send({"type": "http.response.start", "status": 200, "headers": fields})
    await send({"type": "http.response.body", "body": body, "more_body": False})


@post(
    "/matches/{match:str}/commands",
    status_code=200,
    tags=["matches"],
    operation_id="sendCommand",
    scope=SCOPE,
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
    body, headers = await commands.answer(
        match,
        caller,
        await request.body(),
        key=idempotency_key,
        if_match=if_match,
        prefer=prefer,
        code=join_code,
    )
    return encoded(body, **headers)


HANDLERS = (send_command,)
