"""The headers that keep a browser from doing what it should not, and which origins may call.

What a handler sets itself stays: the web client brings its own policy for its pages.
"""

from collections.abc import Iterator, Sequence

from litestar.config.cors import CORSConfig
from litestar.types import HTTPScope

API_POLICY = b"default-src 'none'; frame-ancestors 'none'"
"""An answer of the API is no page, and nothing may be loaded from it."""
SCHEMA_POLICY = (
    b"default-src 'none'; script-src 'self' 'unsafe-inline'; style-src 'self' 'unsafe-inline'; "
    b"img-src 'self' data:; connect-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'"
)
"""The API page holds its document in an inline script; nobody else's text is on it."""
HSTS = b"max-age=31536000"
"""A year."""

ALWAYS = (
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
    (b"cross-origin-opener-policy", b"same-origin"),
)
NO_STORE = (b"cache-control", b"private, no-cache")
"""What a caller sees is the caller's: no shared cache keeps it, and the caller's own asks again."""

ALLOWED_HEADERS = (
    "authorization",
    "content-type",
    "idempotency-key",
    "if-match",
    "if-none-match",
    "last-event-id",
)
SHOWN_HEADERS = ("etag", "retry-after", "x-request-id")
PREFLIGHT_S = 600


def cors(origins: Sequence[str]) -> CORSConfig | None:
    """Allow these origins to call with a token; None allows none. Cookies are never used, so none are allowed."""
    if not origins:
        return None
    return CORSConfig(
        allow_origins=list(origins),
        allow_methods=["GET", "POST", "PATCH", "DELETE"],
        allow_headers=list(ALLOWED_HEADERS),
        expose_headers=list(SHOWN_HEADERS),
        allow_credentials=False,
        max_age=PREFLIGHT_S,
    )


def headers(scope: HTTPScope, *, proxied: bool) -> Iterator[tuple[bytes, bytes]]:
    """Give the headers of an answer that has not set them itself."""
    yield from ALWAYS
    yield NO_STORE
    schema = scope["path"].startswith("/schema")
    yield b"content-security-policy", SCHEMA_POLICY if schema else API_POLICY
    if is_secure(scope, proxied=proxied):
        yield b"strict-transport-security", HSTS


def is_secure(scope: HTTPScope, *, proxied: bool) -> bool:
    """Tell whether the caller came over TLS, as seen here or, where it is trusted, by the proxy."""
    if scope["scheme"] == "https":
        return True
    found = dict(scope["headers"]).get(b"x-forwarded-proto", b"") if proxied else b""
    return found.split(b",")[-1].strip().lower() == b"https"
