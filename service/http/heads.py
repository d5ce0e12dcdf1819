"""Answers HEAD wherever GET is answered: with the same headers, and without a body (RFC 9110)."""

from collections.abc import Awaitable

from litestar.types import (
    ASGIApp,
    HTTPReceiveMessage,
    HTTPScope,
    Message,
    Receive,
    Scope,
    Send,
)

from service.http.body import GONE


def answering_head(app: ASGIApp) -> ASGIApp:
    """Wrap an application, which is asked for a GET instead."""

    def answer(scope: Scope, receive: Receive, send: Send) -> Awaitable[None]:
        if scope["type"] == "http" and scope["method"] == "HEAD":
            return _headers_only(app, scope, receive, send)
        return app(scope, receive, send)

    return answer


async def _headers_only(app: ASGIApp, scope: HTTPScope, receive: Receive, send: Send) -> None:
    """Answer with the headers. Then the client counts as gone, so a stream ends at once."""
    answered = False

    async def received() -> HTTPReceiveMessage:
        message: HTTPReceiveMessage = GONE if answered else await receive()  # type: ignore[assignment]
        return message

    async def send_headers(message: Message) -> None:
        nonlocal answered
        if message["type"] == "http.response.start":
            answered = True
            await send(message)
            await send({"type": "http.response.body", "body": b"", "more_body": False})

    await app({**scope, "method": "GET"}, received, send_headers)  # type: ignore[arg-type]
