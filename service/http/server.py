"""Serve the application in one process until SIGTERM or SIGINT."""

import asyncio
import gc
import signal
import socket
import sys
from collections.abc import Callable

import structlog
from granian.constants import Interfaces
from granian.server.embed import Server
from prometheus_client import REGISTRY, CollectorRegistry

from service.base.settings import BadSetting, Settings
from service.http.app import build
from service.process.checkpointing import projecting
from service.process.context import Context, opened
from service.process.exposition import (
    HealthMetrics,
    combined_registry,
    measuring_loop_lag,
    metrics_listener,
)

BACKLOG = 1024
GC_THRESHOLDS = (50_000, 20, 100)
"""Measured: commands take a tenth less time than with Python's defaults."""
SWITCH_S = 0.001
"""Time after which a thread hands over the interpreter (seconds): the server's threads are short of
it when the event loop is busy.
"""
LOOK_S = 0.01
"""Interval of checks whether the server is up (seconds)."""

log = structlog.get_logger("shiplog")


async def serve(settings: Settings, ready: Callable[[str], None]) -> None:
    """Serve until a signal; `ready` is called with the URL.

    Readiness ends first. After the time to drain, or a second signal, commands under way end and
    open streams close. Then the parts are closed in order.
    """
    port = _port(settings.host, settings.port)
    async with (
        opened(settings) as context,
        projecting(context),
        measuring_loop_lag(),
    ):
        registry = combined_registry(REGISTRY, HealthMetrics(context.health, context.cache))
        with metrics_listener(settings, registry):
            await _serve(context, registry, port, ready)
    log.info("stopped")


async def _serve(
    context: Context, registry: CollectorRegistry, port: int, ready: Callable[[str], None]
) -> None:
    host = context.settings.host
    gc.disable()
    app = build(context, registry)
    server = Server(
        app,
        address=host,
        port=port,
        interface=Interfaces.ASGINL,
        backlog=BACKLOG,
        log_enabled=False,
    )
    loop = asyncio.get_running_loop()

    async def end() -> None:
        await context.closing.wait()
        await app.state.sockets.closed()
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
    serving = asyncio.create_task(server.serve())
    await _answering(host, port, serving)
    _rest_the_collector()
    url = f"http://{host}:{port}"
    log.info("serving", url=url, service=context.keys.service)
    ready(url)
    await serving
    ending.cancel()


async def _answering(host: str, port: int, serving: asyncio.Task[None]) -> None:
    """Wait until the server accepts connections, or has ended."""
    while not serving.done():
        try:
            _, writer = await asyncio.open_connection(host, port)
        except OSError:
            await asyncio.sleep(LOOK_S)
        else:
            writer.close()
            return


def _rest_the_collector() -> None:
    """Collect once, then keep the collector off what lives long: folds are many, without cycles."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(*GC_THRESHOLDS)
    gc.enable()
    sys.setswitchinterval(SWITCH_S)


def _port(host: str, port: int) -> int:
    """Return a free port; raises `BadSetting` if the port is taken.

    The server itself would share a taken port, and callers would reach one service or the other.
    """
    try:
        with socket.create_server((host, port)) as probe:
            return probe.getsockname()[1]
    except OSError as error:
        raise BadSetting(
            f"SHIPLOG_HOST, SHIPLOG_PORT: Cannot listen on {host}:{port}: {error.strerror}."
        ) from None
