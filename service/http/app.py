"""Build the HTTP application."""

from collections.abc import Awaitable, Callable
from typing import Any

from litestar import Litestar
from litestar.types import ASGIApp
from prometheus_client import REGISTRY, CollectorRegistry

from service.base.traces import tracing
from service.http import cards, cors, play_socket, problem_pages, web
from service.http.body import AnyRequest, JsonRequest, check_query
from service.http.callers import Callers, counts_of
from service.http.calls import CALLS
from service.http.commands import Commands
from service.http.compression import Compression
from service.http.direct import Direct
from service.http.envelope import Envelope
from service.http.heads import answering_head, refuse_head_of_stream
from service.http.openapi import pages
from service.http.parts import CALLER_PARTS, PARTS, PUBLIC_PARTS, dependencies, provided
from service.http.play_connection import Parts
from service.http.play_socket import Sockets
from service.http.problem_json import HANDLERS
from service.http.shares import Budgets, Shares
from service.process.context import Context


def _check(callers: Callers) -> Callable[[AnyRequest], Awaitable[None]]:
    """Return a check of what Litestar does not check, and does not count, before a handler runs."""

    async def check(request: AnyRequest) -> None:  # a synchronous one would run in a thread
        match counts_of(request.route_handler):
            case "calls":
                callers.count_address(request.scope)
            case "sign-ins":
                callers.count_sign_in(request.scope)
            case None:
                pass
        refuse_head_of_stream(request)
        check_query(request)

    return check


def build(context: Context, registry: CollectorRegistry = REGISTRY) -> Litestar:
    """Build the application on the parts of a process and the metrics that it shows."""
    public = {name: part(context) for name, part in PUBLIC_PARTS.items()}
    first = {name: part(context) for name, part in CALLER_PARTS.items()}
    parts: dict[str, Any] = {name: part(context) for name, part in PARTS.items()}
    parts["registry"] = registry
    settings = context.settings
    budgets = Budgets(settings.work_ms)
    public["sockets"] = Sockets(
        Parts(
            first["access"],
            public["callers"],
            first["commands"],
            parts["streams"],
            parts["notices"],
            budgets,
        ),
        context.closing,
        frame_bytes_max=settings.body_bytes_max,
        origins=settings.origins,
        proxied=settings.trusted_proxy,
    )
    app = Litestar(
        route_handlers=provided(
            (
                *CALLS,
                *play_socket.HANDLERS,
                *problem_pages.HANDLERS,
                *pages.handlers(pages.made_apart),
                pages.scripts(),
                *cards.PAGES,
                *web.handlers(web.DIST),
            ),
            dependencies(public, first, parts),
        ),
        exception_handlers={**HANDLERS, **web.lost(web.DIST)},
        cors_config=cors.config(settings.origins),
        request_class=JsonRequest,
        before_request=_check(public["callers"]),
        request_max_body_size=context.settings.body_bytes_max,
        openapi_config=None,
        logging_config=None,
        plugins=[tracing()] if context.settings.traces_url else [],
    )
    app.state.sockets = public["sockets"]
    app.asgi_handler = _wrapped(
        app.asgi_handler, context, public["callers"], first["commands"], budgets
    )
    return app


def _wrapped(
    app: ASGIApp, context: Context, callers: Callers, commands: Commands, budgets: Budgets
) -> ASGIApp:
    """Wrap an application in the middleware, the innermost first."""
    settings = context.settings
    app = Compression(app)
    app = Shares(app, budgets, proxied=settings.trusted_proxy, origins=settings.origins)
    app = Envelope(
        app,
        callers,
        proxied=settings.trusted_proxy,
        origins=settings.origins,
        body_s=settings.body_s,
        draining=context.draining,
    )
    if not settings.traces_url:
        app = Direct(app, callers, commands, budgets, settings, context.draining)
    return answering_head(app)
