"""Build the HTTP application."""

import secrets
from typing import Any

import structlog
from litestar import Litestar, Request
from litestar.di import NamedDependency, Provide
from litestar.enums import ScopeType
from litestar.types import ASGIApp, Message, Receive, Scope, Send
from prometheus_client import REGISTRY, CollectorRegistry

from service.base import metrics
from service.base.traces import tracing
from service.http import (
    analysis,
    branches,
    commands,
    games,
    health,
    hints,
    jobs,
    live,
    lobby,
    matches,
    players,
    safety,
    talk,
    transfer,
    travel,
    web,
)
from service.http.callers import Callers
from service.http.openapi import complete, openapi_config, scripts
from service.http.problem_json import HANDLERS
from service.play.players import Caller
from service.process.context import Context

DRAINED_BYTES_MAX = 8 * 1024 * 1024

AnyRequest = Request[Any, Any, Any]

CALLS = (
    *games.HANDLERS,
    *players.HANDLERS,
    *matches.HANDLERS,
    *commands.HANDLERS,
    *live.HANDLERS,
    *talk.HANDLERS,
    *travel.HANDLERS,
    *transfer.HANDLERS,
    *lobby.HANDLERS,
    *branches.HANDLERS,
    *analysis.HANDLERS,
    *hints.HANDLERS,
    *jobs.HANDLERS,
    *health.HANDLERS,
)
"""The API."""


class Envelope:
    """What every answer comes in, whoever makes it: the call's id, the safe headers, and its place in the figures."""

    def __init__(self, app: ASGIApp, *, proxied: bool) -> None:
        """Wrap an application; `proxied` is whether a proxy's word on TLS counts."""
        self._app = app
        self._proxied = proxied

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Name the call, and complete the head of its answer."""
        if scope["type"] != ScopeType.HTTP:
            await self._app(scope, receive, send)
            return
        request_id = secrets.token_hex(8)
        scope["state"]["request_id"] = request_id
        structlog.contextvars.bind_contextvars(request=request_id)

        async def completed(message: Message) -> None:
            if message["type"] == "http.response.start":
                metrics.answered(message["status"])
                given = list(message["headers"])
                names = {name.lower() for name, _ in given}
                safe = safety.headers(scope, proxied=self._proxied)
                given += [header for header in safe if header[0] not in names]
                message["headers"] = [*given, (b"x-request-id", request_id.encode())]
                if message["status"] == 413:
                    await drain(receive)
            await send(message)

        await self._app(scope, receive, completed)


async def drain(receive: Receive) -> None:
    """Take in a body that was refused unread, within reason: or the client may see a cut line, not our answer."""
    left = DRAINED_BYTES_MAX
    while left > 0:
        message = await receive()
        left -= len(message.get("body", b""))
        if message["type"] != "http.request" or not message.get("more_body"):
            return


async def give_caller(request: AnyRequest, callers: NamedDependency[Callers]) -> Caller:
    """Give handlers the caller; raises `Problem` 401, 429."""
    return await callers.caller(request)


def build(context: Context, figures: CollectorRegistry = REGISTRY) -> Litestar:
    """Build the application on what a process works with, and the figures that it shows."""
    judge = Callers(context)

    # It asks for the context, though it has no use for it: what is independent, Litestar resolves in a task group,
    # which costs more than both together.
    def give_callers(context: NamedDependency[Context]) -> Callers:
        return judge

    app = Litestar(
        route_handlers=[*CALLS, scripts(), *web.handlers(web.DIST)],
        dependencies={
            "context": Provide(lambda: context, sync_to_thread=False),
            "callers": Provide(give_callers, sync_to_thread=False),
            "caller": Provide(give_caller),
            "figures": Provide(lambda: figures, sync_to_thread=False),
        },
        exception_handlers=HANDLERS,
        cors_config=safety.cors(context.settings.origins),
        request_max_body_size=context.settings.body_bytes_max,
        openapi_config=openapi_config(),
        logging_config=None,
        plugins=[tracing()] if context.settings.traces_url else [],
    )
    app.asgi_handler = Envelope(app.asgi_handler, proxied=context.settings.trusted_proxy)
    return app


def document() -> dict[str, Any]:
    """Give the OpenAPI document without a service to run."""
    described = Litestar(
        route_handlers=CALLS,
        dependencies={
            name: Provide(lambda: None, sync_to_thread=False)
            for name in ("context", "callers", "caller", "figures")
        },
        openapi_config=openapi_config(),
        logging_config=None,
    )
    return complete(described.openapi_schema.to_schema())
