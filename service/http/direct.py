"""Answers commands without Litestar: one pass over the call in place of its middleware.

Commands are most of what a service does, and Litestar spends more on routing, parameters and the
objects of a call than it takes to decide a command. Limits, refusals, headers and the document are
those of all calls.
"""

import asyncio
import re
from collections.abc import Mapping
from typing import Any, NamedTuple

from litestar.types import ASGIApp, HTTPScope, Receive, Scope, Send

from service.base import logs, metrics
from service.base.settings import Settings
from service.base.waiting import TimeLimit
from service.http import cors, safety
from service.http.body import JSON, Body
from service.http.callers import Callers
from service.http.commands import SCOPE, Commands
from service.http.compression import VARY, chosen, packed
from service.http.matches import KEY
from service.http.problem_json import message, problem_of
from service.http.quotas import Quota, fields
from service.http.shares import Budgets, Payer, charged
from service.play.caller import Caller

PLAIN_KEY = re.compile(KEY)
COMMAND_PATH = re.compile(r"/matches/([A-Za-z0-9_-]+)/commands")

Fields = list[tuple[bytes, bytes]]


class Command(NamedTuple):
    """A call with a command, as its head says."""

    match: str
    caller: Caller
    payer: Payer
    given: Mapping[bytes, bytes]
    """The first header of each name."""
    key: str | None
    quotas: list[Quota]
    """What the caller has left."""


class Direct:
    """Middleware that answers commands by itself.

    A call that is unusual in any way goes the way of all calls: one with a query, without a length,
    with a token that was not used lately, or that must wait.
    """

    def __init__(
        self,
        app: ASGIApp,
        callers: Callers,
        commands: Commands,
        budgets: Budgets,
        settings: Settings,
        draining: asyncio.Event,
    ) -> None:
        """Wrap an application that has the handler of a command.

        Once `draining` is set, the application answers, which closes the connections.
        """
        self._app = app
        self._callers = callers
        self._commands = commands
        self._budgets = budgets
        self._body_bytes_max = settings.body_bytes_max
        self._body_time = TimeLimit(settings.body_s)
        self._origins = settings.origins
        self._proxied = settings.trusted_proxy
        self._draining = draining

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a command, or call the application."""
        if scope["type"] != "http" or (command := self._usual(scope)) is None:
            await self._app(scope, receive, send)
            return
        request = logs.begin_request()
        scope["state"]["request_id"] = request
        try:
            with command.payer.hurry():
                body, headers = await self._accepted(command, scope, receive)
        except Exception as error:  # noqa: BLE001 - each becomes a problem, as it does elsewhere
            start, end = message(problem_of(error, scope["path"]), request)
            headers, status, body = [*start["headers"]], start["status"], end["body"]
        else:
            status = 200
        headers += safety.headers(scope, proxied=self._proxied)
        headers += fields(command.quotas)
        headers += cors.response_headers(command.given.get(b"origin", b""), self._origins)
        headers.append((b"x-request-id", request.encode()))
        metrics.answered(status)
        await send({"type": "http.response.start", "status": status, "headers": headers})
        await send({"type": "http.response.body", "body": body, "more_body": False})

    def _usual(self, scope: HTTPScope) -> Command | None:
        """Return a command that is as most are; None for any other call."""
        if scope["method"] != "POST" or scope["query_string"] or self._draining.is_set():
            return None
        if (found := COMMAND_PATH.fullmatch(scope["path"])) is None:
            return None
        given = dict(reversed([*scope["headers"]]))
        length = given.get(b"content-length", b"")
        if not length.isdigit() or int(length) > self._body_bytes_max:
            return None
        key = _text(given, b"idempotency-key")
        if key is not None and PLAIN_KEY.search(key) is None:
            return None
        caller = self._callers.recognised(given.get(b"authorization", b""))
        if caller is None:
            return None
        payer = self._budgets.payer(lambda: caller.player, command=True)
        return None if payer.wait_s() else Command(found[1], caller, payer, given, key, [])

    async def _accepted(
        self, command: Command, scope: HTTPScope, receive: Receive
    ) -> tuple[bytes, Fields]:
        """Play a command; return the body and headers of its answer. Raises `Problem`."""
        given = command.given
        caller = command.caller
        address = safety.address(scope, given, proxied=self._proxied)
        self._callers.admit(caller, SCOPE, address, command.quotas)
        sent = await command.payer.body(_whole(Body(receive, self._body_time)))
        answering = self._commands.answer(
            command.match,
            caller,
            sent,
            key=command.key,
            if_match=_text(given, b"if-match"),
            prefer=_text(given, b"prefer"),
        )
        body, named = await charged(answering, command.payer)
        headers = [(name.lower().encode(), value.encode()) for name, value in named.items()]
        headers.append((b"content-type", JSON.encode()))
        headers.append(VARY)
        encoding = chosen(given.get(b"accept-encoding", b"").decode("latin-1"))
        if encoding is not None:
            body, more = await packed(body, encoding, personal=True)
            headers += more
        headers.append((b"content-length", b"%d" % len(body)))
        return body, headers


def _text(headers: Mapping[bytes, bytes], name: bytes) -> str | None:
    value = headers.get(name)
    return None if value is None else value.decode("latin-1")


async def _whole(body: Body) -> bytes:
    parts: list[bytes] = []
    more = True
    while more:
        part: Any = await body.receive()
        parts.append(part.get("body", b""))
        more = part.get("more_body", False)
    return b"".join(parts)
