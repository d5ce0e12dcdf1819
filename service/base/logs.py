"""Structured log lines in JSON, joined to the HTTP request by its id. No hands, no tokens."""

import logging
import sys
from typing import Any, BinaryIO, cast

import msgspec
import structlog

from events.record import at_text
from service.base.clock import local_micros

LEVELS = {"debug": 10, "info": 20, "warning": 30, "error": 40}


def _stamp(_logger: Any, _name: str, line: Any) -> Any:
    line["timestamp"] = at_text(local_micros())
    return line


def _render(_logger: Any, _name: str, line: Any) -> bytes:
    return msgspec.json.encode(line, enc_hook=str)


class StandardError:
    """The standard error of the moment: loggers outlive the streams of a single test."""

    def write(self, line: bytes) -> int:
        """Write a line."""
        return sys.stderr.buffer.write(line)

    def flush(self) -> None:
        """Flush the stream."""
        sys.stderr.buffer.flush()


def configure(level: str) -> None:
    """Write log lines of at least this level to standard error."""
    structlog.configure(
        cache_logger_on_first_use=True,
        wrapper_class=structlog.make_filtering_bound_logger(LEVELS[level]),
        processors=[
            structlog.contextvars.merge_contextvars,
            structlog.processors.add_log_level,
            structlog.processors.format_exc_info,
            _stamp,
            _render,
        ],
        logger_factory=structlog.BytesLoggerFactory(file=cast(BinaryIO, StandardError())),
    )
    logging.basicConfig(level=max(LEVELS[level], logging.WARNING), force=True)
