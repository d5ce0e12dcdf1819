"""Answers HEAD wherever GET is answered: with the same headers, and without a body (RFC 9110)."""

from collections.abc import Awaitable
from typing import Any

from litestar.response import ServerSentEvent
from litestar.types import ASGIApp, HTTPScope, Message, Receive, Scope, Send

from service.base.problems import Problem
from service.http.body import AnyRequest


def answering_head(app: ASGIApp) -> ASGIApp:
    """Wrap an application, which is asked for a GET instead."""

    def answer(scope: Scope, receive: Receive, send: Send) -> Awaitable[None]:
        if scope["type"] == "http" and scope["method"] == "HEAD":
            return _headers_only(app, scope, receive, send)
        return app(scope, receive, send)

    return answer


async def _headers_only(app: ASGIApp, scope: HTTPScope, receive: Receive, send: Send) -> None:
    async def send_headers(message: Message) -> None:
        if message["type"] == "http.response.start":
            await send(message)
            await send({"type": "http.response.body", "body": b"", "more_body": False})

    got: Any = {**scope, "method": "GET", "state": {**scope["state"], "head": True}}
    await app(got, receive, send_headers)


def refuse_head_of_stream(request: AnyRequest) -> None:
    """Raise `Problem` 405 for HEAD of a stream, which would count as open."""
    returned = request.scope["route_handler"].parsed_fn_signature.return_type.annotation
    if request.scope["state"].get("head") and returned is ServerSentEvent:
        detail = "A stream has no HEAD. Expected `GET`, got HEAD."
        raise Problem(405, "method-not-allowed", detail, allow="GET, OPTIONS")
