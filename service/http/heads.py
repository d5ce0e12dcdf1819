"""Answers HEAD wherever GET is answered: with the same headers, and without a body (RFC 9110)."""

from litestar.types import ASGIApp, HTTPReceiveMessage, Message, Receive, Scope, Send

from service.http.body import GONE


def answering_head(app: ASGIApp) -> ASGIApp:
    """Wrap an application, which is asked for a GET instead.

    As soon as the headers are sent, the client counts as gone. So a stream ends at once.
    """

    async def answer(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or scope["method"] != "HEAD":
            await app(scope, receive, send)
            return
        answered = False

        async def received() -> HTTPReceiveMessage:
            message: HTTPReceiveMessage = GONE if answered else await receive()  # type: ignore[assignment]
            return message

        async def headers_only(message: Message) -> None:
            nonlocal answered
            if message["type"] == "http.response.start":
                answered = True
                await send(message)
                await send({"type": "http.response.body", "body": b"", "more_body": False})

        await app({**scope, "method": "GET"}, received, headers_only)  # type: ignore[arg-type]

    return answer
