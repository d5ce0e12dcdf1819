"""Bodies: of requests, within a time limit, and of responses that are encoded already."""

import asyncio
from typing import Any

from litestar import Request, Response
from litestar.types import HTTPReceiveMessage, Receive

from service.base.problems import malformed, too_slow
from service.base.waiting import TimeLimit

JSON = "application/json"
DRAINED_BYTES_MAX = 8 * 1024 * 1024
GONE: HTTPReceiveMessage = {"type": "http.disconnect"}


OPTIONAL = frozenset(("after", "at", "status", "table"))
"""Query parameters that the framework would take for absent if their text is `null`."""


async def refuse_null(request: Request[Any, Any, Any]) -> None:
    """Refuse the text `null` as a value of a query parameter; raises `Problem` 400.

    Litestar would call a synchronous hook in a thread, which costs more than most calls.
    """
    for name, value in request.query_params.multi_items():
        if name in OPTIONAL and value.lower() == "null":
            raise malformed(f"Query parameter `{name}` cannot be null. Leave it out.").at(
                parameter=name
            )


def encoded(body: bytes, **headers: str) -> Response[Any]:
    """Return a response whose body is JSON already."""
    return Response(body, media_type=JSON, headers=headers)


class JsonRequest(Request[Any, Any, Any]):
    """A request whose body is refused if it is not JSON."""

    async def json(self) -> Any:
        """Decode the body, and keep it for an error that names a place; raises `Problem` 400."""
        try:
            value = await super().json()
        except (RecursionError, UnicodeDecodeError) as error:
            raise malformed(str(error)).at(pointer="") from None
        self.scope["state"]["json"] = value
        return value


class Body:
    """Receives the messages of a request, the body within a time limit."""

    def __init__(self, receive: Receive, limit: TimeLimit) -> None:
        """Start the clock."""
        self._receive = receive
        self._limit = limit
        self._deadline = asyncio.get_running_loop().time() + limit.seconds
        self._complete = False
        self.answered = False
        """Whether the response has begun. A client that is too slow then counts as gone."""

    async def receive(self) -> HTTPReceiveMessage:
        """Return the next message; raises `Problem` 400, 408 unless the response has begun."""
        message: Any
        if self._complete:
            message = await self._receive()
            return message
        try:
            message = await self._limit.until(self._deadline, self._receive())
        except TimeoutError:
            if not self.answered:
                raise too_slow(self._limit.seconds) from None
            message = GONE
        if message["type"] == "http.disconnect" and not self.answered:
            raise malformed("The connection was closed before the body was complete.")
        self._complete = not message.get("more_body")
        return message

    async def drain(self) -> None:
        """Read the rest of a refused body, up to a limit, so that the client sees the response.

        Otherwise it may see a broken connection instead.
        """
        left = DRAINED_BYTES_MAX
        while left > 0 and not self._complete:
            left -= len((await self.receive()).get("body", b""))
