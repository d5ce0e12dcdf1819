"""Serve the application in one process until SIGTERM or SIGINT."""

import asyncio
import gc
import resource
import signal
import socket
import sys
from collections.abc import Callable
from typing import Any

import structlog
from granian.constants import HTTPModes, Interfaces
from granian.http import HTTP1Settings
from granian.net import SocketHolder  # pyright: ignore[reportPrivateImportUsage] - no stub
from granian.server.embed import Server
from prometheus_client import REGISTRY, CollectorRegistry

from service.base import logs
from service.base.background import in_background
from service.base.settings import BadSetting, Settings
from service.http.app import build
from service.http.silence import closing_silent
from service.process.checkpointing import projecting
from service.process.context import Context, opened
from service.process.exposition import (
    HealthMetrics,
    combined_registry,
    keep_measuring_loop,
    metrics_listener,
)

BACKLOG = 1024
CONNECTIONS_MAX = 8_192
"""Maximum number of open connections. More wait until one of these closes."""
HEADER_BYTES_MAX = 65_536
"""Maximum size of what a connection holds of a request before the call begins."""
FILES_KEPT = 256
"""Number of open files that are kept for other purposes than connections."""
LAST_CALLS_S = 0.5
"""Time for calls on connections whose streams have just ended (seconds)."""
GC_THRESHOLDS = (50_000, 20, 100)
"""Measured: commands take a tenth less time than with Python's defaults."""
SWITCH_S = 0.0003
"""Time after which a thread hands over the interpreter (seconds): the server's threads are short of
it when the event loop is busy.
"""

log = structlog.get_logger("shiplog")


class Listening(Server):
    """A server on a socket that is open already, perhaps in other processes as well."""

    def __init__(self, app: Any, listener: socket.socket) -> None:
        """Serve an application; the server takes the socket over."""
        super().__init__(
            app,
            interface=Interfaces.ASGINL,
            log_enabled=False,
            backpressure=connections_max(),
            http=HTTPModes.http1,
            http1_settings=HTTP1Settings(max_buffer_size=HEADER_BYTES_MAX),
        )
        self._listener = listener

    def _init_shared_socket(self) -> None:
        self._ssp = None
        fd = self._listener.detach()
        self._shd = SocketHolder(fd, False, BACKLOG)  # pyright: ignore[reportCallIssue] - no stub


async def serve(
    settings: Settings, listener: socket.socket, ready: Callable[[str], None], *, shared: bool
) -> None:
    """Serve until a signal; `ready` is called with the URL.

    `shared` is whether other processes accept from the socket, and may take over this one's place.

    Readiness ends first. After the time to drain, or a second signal, commands under way end and
    open streams close. Then the parts are closed in order.
    """
    with logs.LINES.batched():
        await _opened(settings, listener, ready, shared=shared)
    log.info("stopped")


async def _opened(
    settings: Settings, listener: socket.socket, ready: Callable[[str], None], *, shared: bool
) -> None:
    async with (
        opened(settings) as context,
        projecting(context),
        in_background(keep_measuring_loop()),
    ):
        registry = combined_registry(REGISTRY, HealthMetrics(context.health, context.cache))
        with metrics_listener(settings, registry, shared=shared):
            await _serve(context, registry, listener, ready)


async def _serve(
    context: Context,
    registry: CollectorRegistry,
    listener: socket.socket,
    ready: Callable[[str], None],
) -> None:
    port = listener.getsockname()[1]
    url = f"http://{context.settings.host}:{port}"
    gc.disable()
    app = build(context, registry)
    server = Listening(app, listener)
    loop = asyncio.get_running_loop()

    async def end() -> None:
        await context.closing.wait()
        await app.state.sockets.closed()
        if context.settings.drain_s:
            await asyncio.sleep(LAST_CALLS_S)
        server.stop()

    def stop() -> None:
        if context.draining.is_set() or not context.settings.drain_s:
            context.closing.set()
        else:
            log.info("draining", seconds=context.settings.drain_s)
            loop.call_later(context.settings.drain_s, context.closing.set)
        context.draining.set()

    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, stop)
    ending = asyncio.create_task(end())
    closing = asyncio.create_task(closing_silent(port))
    serving = asyncio.create_task(server.serve())
    rest_the_collector()
    log.info("serving", url=url, service=context.keys.service)
    ready(url)
    await serving
    ending.cancel()
    closing.cancel()


def rest_the_collector() -> None:
    """Freeze the objects of the start, which live as long as the process; collect less often."""
    gc.freeze()
    gc.set_threshold(*GC_THRESHOLDS)
    gc.enable()
    sys.setswitchinterval(SWITCH_S)


def connections_max() -> int:
    """Return how many connections may be open, after raising the limit on files if necessary."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = CONNECTIONS_MAX + FILES_KEPT
    if soft != resource.RLIM_INFINITY and soft < wanted:
        soft = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
        return max(soft - FILES_KEPT, soft // 2)
    return CONNECTIONS_MAX


def listen(host: str, port: int) -> socket.socket:
    """Open a socket that listens; raises `BadSetting`, also if the port is taken."""
    try:
        return socket.create_server((host, port), backlog=BACKLOG)
    except OSError as error:
        raise BadSetting(
            f"SHIPLOG_HOST, SHIPLOG_PORT: Cannot listen on {host}:{port}: {error.strerror}."
        ) from None
