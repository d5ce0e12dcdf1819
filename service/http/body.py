"""Bodies: of requests, within a time limit, and of responses that are encoded already."""

import asyncio
import hashlib
from functools import cache, lru_cache
from typing import Any

import msgspec
from litestar import Request, Response
from litestar.handlers import HTTPRouteHandler
from litestar.params import QueryParameter
from litestar.types import HTTPReceiveMessage, Receive

from service.base.decoding import plain
from service.base.input_errors import InputError, input_error, listed
from service.base.problems import invalid, malformed, too_slow
from service.base.waiting import TimeLimit
from service.http.access import is_known

AnyRequest = Request[Any, Any, Any]
JSON = "application/json"
ETAG_CHARS = 16
TAGS_MAX = 32
DRAINED_BYTES_MAX = 8 * 1024 * 1024
GONE: HTTPReceiveMessage = {"type": "http.disconnect"}


OPTIONAL = frozenset(("after", "at", "status", "table"))
"""Query parameters that the framework would take for absent if their text is `null`."""


def check_query(request: AnyRequest) -> None:
    """Refuse query parameters that a call does not have, or has only once; raises `Problem` 400.

    Pages ignore unknown parameters, which other sites add to their links.
    """
    handler: HTTPRouteHandler = request.scope["route_handler"]  # type: ignore[assignment]
    if not request.scope["query_string"] or not handler.resolve_include_in_schema():
        return
    known = _query_names(handler)
    errors: list[InputError] = []
    for name, values in request.query_params.dict().items():
        if name not in known:
            unknown = f"Unknown query parameter, expected {listed(known) or 'none'}"
            errors.append(InputError(unknown, parameter=name))
        elif len(values) > 1:
            errors.append(InputError("Given more than once", parameter=name))
        elif name in OPTIONAL and values[0].lower() == "null":
            errors.append(InputError("Cannot be null: leave it out", parameter=name))
    if errors:
        raise invalid(*errors)


@cache
def _query_names(handler: HTTPRouteHandler) -> list[str]:
    """Return the query parameters of a call, in order."""
    return sorted(
        parameter.kwarg_definition.name or parameter.name
        for parameter in handler.parsed_fn_signature.parameters.values()
        if isinstance(parameter.kwarg_definition, QueryParameter)
    )


def encoded(body: bytes, **headers: str) -> Response[Any]:
    """Return a response whose body is JSON already."""
    return Response(body, media_type=JSON, headers=headers)


def tagged(request: AnyRequest, content: bytes, media_type: str) -> Response[bytes]:
    """Return content with an ETag, or 304 if the client has it already."""
    headers = {"ETag": _tag(content), "Cache-Control": "no-cache"}
    if is_known(headers["ETag"], request.headers.get("If-None-Match")):
        return Response(b"", status_code=304, headers=headers)
    return Response(content, media_type=media_type, headers=headers)


@lru_cache(TAGS_MAX)
def _tag(content: bytes) -> str:
    """Return the ETag of content. The API's document has a megabyte and a half, and is kept."""
    return f'"{hashlib.sha256(content).hexdigest()[:ETAG_CHARS]}"'


class JsonRequest(AnyRequest):
    """A request whose body is decoded strictly: the text `"2"` is not a number.

    Litestar converts texts in a body as it does in a query.
    """

    async def json(self) -> Any:
        """Return the body as the type that the handler takes; raises `Problem` 400 if not JSON.

        If the body has another type, return the error. It is refused as an argument of the handler,
        after the caller's rights have been checked.
        """
        value = plain(await self.body() or b"null")
        kind = self.route_handler.parsed_fn_signature.parameters["data"].annotation
        try:
            return msgspec.convert(value, kind, str_keys=True)
        except msgspec.ValidationError as error:
            self.scope["state"]["misfit"] = input_error(str(error), kind, value)
            return error


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
