"""Serve the application: one process, stopped gracefully by SIGTERM or SIGINT."""

import asyncio
import gc
import signal
import socket
from collections.abc import Callable

import structlog
from granian.constants import Interfaces
from granian.server.embed import Server
from prometheus_client import REGISTRY, CollectorRegistry

from games import GAMES
from service.base.settings import BadSetting, Settings
from service.http.app import build
from service.play.projector import Projector, following
from service.process.context import Context, opened
from service.process.exposition import VitalFigures, listening, looped, registry_of

BACKLOG = 1024
GC_THRESHOLDS = (50_000, 20, 100)
"""Measured: a tenth of the time of a command less than with Python's own."""
LOOK_S = 0.01
"""Seconds between two looks at whether the server is up."""

log = structlog.get_logger("shiplog")


async def serve(settings: Settings, ready: Callable[[str], None]) -> None:
    """Serve until a signal comes; `ready` is called with the URL.

    Readiness ends first; after the time to drain, or a second signal, in-flight commands end and open streams close;
    then the parts are closed in order.
    """
    port = _port(settings.host, settings.port)
    async with opened(settings) as context, following(_projector(context)), looped():
        figures = registry_of(REGISTRY, VitalFigures(context.watch, context.lives))
        with listening(settings, figures):
            await _serve(context, figures, port, ready)
    log.info("stopped")


async def _serve(
    context: Context, figures: CollectorRegistry, port: int, ready: Callable[[str], None]
) -> None:
    host = context.settings.host
    server = Server(
        build(context, figures),
        address=host,
        port=port,
        interface=Interfaces.ASGINL,
        backlog=BACKLOG,
        websockets=False,
        log_enabled=False,
    )
    loop = asyncio.get_running_loop()

    def finish() -> None:
        context.closing.set()
        server.stop()

    def stop() -> None:
        if context.draining.is_set() or not context.settings.drain_s:
            finish()
        else:
            log.info("draining", seconds=context.settings.drain_s)
            loop.call_later(context.settings.drain_s, finish)
        context.draining.set()

    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, stop)
    serving = asyncio.create_task(server.serve())
    await _answering(host, port, serving)
    _rest_the_collector()
    url = f"http://{host}:{port}"
    log.info("serving", url=url, service=context.keys.service)
    ready(url)
    await serving


async def _answering(host: str, port: int, serving: asyncio.Task[None]) -> None:
    """Wait until the server takes connections, or is over."""
    while not serving.done():
        try:
            _, writer = await asyncio.open_connection(host, port)
        except OSError:
            await asyncio.sleep(LOOK_S)
        else:
            writer.close()
            return


def _rest_the_collector() -> None:
    """Have the cycle collector leave alone what stays: folds are many small objects without cycles."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(*GC_THRESHOLDS)


def _projector(context: Context) -> Projector:
    return Projector(context.lives, context.store, context.feed, context.work, GAMES)


def _port(host: str, port: int) -> int:
    """Give a port that nobody listens at; raises `BadSetting`.

    The server itself would share one that is taken, and callers would reach now one service, now the other.
    """
    try:
        with socket.create_server((host, port)) as probe:
            return probe.getsockname()[1]
    except OSError as error:
        raise BadSetting(
            f"SHIPLOG_HOST, SHIPLOG_PORT: can't listen at {host}:{port}: {error.strerror}"
        ) from None
