"""Convert every exception to an RFC 9457 `application/problem+json` response.

Litestar's problem-details plugin does not fit: its converters do not see the request, whose id is
in every response and every log line about a bug, and it writes the members in another order.
"""

import re
from collections.abc import Iterable
from typing import Any

import msgspec
import structlog
from litestar import Response
from litestar.exceptions import HTTPException, SerializationException
from litestar.handlers import HTTPRouteHandler
from litestar.params import ParameterKwarg
from litestar.types import ExceptionHandlersMap, HTTPResponseBodyEvent, HTTPResponseStartEvent

from events.store import Unavailable
from service.base.input_errors import InputError, input_error, listed
from service.base.problems import Problem, invalid, log_unavailable, too_large
from service.http.body import AnyRequest

log = structlog.get_logger("shiplog")

MEDIA_TYPE = "application/problem+json"
MISSING = re.compile("Missing required (?P<kind>[a-z]+) parameter '(?P<name>[^']+)'")
"""How the framework says that a parameter is missing."""
NO_BODY = "'data'"
"""How the framework says that there is no body."""
CODES = {
    400: "malformed",
    401: "unauthenticated",
    403: "forbidden",
    404: "not-found",
    405: "method-not-allowed",
    415: "malformed",
    429: "rate-limited",
}


class ProblemBody(msgspec.Struct, omit_defaults=True):
    """The members that every problem has. The details of a rule are further members."""

    type: str
    title: str
    status: int
    detail: str
    code: str
    instance: str = ""
    """The id of the request. Quote it when you ask for help."""
    errors: list[InputError] = []
    """The places of the request that are wrong; absent if none is known."""


TITLES = {
    400: "Malformed",
    401: "Unauthenticated",
    403: "Forbidden",
    404: "Not found",
    405: "Method not allowed",
    408: "Timed out",
    409: "Conflict",
    412: "Stale version",
    413: "Too large",
    422: "Rule violation",
    429: "Too many requests",
    500: "Our fault",
    503: "Unavailable",
}


def answer(request: AnyRequest, problem: Problem) -> Response[Any]:
    """Build the response for a problem."""
    return Response(
        members(problem, request.scope.get("state", {}).get("request_id", "")),
        status_code=problem.status,
        media_type=MEDIA_TYPE,
        headers=_headers(problem),
    )


def message(
    problem: Problem, request_id: str
) -> tuple[HTTPResponseStartEvent, HTTPResponseBodyEvent]:
    """Build the ASGI messages for a problem, for middleware that answers by itself."""
    body = msgspec.json.encode(members(problem, request_id))
    headers = {"Content-Type": MEDIA_TYPE, "Content-Length": str(len(body)), **_headers(problem)}
    return (
        {
            "type": "http.response.start",
            "status": problem.status,
            "headers": [(name.lower().encode(), value.encode()) for name, value in headers.items()],
        },
        {"type": "http.response.body", "body": body, "more_body": False},
    )


def members(problem: Problem, request_id: str) -> dict[str, Any]:
    """Return the members of a problem, for the request with an id."""
    body = ProblemBody(
        type=f"/problems/{problem.code}",
        title=TITLES.get(problem.status, "Problem"),
        status=problem.status,
        detail=problem.detail,
        code=problem.code,
        instance=request_id,
        errors=list(problem.errors),
    )
    reserved = {*ProblemBody.__struct_fields__, "allow"}
    extra = {name: value for name, value in problem.extra.items() if name not in reserved}
    return {**msgspec.to_builtins(body), **extra}


def _headers(problem: Problem) -> dict[str, str]:
    headers: dict[str, str] = {}
    if (wait := problem.extra.get("retry_after")) is not None:
        headers["Retry-After"] = str(wait)
    if problem.status == 401:
        headers["WWW-Authenticate"] = "Bearer"
    if "allow" in problem.extra:
        headers["Allow"] = problem.extra["allow"]
    return headers


def framework_error(request: AnyRequest, error: HTTPException) -> Response[Any]:
    """Convert an error of the framework."""
    status = error.status_code
    if status >= 500:
        return _own_error(request, error)
    if status == 400 and (errors := _errors(request, error)):
        return answer(request, invalid(*errors))
    detail = str(error.detail) or TITLES.get(status, "Problem")
    extra: dict[str, Any] = {}
    if status == 405 and error.headers:
        methods = with_head(filter(str.isupper, error.headers["allow"].split(", ")))
        extra["allow"] = ", ".join(methods)
        detail = f"Expected {listed(methods) or 'a WebSocket'}, got {request.method}."
    if status == 404:
        detail = "No such address. `/schema` describes the API."
    if status == 413:
        handler: HTTPRouteHandler = request.scope["route_handler"]  # type: ignore[assignment]
        limit = handler.resolve_request_max_body_size()
        assert limit is not None, "the limit was exceeded"
        return answer(request, too_large(limit))
    if status == 415:
        status = 400
    return answer(request, Problem(status, CODES.get(status, "malformed"), detail, **extra))


def with_head(methods: Iterable[str]) -> list[str]:
    """Return the methods of an address in order. HEAD is answered wherever GET is."""
    found = {*methods}
    return sorted(found | {"HEAD"} if "GET" in found else found)


def _errors(request: AnyRequest, error: HTTPException) -> list[InputError]:
    """Return which places of the request the framework found wrong."""
    if isinstance(error.__cause__, SerializationException):
        return [InputError(str(error.detail), pointer="")]
    if missing := MISSING.match(str(error.detail)):
        place = "header" if missing["kind"] == "header" else "parameter"
        return [InputError("Required, but missing", **{place: missing["name"]})]
    found: Any = error.extra or ()
    return [_input_error(request, **part) for part in found]


def _input_error(request: AnyRequest, message: str, key: str = "", source: str = "") -> InputError:
    """Convert a message of the framework, whose key is a path in the body or a name in Python."""
    fields = request.scope["route_handler"].parsed_fn_signature.parameters
    if message == NO_BODY:
        return InputError("Expected a body in JSON, got none", pointer="")
    if source == "body":
        return request.scope["state"]["misfit"]
    place = "header" if source == "header" else "parameter"
    if key not in fields:
        return InputError(message, **{place: key})
    detail = input_error(message, fields[key].annotation, None).detail
    known = fields[key].kwarg_definition
    name = (isinstance(known, ParameterKwarg) and known.name) or key
    return InputError(detail, **{place: name})


def _own_error(request: AnyRequest, error: Exception) -> Response[Any]:
    return answer(request, problem_of(error, request.url.path))


def problem_of(error: Exception, path: str) -> Problem:
    """Return the problem to tell a caller for an error that is not the framework's.

    An unexpected error is logged, and hidden from the caller.
    """
    if isinstance(error, Problem):
        return error
    if isinstance(error, Unavailable):
        return log_unavailable()
    log.error("bug", path=path, exc_info=error)
    return Problem(
        500,
        "internal",
        "Internal error: the service log has the details under this request's id.",
    )


HANDLERS: ExceptionHandlersMap = {
    HTTPException: framework_error,
    Exception: _own_error,
}
