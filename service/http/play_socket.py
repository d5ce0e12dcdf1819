"""The WebSocket `/play`: commands of all of a player's matches, and what happens in them."""

import asyncio
import contextlib
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

from litestar import WebSocket, websocket
from litestar.di import NamedDependency
from litestar.exceptions import WebSocketDisconnect

from service.base import logs
from service.base.metrics import LIMITED
from service.base.problems import Problem
from service.http import cors, safety
from service.http.frame_socket import CLOSE_S, FrameSocket, Hangup
from service.http.inbound import inbound
from service.http.play_connection import UNAUTHENTICATED, Connection, Parts

STRANGERS_MAX = 20
"""Number of WebSockets of an address that have not sent a token yet."""
TRY_LATER = 1013


class Sockets:
    """The open WebSockets of this process."""

    def __init__(
        self,
        parts: Parts,
        closing: asyncio.Event,
        *,
        frame_bytes_max: int,
        origins: tuple[str, ...],
        proxied: bool,
    ) -> None:
        """Serve the parts until `closing` is set; pages of other origins must be listed."""
        self._parts = parts
        self._closing = closing
        self._frame_bytes_max = frame_bytes_max
        self._origins = origins
        self._proxied = proxied
        self._strangers: Counter[str] = Counter()
        self._open: set[asyncio.Task[Any]] = set()

    async def closed(self) -> None:
        """Wait until all clients have been told that the service stops, for a short time."""
        if self._open:
            await asyncio.wait(self._open, timeout=CLOSE_S)

    async def serve(self, socket: WebSocket[Any, Any, Any]) -> None:
        """Serve a connection to its end."""
        task = asyncio.current_task()
        assert task is not None, "a handler runs in a task"
        self._open.add(task)
        try:
            await self._serve(socket)
        finally:
            self._open.discard(task)

    async def _serve(self, socket: WebSocket[Any, Any, Any]) -> None:
        headers = dict(socket.scope["headers"])
        if not cors.may_connect(headers, self._origins):
            await socket.close(reason="This origin may not connect.")
            return
        await socket.accept()
        address = safety.address(socket.scope, headers, proxied=self._proxied)
        request_id = logs.begin_request()
        with inbound(socket.scope.get("client")) as sent:
            frames = FrameSocket(socket, self._frame_bytes_max, sent)
            connection = Connection(frames, self._parts, request_id, address)
            await self._connected(frames, connection, address)

    async def _connected(self, frames: FrameSocket, connection: Connection, address: str) -> None:
        try:
            await frames.watched(self._session(connection, address))
        except WebSocketDisconnect:
            return
        except Hangup as hangup:
            await connection.close(hangup)
        except Problem as problem:
            code = TRY_LATER if problem.status in (429, 503) else UNAUTHENTICATED
            await connection.close(Hangup(code, problem.code), problem)

    async def _session(self, connection: Connection, address: str) -> None:
        with self._stranger(address):
            self._parts.callers.count_connection(address)
            caller = await connection.authenticate()
        with self._parts.streams.counted(caller):
            await connection.run(caller, self._closing)

    @contextlib.contextmanager
    def _stranger(self, address: str) -> Iterator[None]:
        """Count a connection without a token; raises `Hangup`."""
        if self._strangers[address] >= STRANGERS_MAX:
            LIMITED.labels("streams").inc()
            raise Hangup(TRY_LATER, "too many connections without a token")
        self._strangers[address] += 1
        try:
            yield
        finally:
            self._strangers[address] -= 1
            if not self._strangers[address]:
                del self._strangers[address]


@websocket("/play")
async def play(socket: WebSocket[Any, Any, Any], sockets: NamedDependency[Sockets]) -> None:
    """Serve commands, records and notices over one connection (docs/programs.md)."""
    await sockets.serve(socket)


HANDLERS: tuple[Callable[..., Any], ...] = (play,)
