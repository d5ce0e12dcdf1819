"""Middleware around every call."""

import asyncio
from collections.abc import Sequence

from litestar.enums import ScopeType
from litestar.routes import HTTPRoute
from litestar.types import ASGIApp, Message, Receive, Scope, Send

from service.base import logs, metrics
from service.base.waiting import TimeLimit
from service.http import cors, deprecation, safety
from service.http.body import Body
from service.http.callers import Callers
from service.http.problem_json import message, with_head
from service.http.quotas import fields


class Envelope:
    """Limits the time of a call's body, adds headers to the answer, and counts it."""

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
                if self._origins and b"Origin" not in names.get(b"vary", b""):
                    given.append(cors.VARY)
                given.append((b"x-request-id", request_id.encode()))
                message["headers"] = given
                if self._draining.is_set() and scope["http_version"] == "1.1":
                    given.append((b"connection", b"close"))
                if message["status"] == 413:
                    await body.drain()
            await send(message)

        problem = safety.host_refusal(scope) or cors.preflight_refusal(scope, self._origins)
        if problem is not None:
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
