"""Build the HTTP application."""

import asyncio
from collections.abc import Callable, Iterable, Mapping, Sequence
from copy import copy
from inspect import signature
from typing import Any

import msgspec
from litestar import Litestar, Request
from litestar.di import NamedDependency, Provide
from litestar.enums import ScopeType
from litestar.handlers import BaseRouteHandler
from litestar.routes import HTTPRoute
from litestar.types import ASGIApp, ControllerRouterHandler, Message, Receive, Scope, Send
from prometheus_client import REGISTRY, CollectorRegistry

from projections.profiles import Profiles
from replay.coach import coaches_of
from replay.puzzle import puzzles_of
from replay.tutorial import tutorials_of
from service.base import logs, metrics
from service.base.traces import tracing
from service.base.waiting import TimeLimit
from service.http import (
    account,
    analysis,
    audience,
    blocks,
    bots,
    branches,
    cards,
    checkpoints,
    coaches,
    commands,
    comments,
    cors,
    deprecation,
    games,
    health,
    hints,
    identities,
    invitations,
    jobs,
    live,
    lobby,
    mail,
    matches,
    own_data,
    play_socket,
    player_stream,
    players,
    problem_pages,
    profiles,
    push,
    puzzles,
    rematches,
    safety,
    seeks,
    showings,
    sign_ins,
    talk,
    tokens,
    transfer,
    travel,
    tutorials,
    web,
    webhooks,
)
from service.http.access import MatchAccess
from service.http.body import Body, JsonRequest, check_query
from service.http.callers import Callers, scope_of
from service.http.cards import MatchCards
from service.http.checkpoints import Checkpoints
from service.http.commands import Commands
from service.http.compression import Compression
from service.http.direct import Direct
from service.http.heads import answering_head, refuse_head_of_stream
from service.http.health import Readiness
from service.http.live import Streams
from service.http.matches import MatchViews
from service.http.openapi import asyncapi, pages
from service.http.openapi.document import complete
from service.http.play_connection import Parts
from service.http.play_socket import Sockets
from service.http.problem_json import HANDLERS, message, with_head
from service.http.quotas import fields
from service.http.shares import Budgets, Shares
from service.http.sites import Sites
from service.http.transfer import Exports, Uploads
from service.play.app_tokens import AppTokens
from service.play.best_moments import BestMoments
from service.play.bot_accounts import BotAccounts
from service.play.caller import Caller
from service.play.devices import Devices
from service.play.featured import Featured
from service.play.identities import Identities
from service.play.identity_provider import Client, IdentityProvider
from service.play.listings import Listings
from service.play.move_codes import MoveCodes
from service.play.open_matches import OpenMatches
from service.play.passkeys import Passkeys
from service.play.recovery_codes import RecoveryCodes
from service.process.context import Context

AnyRequest = Request[Any, Any, Any]

CALLS = (
    *games.HANDLERS,
    *tutorials.HANDLERS,
    *coaches.HANDLERS,
    *puzzles.HANDLERS,
    *players.HANDLERS,
    *account.HANDLERS,
    *sign_ins.HANDLERS,
    *identities.HANDLERS,
    *mail.HANDLERS,
    *blocks.HANDLERS,
    *own_data.HANDLERS,
    *player_stream.HANDLERS,
    *webhooks.HANDLERS,
    *push.HANDLERS,
    *tokens.HANDLERS,
    *bots.HANDLERS,
    *matches.HANDLERS,
    *cards.HANDLERS,
    *commands.HANDLERS,
    *live.HANDLERS,
    *talk.HANDLERS,
    *audience.HANDLERS,
    *comments.HANDLERS,
    *showings.HANDLERS,
    *travel.HANDLERS,
    *transfer.HANDLERS,
    *lobby.HANDLERS,
    *profiles.HANDLERS,
    *invitations.HANDLERS,
    *seeks.HANDLERS,
    *rematches.HANDLERS,
    *branches.HANDLERS,
    *analysis.HANDLERS,
    *hints.HANDLERS,
    *jobs.HANDLERS,
    *checkpoints.HANDLERS,
    *health.HANDLERS,
)
"""The API."""


