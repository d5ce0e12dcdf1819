"""Security headers for browsers, and whom the headers of a proxy tell of.

A header that a handler sets takes precedence: the web client has its own policy for its pages.
"""

from collections.abc import Mapping, Sequence
from functools import cache, lru_cache
from ipaddress import IPv6Address, IPv6Network
from urllib.parse import urlsplit

from litestar.types import HTTPScope, WebSocketScope

from service.base.problems import Problem, malformed
from service.http.compression import is_secret

API_POLICY = b"default-src 'none'; frame-ancestors 'none'"
"""A response of the API is not a page, and nothing may be loaded from it."""
SCHEMA_POLICY = (
    b"default-src 'none'; script-src 'self' 'unsafe-inline'; style-src 'self' 'unsafe-inline'; "
    b"img-src 'self' data:; connect-src 'self'; frame-ancestors 'none'; base-uri 'none'; "
    b"form-action 'none'"
)
"""The API page has an inline script, without any text from users."""
HSTS = b"max-age=31536000"
"""A year."""

ALWAYS = (
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
    (b"cross-origin-opener-policy", b"same-origin"),
)
NETWORKS_KEPT = 10_000
PRIVATE = b"private, no-cache"
"""Responses belong to the caller: shared caches must not keep them, and its own must revalidate."""
NO_STORE = b"no-store"
"""Responses with a token or a join code: no cache may keep them."""


def header(scope: HTTPScope, name: bytes) -> bytes:
    """Return the first field with a name, in lower case; empty if there is none."""
    return next((value for key, value in scope["headers"] if key == name), b"")


def host_refusal(scope: HTTPScope) -> Problem | None:
    """Return what is wrong with the Host of a call, or None if an address can contain it."""
    host = header(scope, b"host").decode("latin-1")
    try:
        _ = urlsplit(f"//{host}").port
    except ValueError as error:
        return malformed(f"Not a host: {error}.").at(header="Host")
    return None


def bearer_token(authorization: str) -> str:
    """Return the token of an Authorization field, with blanks; empty if it has none."""
    scheme, _, token = authorization.partition(" ")
    return token if scheme.lower() == "bearer" else ""


def address(
    scope: HTTPScope | WebSocketScope, headers: Mapping[bytes, bytes], *, proxied: bool
) -> str:
    """Return the address of a caller, as told by the proxy if that is trusted.

    For IPv6 it is the network of 64 bits, since whoever has one address has all of them.
    """
    if proxied and (forwarded := headers.get(b"x-forwarded-for")):
        text = forwarded.decode("latin-1").split(",")[-1].strip()
    else:
        client = scope.get("client")
        text = client[0] if client else "unknown"
    return _network(text) if ":" in text else text


@lru_cache(NETWORKS_KEPT)
def _network(text: str) -> str:
    try:
        found = IPv6Address(text.strip("[]"))
    except ValueError:
        return text
    if found.ipv4_mapped is not None:
        return str(found.ipv4_mapped)
    return str(IPv6Network((found, 64), strict=False))


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
