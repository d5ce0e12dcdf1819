"""Calls by pages of other origins (CORS): the operator lists the origins that may call.

A page sends its token itself; cookies are not used.
"""

from collections.abc import Mapping, Sequence
from urllib.parse import urlsplit

from litestar.config.cors import CORSConfig
from litestar.constants import DEFAULT_ALLOWED_CORS_HEADERS
from litestar.types import HTTPScope

from service.base.problems import Problem

METHODS = ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE")
ALLOWED_HEADERS = (
    "authorization",
    "content-type",
    "idempotency-key",
    "if-match",
    "if-none-match",
    "last-event-id",
    "prefer",
)
SHOWN_HEADERS = (
    "deprecation",
    "etag",
    "link",
    "preference-applied",
    "ratelimit",
    "ratelimit-policy",
    "receipt",
    "retry-after",
    "sunset",
    "x-request-id",
)
SHOWN = ", ".join(SHOWN_HEADERS).encode()
VARY = (b"vary", b"Origin")
"""Also in answers to others: a cache must not give them to a page, which could not read them."""
PREFLIGHT_S = 600
SAFE_HEADERS = frozenset(name.lower() for name in DEFAULT_ALLOWED_CORS_HEADERS)
"""Headers that every page may send."""


def config(origins: Sequence[str]) -> CORSConfig | None:
    """Allow these origins to call with a token; None without origins."""
    if not origins:
        return None
    return CORSConfig(
        allow_origins=list(origins),
        allow_methods=[*METHODS],
        allow_headers=list(ALLOWED_HEADERS),
        expose_headers=list(SHOWN_HEADERS),
        allow_credentials=False,
        max_age=PREFLIGHT_S,
    )


def preflight_refusal(scope: HTTPScope, origins: Sequence[str]) -> Problem | None:
    """Return why a browser may not make the call that its preflight asks for.

    None if the browser may, and for every request that is not a preflight.
    """
    if scope["method"] != "OPTIONS":
        return None
    headers = {name: value.decode("latin-1") for name, value in scope["headers"]}
    if (origin := headers.get(b"origin")) is None:
        return None
    if not _is_listed(origin, origins):
        return _refusal(
            "Origin",
            f"Pages of the origin {origin!r} may not call this service. The operator lists the "
            "origins that may, in SHIPLOG_CORS_ORIGINS.",
        )
    if (method := headers.get(b"access-control-request-method", METHODS[0])) not in METHODS:
        return _refusal(
            "Access-Control-Request-Method",
            f"Pages of other origins may use {', '.join(METHODS)}, not {method!r}.",
        )
    asked = headers.get(b"access-control-request-headers", "").lower().split(",")
    names = {name.strip() for name in asked} - {"", *ALLOWED_HEADERS} - SAFE_HEADERS
    if names:
        return _refusal(
            "Access-Control-Request-Headers",
            f"Pages of other origins may send {', '.join(ALLOWED_HEADERS)}, "
            f"not {', '.join(sorted(names))}.",
        )
    return None


def response_headers(origin: bytes, origins: Sequence[str]) -> list[tuple[bytes, bytes]]:
    """Return the headers that let a page of an allowed origin read a response."""
    if not origin or not _is_listed(origin.decode("latin-1"), origins):
        return []
    return [
        (b"access-control-allow-origin", b"*" if "*" in origins else origin),
        (b"access-control-expose-headers", SHOWN),
        VARY,
    ]


def may_connect(headers: Mapping[bytes, bytes], origins: Sequence[str]) -> bool:
    """Return whether a WebSocket comes from no page, from our own, or from an allowed origin."""
    origin = headers.get(b"origin", b"").decode("latin-1")
    own = headers.get(b"host", b"").decode("latin-1")
    if not origin or _is_listed(origin, origins):
        return True
    return bool(own) and urlsplit(origin).netloc == own


def _is_listed(origin: str, origins: Sequence[str]) -> bool:
    return not {"*", origin}.isdisjoint(origins)


def _refusal(header: str, detail: str) -> Problem:
    return Problem(403, "cross-origin", detail).at(header=header)
