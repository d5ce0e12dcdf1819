"""Security headers for browsers, CORS, and whom the headers of a proxy tell of.

A header that a handler sets takes precedence: the web client has its own policy for its pages.
"""

from collections.abc import Mapping, Sequence
from functools import cache
from urllib.parse import urlsplit

from litestar.config.cors import CORSConfig
from litestar.types import HTTPScope, WebSocketScope

from service.http.compression import is_secret

API_POLICY = b"default-src 'none'; frame-ancestors 'none'"
"""A response of the API is not a page, and nothing may be loaded from it."""
SCHEMA_POLICY = (
    b"default-src 'none'; script-src 'self' 'unsafe-inline'; style-src 'self' 'unsafe-inline'; "
    b"img-src 'self' data:; connect-src 'self'; frame-ancestors 'none'; base-uri 'none'; "
    b"form-action 'none'"
)
"""The API page has its document in an inline script, without any text from users."""
HSTS = b"max-age=31536000"
"""A year."""

ALWAYS = (
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
    (b"cross-origin-opener-policy", b"same-origin"),
)
PRIVATE = b"private, no-cache"
"""Responses belong to the caller: shared caches must not keep them, and its own must revalidate."""
NO_STORE = b"no-store"
"""Responses with a token or a join code: no cache may keep them."""

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
PREFLIGHT_S = 600


def cors(origins: Sequence[str]) -> CORSConfig | None:
    """Allow these origins to call with a token; None without origins. Cookies are not used."""
    if not origins:
        return None
    return CORSConfig(
        allow_origins=list(origins),
        allow_methods=["GET", "POST", "PUT", "PATCH", "DELETE"],
        allow_headers=list(ALLOWED_HEADERS),
        expose_headers=list(SHOWN_HEADERS),
        allow_credentials=False,
        max_age=PREFLIGHT_S,
    )


def cors_headers(origin: bytes, origins: Sequence[str]) -> list[tuple[bytes, bytes]]:
    """Return the headers that let a page of an allowed origin read a response."""
    if not origin or not {"*", origin.decode("latin-1")} & set(origins):
        return []
    shown = ", ".join(SHOWN_HEADERS).encode()
    return [
        (b"access-control-allow-origin", b"*" if "*" in origins else origin),
        (b"access-control-expose-headers", shown),
        (b"vary", b"Origin"),
    ]


def may_connect(headers: Mapping[bytes, bytes], origins: Sequence[str]) -> bool:
    """Return whether a WebSocket comes from no page, from our own, or from an allowed origin."""
    origin = headers.get(b"origin", b"").decode("latin-1")
    own = headers.get(b"host", b"").decode("latin-1")
    return not origin or urlsplit(origin).netloc == own or bool({"*", origin} & set(origins))


def header(scope: HTTPScope, name: bytes) -> bytes:
    """Return the first field with a name, in lower case; empty if there is none."""
    return next((value for key, value in scope["headers"] if key == name), b"")


def address(
    scope: HTTPScope | WebSocketScope, headers: Mapping[bytes, bytes], *, proxied: bool
) -> str:
    """Return the address of a caller, as told by the proxy if that is trusted."""
    if proxied and (forwarded := headers.get(b"x-forwarded-for")):
        return forwarded.decode("latin-1").split(",")[-1].strip()
    client = scope.get("client")
    return client[0] if client else "unknown"


def headers(scope: HTTPScope, *, proxied: bool) -> Sequence[tuple[bytes, bytes]]:
    """Return the default headers of a response."""
    schema = scope["path"].startswith("/schema")
    return _headers(is_secret(scope), schema, is_secure(scope, proxied=proxied))


@cache
def _headers(secret: bool, schema: bool, secure: bool) -> Sequence[tuple[bytes, bytes]]:
    return (
        *ALWAYS,
        (b"cache-control", NO_STORE if secret else PRIVATE),
        (b"content-security-policy", SCHEMA_POLICY if schema else API_POLICY),
        *(((b"strict-transport-security", HSTS),) if secure else ()),
    )


def is_secure(scope: HTTPScope, *, proxied: bool) -> bool:
    """Return whether the request came over TLS, to this process or to a trusted proxy."""
    if scope["scheme"] == "https":
        return True
    found = dict(scope["headers"]).get(b"x-forwarded-proto", b"") if proxied else b""
    return found.split(b",")[-1].strip().lower() == b"https"
