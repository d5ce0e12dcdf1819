"""Compress answers with zstd, Brotli or gzip, as Accept-Encoding asks.

Left out are streams of events, exports, and answers with a token or a join code: the reasons are
in docs/security.md.
"""

import asyncio
import gzip
import secrets
from collections.abc import Iterable
from functools import lru_cache

import brotli
import zstandard
from cachetools import LRUCache
from litestar.types import (
    ASGIApp,
    HTTPResponseBodyEvent,
    HTTPResponseStartEvent,
    HTTPScope,
    Message,
    Receive,
    Scope,
    Send,
)

BYTES_MIN = 1024
"""Shorter answers are sent as they are."""
THREAD_BYTES_MIN = 64 * 1024
"""Longer answers are compressed in a thread, so that the event loop is not blocked."""
PUBLIC: LRUCache[tuple[bytes, str], bytes] = LRUCache(maxsize=512)
"""Answers that are equal for all callers, by body and encoding."""
CHOICES_MAX = 512
ACCEPTED_MAX = 256
"""Maximum length of an Accept-Encoding field. Answers to a longer one are not compressed."""
PADDING_MAX = 64
"""Maximum length of the random padding of a compressed answer to a caller."""
COMPRESSIBLE = frozenset((
    b"application/json",
    b"application/manifest+json",
    b"application/problem+json",
    b"application/vnd.oai.openapi+json",
    b"image/svg+xml",
    b"text/css",
    b"text/html",
    b"text/javascript",
    b"text/plain",
))  # fmt: skip
VARY = (b"vary", b"Accept-Encoding")
LEVELS = {"zstd": 3, "br": 4, "gzip": 3}
"""Encodings, the preferred one first. Measured: each takes less than 5 ms for a megabyte."""


class Compression:
    """Middleware that compresses the answers of an application."""

    def __init__(self, app: ASGIApp) -> None:
        """Wrap an application."""
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Call the application, and compress its answer if the client accepts that."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        accepted = dict(scope["headers"]).get(b"accept-encoding", b"").decode("latin-1")
        encoding = chosen(accepted) if len(accepted) <= ACCEPTED_MAX else None
        await self._app(scope, receive, Answer(scope, send, encoding).send)


class Answer:
    """An answer that is held until it is complete, if it is to be compressed."""

    def __init__(self, scope: HTTPScope, send: Send, encoding: str | None) -> None:
        """Send to a client that accepts an encoding; None for none."""
        self._scope = scope
        self._send = send
        self._encoding = encoding
        self._start: HTTPResponseStartEvent | None = None
        self._body = bytearray()

    async def send(self, message: Message) -> None:
        """Send the next message, or hold it until the answer is complete."""
        if message["type"] == "http.response.start" and self._compressible(message):
            message["headers"] = _varying(message["headers"])
            if self._encoding is not None:
                self._start = message
                return
        if self._start is None or message["type"] != "http.response.body":
            await self._send(message)
            return
        self._body += message["body"]
        if not message.get("more_body"):
            await self._complete(self._start, bytes(self._body))

    def _compressible(self, start: HTTPResponseStartEvent) -> bool:
        headers = dict(start["headers"])
        return (
            start["status"] == 200
            and headers.get(b"content-type", b"").partition(b";")[0] in COMPRESSIBLE
            and b"content-encoding" not in headers
            and not is_secret(self._scope)
        )

    async def _complete(self, start: HTTPResponseStartEvent, body: bytes) -> None:
        if self._encoding is not None:
            personal = is_personal(self._scope)
            body, more = await packed(body, self._encoding, personal=personal)
            kept = [field for field in start["headers"] if field[0] != b"content-length"]
            start["headers"] = [*kept, *more, (b"content-length", b"%d" % len(body))]
        event: HTTPResponseBodyEvent = {
            "type": "http.response.body",
            "body": body,
            "more_body": False,
        }
        await self._send(start)
        await self._send(event)


async def packed(
    body: bytes, encoding: str, *, personal: bool
) -> tuple[bytes, list[tuple[bytes, bytes]]]:
    """Return a body as it is sent to a client that accepts an encoding, and the headers for that.

    An answer to a caller is padded. Short bodies stay as they are.
    """
    if len(body) < BYTES_MIN:
        return body, []
    headers = [(b"content-encoding", encoding.encode())]
    if personal:
        headers.append((b"x-padding", b"0" * secrets.randbelow(PADDING_MAX + 1)))
        return await _in_time(body, encoding), headers
    if (kept := PUBLIC.get((body, encoding))) is None:
        kept = PUBLIC[body, encoding] = await _in_time(body, encoding)
    return kept, headers


async def _in_time(body: bytes, encoding: str) -> bytes:
    """Compress a body, a long one in a thread."""
    if len(body) < THREAD_BYTES_MIN:
        return compressed(body, encoding)
    return await asyncio.to_thread(compressed, body, encoding)


@lru_cache(maxsize=CHOICES_MAX)
def chosen(accepted: str) -> str | None:
    """Return the best encoding that an Accept-Encoding field accepts, or None for none.

    Between those that the client likes best, the service prefers the earliest of `LEVELS`.
    """
    weights: dict[str, float] = {}
    for item in accepted.lower().split(","):
        name, _, parameter = item.partition(";")
        weights[name.strip()] = _weight(parameter)
    found = {name: weights.get(name, weights.get("*", 0)) for name in LEVELS}
    best = max(found, key=lambda name: found[name])
    return best if found[best] > 0 and found[best] >= weights.get("identity", 0) else None


def compressed(body: bytes, encoding: str) -> bytes:
    """Return a body in an encoding."""
    level = LEVELS[encoding]
    if encoding == "zstd":
        return zstandard.ZstdCompressor(level).compress(body)
    if encoding == "br":
        return brotli.compress(body, mode=brotli.MODE_TEXT, quality=level)
    return gzip.compress(body, level, mtime=0)


def is_personal(scope: HTTPScope) -> bool:
    """Return whether an answer depends on its caller, or on what was sent.

    The handler takes a caller, or says `personal=True`.
    """
    handler = scope.get("route_handler")
    if handler is None or handler.opt.get("personal"):
        return True
    return "caller" in handler.parsed_fn_signature.parameters


def is_secret(scope: HTTPScope) -> bool:
    """Return whether an answer has a token or a join code: its handler says `secret=True`."""
    handler = scope.get("route_handler")
    return handler is not None and bool(handler.opt.get("secret"))


def _varying(headers: Iterable[tuple[bytes, bytes]]) -> list[tuple[bytes, bytes]]:
    """Return headers that say that the answer depends on Accept-Encoding."""
    varied = dict(headers).get(b"vary")
    if varied is None:
        return [*headers, VARY]
    field = (b"vary", varied + b", Accept-Encoding")
    return [field if name == b"vary" else (name, value) for name, value in headers]


def _weight(parameter: str) -> float:
    name, _, value = parameter.partition("=")
    if name.strip() != "q":
        return 1
    try:
        return float(value)
    except ValueError:
        return 0