class Envelope:
    """Middleware around every call: limits the time of its body, adds headers, and counts it."""

    def __init__(
        self,
        app: ASGIApp,
        callers: Callers,
        *,
        proxied: bool,
        origins: Sequence[str],
        body_s: float,
        draining: asyncio.Event,
    ) -> None:
        """Wrap an application; `proxied` trusts the proxy's X-Forwarded-Proto.

        Once `draining` is set, connections close after the next answer.
        """
        self._draining = draining
        self._app = app
        self._callers = callers
        self._proxied = proxied
        self._origins = origins
        self._body_time = TimeLimit(body_s)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Assign an id to the request, and add headers to the response."""
        if scope["type"] != ScopeType.HTTP:
            await self._app(scope, receive, send)
            return
        request_id = logs.begin_request()
        scope["state"]["request_id"] = request_id
        body = Body(receive, self._body_time)

        async def completed(message: Message) -> None:
            if message["type"] == "http.response.start":
                metrics.answered(message["status"])
                body.answered = True
                given = list(message["headers"])
                if scope["method"] == "OPTIONS" and (methods := self._methods(scope)):
                    given = [(name, methods if name == b"allow" else old) for name, old in given]
                names = dict(given)
                safe = safety.headers(scope, proxied=self._proxied)
                given += [header for header in safe if header[0] not in names]
                given += deprecation.headers(scope)
                if b"ratelimit" not in names:
                    given += fields(self._callers.quotas(scope))
                given.append((b"x-request-id", request_id.encode()))
                message["headers"] = given
                if self._draining.is_set() and scope["http_version"] == "1.1":
                    given.append((b"connection", b"close"))
                if message["status"] == 413:
                    await body.drain()
            await send(message)

        if (problem := cors.preflight_refusal(scope, self._origins)) is not None:
            for answer in message(problem, request_id):
                await completed(answer)
            return
        await self._app(scope, body.receive, completed)

    def _methods(self, scope: Scope) -> bytes:
        """Return all methods of the address. Litestar's answer knows those of one handler only."""
        path = scope.get("path_template")
        if path is None:  # Litestar has not seen the request
            return b""
        for route in scope["litestar_app"].routes:
            if isinstance(route, HTTPRoute) and route.path_format == path:
                return ", ".join(with_head(route.methods)).encode()
        return b""


class PartProvider(Provide):
    """Provides a part, and equals only itself.

    Litestar compares the providers of each handler with each other at the start. That takes long if
    their fields are compared.
    """

    def __eq__(self, other: object) -> bool:
        """Return whether the other is this provider."""
        return self is other

    def __hash__(self) -> int:
        """Return the hash of its identity."""
        return id(self)


Part = Callable[[Context], Any]


def _access(context: Context) -> MatchAccess:
    return MatchAccess(context.cache, context.keys, context.invitations)


def _identities(context: Context) -> Identities:
    settings = context.settings
    provider = None
    if settings.oidc_issuer:
        client = Client(
            settings.oidc_issuer,
            settings.oidc_client_id,
            settings.oidc_secret,
            settings.oidc_shown,
        )
        provider = IdentityProvider(client, settings.reachable, context.work)
    return Identities(context.players, context.admission, provider)


PUBLIC_PARTS: dict[str, Part] = {
    "admission": lambda context: context.admission,
    "match_cards": lambda context: MatchCards(_access(context), context.players, context.offered),
    "callers": lambda context: Callers(context.settings, context.players, context.matches.quota),
    "checkpoints": lambda context: Checkpoints(context.published),
    "coached": lambda context: coaches_of(context.offered),
    "devices": lambda context: Devices(context.players, context.notices),
    "identities": _identities,
    "keys": lambda context: context.keys,
    "mailboxes": lambda context: context.mailboxes,
    "move_codes": lambda context: MoveCodes(context.work, context.keys),
    "offered": lambda context: context.offered,
    "passkeys": lambda context: Passkeys(
        context.players, context.keys, context.work, context.settings.public_url
    ),
    "posed": lambda context: puzzles_of(context.offered),
    "readiness": lambda context: Readiness(
        context.store, context.work, context.admission, context.weaknesses, context.draining
    ),
    "recovery_codes": lambda context: RecoveryCodes(context.players, context.keys, context.work),
    "sites": lambda context: Sites(context.settings),
    "taught": lambda context: tutorials_of(context.offered),
}
"""Parts for calls without a token, by the name under which handlers ask for them."""
CALLER_PARTS: dict[str, Part] = {
    "access": _access,
    "commands": lambda context: Commands(_access(context), context.matches, context.receipts),
}
"""Parts for calls with a token, resolved after the caller."""
PARTS: dict[str, Part] = {
    "analyses": lambda context: context.analyses,
    "audience": lambda context: context.audience,
    "best_moments": lambda context: BestMoments(context.work, context.players),
    "app_tokens": lambda context: AppTokens(context.players),
    "bot_accounts": lambda context: BotAccounts(context.players, context.settings.bots_max),
    "blocks": lambda context: context.blocks,
    "cache": lambda context: context.cache,
    "comments": lambda context: context.comments,
    "erasure": lambda context: context.erasure,
    "exports": lambda context: Exports(
        context.readers, context.store, context.keys, context.settings
    ),
    "featured": lambda context: Featured(context.work),
    "invitations": lambda context: context.invitations,
    "jobs": lambda context: context.jobs,
    "listings": lambda context: Listings(context.work),
    "matches": lambda context: context.matches,
    "notices": lambda context: context.notices,
    "open_matches": lambda context: OpenMatches(context.work, context.keys, context.settings),
    "own_data": lambda context: context.own_data,
    "players": lambda context: context.players,
    "readers": lambda context: context.readers,
    "receipts": lambda context: context.receipts,
    "rematches": lambda context: context.rematches,
    "seeks": lambda context: context.seeks,
    "series": lambda context: context.series,
    "showings": lambda context: context.showings,
    "streams": lambda context: Streams(
        context.cache,
        context.players,
        context.receipts,
        context.closing,
        context.settings.streams_max,
    ),
    "talk": lambda context: context.talk,
    "uploads": lambda context: Uploads(
        context.readers, context.keys.ring, context.settings.upload_bytes_max
    ),
    "webhooks": lambda context: context.webhooks,
    "profiles": lambda context: Profiles(context.work),
    "push": lambda context: context.push,
    "views": lambda context: MatchViews(context.readers, context.players),
}
"""Parts for calls with a token, resolved after the access to matches."""


