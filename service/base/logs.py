"""Structured log lines in JSON, joined to the HTTP request by its id. No hands, no tokens."""

import asyncio
import logging
import random
import sys
from collections import deque
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from types import MappingProxyType
from typing import Any

import msgspec
import structlog

from events.record import at_text
from service.base.clock import local_micros

LEVELS = {"debug": 10, "info": 20, "warning": 30, "error": 40}
FLUSH_S = 0.05
"""Time for which lines may wait, so that many are written together (seconds)."""

ENCODER = msgspec.json.Encoder(enc_hook=str)

_shared: ContextVar[Mapping[str, str]] = ContextVar("log_fields", default=MappingProxyType({}))
"""Fields of all log lines of a request or a job."""


def begin_request() -> str:
    """Return an id for the request of the running task, and add it to the task's log lines."""
    request = f"{random.getrandbits(64):016x}"
    _shared.set({"request": request})
    return request


@contextmanager
def joined(**fields: str) -> Iterator[None]:
    """Add fields to all log lines within a block."""
    before = _shared.set(fields)
    try:
        yield
    finally:
        _shared.reset(before)


def request_id() -> str | None:
    """Return the id of the request that is being answered, if any."""
    return _shared.get().get("request")


class Lines:
    """Encoded lines on their way to the standard error of the moment.

    Loggers outlive the streams of a single test.
    """

    def __init__(self) -> None:
        """Write each line at once."""
        self._waiting: deque[bytes] = deque()
        self._loop: asyncio.AbstractEventLoop | None = None
        """The event loop whose lines may wait for others."""
        self._timer: asyncio.TimerHandle | None = None

    @contextmanager
    def batched(self) -> Iterator[None]:
        """Within a block, write what the event loop logs a little later, many lines together."""
        self._loop = asyncio.get_running_loop()
        try:
            yield
        finally:
            self._loop = None
            self.flush()

    def soon(self, line: bytes) -> None:
        """Write a line, perhaps together with later ones."""
        self._waiting.append(line)
        if self._loop is None or not _runs(self._loop):
            self.flush()
        elif self._timer is None:
            self._timer = self._loop.call_later(FLUSH_S, self.flush)

    def now(self, line: bytes) -> None:
        """Write a line at once, after those that wait."""
        self._waiting.append(line)
        self.flush()

    def flush(self) -> None:
        """Write all lines that wait."""
        self._timer = None
        lines: list[bytes] = []
        while self._waiting:
            lines.append(self._waiting.popleft())
        if lines:
            stream = sys.stderr.buffer
            stream.write(b"".join([line + b"\n" for line in lines]))
            stream.flush()


LINES = Lines()


def _runs(loop: asyncio.AbstractEventLoop) -> bool:
    """Return whether the calling thread runs an event loop."""
    try:
        return asyncio.get_running_loop() is loop
    except RuntimeError:
        return False


class JsonLogger(structlog.BoundLoggerBase):
    """Encodes each line in one step: structlog's chain of processors takes longer than the rest."""

    least = LEVELS["info"]
    """Number of the lowest level that is written."""

    def debug(self, event: str, **fields: Any) -> None:
        """Log what helps to find a bug."""
        if self.least <= LEVELS["debug"]:
            LINES.soon(_encoded("debug", event, fields))

    def info(self, event: str, **fields: Any) -> None:
        """Log what happens."""
        if self.least <= LEVELS["info"]:
            LINES.soon(_encoded("info", event, fields))

    def warning(self, event: str, **fields: Any) -> None:
        """Log what an operator should look at."""
        if self.least <= LEVELS["warning"]:
            LINES.now(_encoded("warning", event, fields))

    def error(self, event: str, **fields: Any) -> None:
        """Log what must not happen."""
        LINES.now(_encoded("error", event, fields))

    def exception(self, event: str, **fields: Any) -> None:
        """Log the exception that is being handled."""
        self.error(event, exc_info=True, **fields)


def _encoded(level: str, event: str, fields: dict[str, Any]) -> bytes:
    line: Any = {**fields, "event": event, **_shared.get(), "level": level}
    if "exc_info" in line:
        line = structlog.processors.format_exc_info(None, level, line)
    line["timestamp"] = at_text(local_micros())
    return ENCODER.encode(line)


class LibraryHandler(logging.Handler):
    """Writes what libraries log in the same form."""

    def emit(self, record: logging.LogRecord) -> None:
        """Write a line at once. A record that cannot be formatted must not stop the library."""
        try:
            fields: dict[str, Any] = {"logger": record.name, "message": record.getMessage()}
            if record.exc_info:
                fields["exc_info"] = record.exc_info
            LINES.now(_encoded(record.levelname.lower(), "library", fields))
        except Exception:  # noqa: BLE001 - as the handlers of `logging` do
            self.handleError(record)


def configure(level: str) -> None:
    """Write log lines of at least this level to standard error."""
    JsonLogger.least = LEVELS[level]
    structlog.configure(cache_logger_on_first_use=True, wrapper_class=JsonLogger)
    at_least = max(LEVELS[level], logging.WARNING)
    logging.basicConfig(level=at_least, handlers=[LibraryHandler()], force=True)