CHAIN = frozenset(("caller", "access"))
"""What the providers of other parts ask for."""


async def _check(request: AnyRequest) -> None:
    """Check what Litestar does not check. It would call a synchronous hook in a thread."""
    refuse_head_of_stream(request)
    check_query(request)


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
        route_handlers=_provided(
            (
                *CALLS,
                *play_socket.HANDLERS,
                *problem_pages.HANDLERS,
                *pages.handlers(pages.made_apart),
                pages.scripts(),
                *cards.PAGES,
                *web.handlers(web.DIST),
            ),
            _dependencies(public, first, parts),
        ),
        exception_handlers={**HANDLERS, **web.lost(web.DIST)},
        cors_config=cors.config(settings.origins),
        request_class=JsonRequest,
        before_request=_check,
        request_max_body_size=context.settings.body_bytes_max,
        openapi_config=None,
        logging_config=None,
        plugins=[tracing()] if context.settings.traces_url else [],
    )
    shared = Shares(
        Compression(app.asgi_handler),
        budgets,
        proxied=settings.trusted_proxy,
        origins=settings.origins,
    )
    app.state.sockets = public["sockets"]
    app.asgi_handler = Envelope(
        shared,
        public["callers"],
        proxied=settings.trusted_proxy,
        origins=settings.origins,
        body_s=settings.body_s,
        draining=context.draining,
    )
    if not settings.traces_url:
        app.asgi_handler = Direct(
            app.asgi_handler,
            public["callers"],
            first["commands"],
            budgets,
            settings,
            context.draining,
        )
    app.asgi_handler = answering_head(app.asgi_handler)
    return app


def _dependencies(
    public: Mapping[str, Any], first: Mapping[str, Any], parts: Mapping[str, Any]
) -> dict[str, Provide]:
    """Provide the caller, then the access to matches, then the other part that a handler needs.

    Litestar resolves independent dependencies in a task group, which costs more than the whole
    chain. So each provider asks for the one before.
    """

    async def caller(request: AnyRequest) -> Caller:
        return await public["callers"].caller(
            request.scope, scope_of(request.scope["route_handler"])
        )

    def always(part: Any) -> PartProvider:
        return PartProvider(lambda: part, sync_to_thread=False)

    def after_caller(part: Any) -> PartProvider:
        def provide(caller: NamedDependency[Caller]) -> Any:
            return part

        return PartProvider(provide, sync_to_thread=False)

    def after_access(part: Any) -> PartProvider:
        def provide(access: NamedDependency[MatchAccess]) -> Any:
            return part

        return PartProvider(provide, sync_to_thread=False)

    return {
        **{name: always(part) for name, part in public.items()},
        "caller": PartProvider(caller),
        **{name: after_caller(part) for name, part in first.items()},
        **{name: after_access(part) for name, part in parts.items()},
    }


def _provided(
    handlers: Iterable[Any], dependencies: Mapping[str, Provide]
) -> list[ControllerRouterHandler]:
    """Return handlers with the dependencies that they ask for.

    Litestar examines those of the whole application for each handler, which takes long.
    """
    return [_with(handler, dependencies) for handler in handlers]


def _with(handler: Any, dependencies: Mapping[str, Provide]) -> ControllerRouterHandler:
    if not isinstance(handler, BaseRouteHandler):
        return handler
    own = copy(handler)
    asked = signature(handler.fn).parameters.keys() & dependencies.keys()
    own.dependencies = {name: dependencies[name] for name in sorted(asked | CHAIN)}
    return own


def document() -> dict[str, Any]:
    """Return the OpenAPI document, without a running service."""
    dependencies = _dependencies(
        dict.fromkeys(PUBLIC_PARTS),
        dict.fromkeys(CALLER_PARTS),
        dict.fromkeys((*PARTS, "registry")),
    )
    described = Litestar(
        route_handlers=_provided(CALLS, dependencies),
        openapi_config=pages.openapi_config(),
        logging_config=None,
    )
    return complete(described.openapi_schema.to_schema(), CALLS)


def encoded_document() -> bytes:
    """Return the OpenAPI document in JSON."""
    return msgspec.json.encode(document())


def _encoded_asyncapi() -> bytes:
    return msgspec.json.encode(asyncapi.document(CALLS))


DOCUMENTS: Mapping[str, Callable[[], bytes]] = {
    pages.OPENAPI: encoded_document,
    pages.ASYNCAPI: _encoded_asyncapi,
}
"""What makes the documents of the API, by address."""
