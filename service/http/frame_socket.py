"""A WebSocket as a sequence of frames, whatever they mean.

Frames are sent one after the other, with signs of life in quiet times. A client that sends too long
a frame, or does not read its own, is hung up on.
"""

import asyncio
import contextlib
from collections.abc import Coroutine
from typing import Any, NoReturn

import msgspec
from litestar import WebSocket
from litestar.exceptions import WebSocketDisconnect

from service.base.waiting import first_of
from service.http.frames import FrameRefused, StillHere
from service.http.inbound import Inbound
from service.http.live import KEEPALIVE_S

SLOW_S = 10.0
"""Time that one frame may take to be sent (seconds)."""
CLOSE_S = 1.0
"""Time for the end of a connection (seconds)."""
LOOK_S = 1.0
"""Interval of looks at a connection: for messages that get too long, and quiet times (seconds)."""
READ_AHEAD = 1_048_576
"""What the server may have read beyond a message, such as further frames and pings (bytes)."""
TOO_SLOW = 4008
TOO_LARGE = 1009
ENCODE = msgspec.json.Encoder().encode


class Hangup(Exception):
    """The service ends the connection."""

    def __init__(self, code: int, reason: str) -> None:
        """Close with a code and a reason."""
        super().__init__(reason)
        self.code = code
        self.reason = reason


class FrameSocket:
    """The frames of one client."""

    def __init__(
        self, socket: WebSocket[Any, Any, Any], frame_bytes_max: int, inbound: Inbound | None
    ) -> None:
        """Use an accepted socket, and the count of what arrives on it if there is one."""
        self.frame_bytes_max = frame_bytes_max
        self.keeps_alive = False
        """Whether signs of life are sent in quiet times."""
        self._socket = socket
        self._inbound = inbound
        self._loop = asyncio.get_running_loop()
        self._hung_up: asyncio.Future[Hangup] = self._loop.create_future()
        self._sending = asyncio.Lock()
        self._told_at = self._loop.time()

    @property
    def authorization(self) -> str:
        """The header of this name; empty without one."""
        return self._socket.headers.get("authorization", "")

    async def watched(self, session: Coroutine[Any, Any, None]) -> None:
        """Serve a session; raises `Hangup` if the client misbehaves meanwhile."""
        await first_of(session, self._watch(), self._end())

    async def _watch(self) -> NoReturn:
        """Send signs of life in quiet times; raises `Hangup` at a message that gets too long."""
        pending_max = self.frame_bytes_max + READ_AHEAD
        while True:
            if self._inbound is not None and self._inbound.look() > pending_max:
                raise self._too_large()
            if self._loop.time() - self._told_at > KEEPALIVE_S and self.keeps_alive:
                await self.tell(StillHere())
            await asyncio.sleep(LOOK_S)

    async def _end(self) -> NoReturn:
        raise await self._hung_up

    def hang_up(self, code: int, reason: str) -> None:
        """End the connection, from any task."""
        if not self._hung_up.done():
            self._hung_up.set_result(Hangup(code, reason))

    def _too_large(self) -> Hangup:
        return Hangup(TOO_LARGE, f"a frame is longer than {self.frame_bytes_max} bytes")

    async def tell(self, frame: msgspec.Struct) -> None:
        """Send a frame after those before it. A client that does not read it is hung up on."""
        data = ENCODE(frame)
        async with self._sending:
            slow = self._loop.call_later(SLOW_S, self.hang_up, TOO_SLOW, "frames were not read")
            try:
                await self._socket.send_data(data)
            finally:
                slow.cancel()
            self._told_at = self._loop.time()

    async def receive(self) -> bytes:
        """Return the next frame; raises `Hangup` if the frame is too long."""
        message: Any = await self._socket.receive()
        if message["type"] == "websocket.disconnect":
            raise WebSocketDisconnect(detail="disconnected", code=message["code"])
        text = message.get("text")
        data = (message.get("bytes") or b"") if text is None else text.encode()
        if self._inbound is not None:
            self._inbound.message_ended(len(data))
        if len(data) > self.frame_bytes_max:
            raise self._too_large()
        return data

    async def close(self, hangup: Hangup, last: FrameRefused | None) -> None:
        """Close, after a last frame. A client that does not read gets neither."""
        with contextlib.suppress(Exception):
            async with asyncio.timeout(CLOSE_S):
                if last is not None:
                    await self._socket.send_data(ENCODE(last))
                await self._socket.close(hangup.code, hangup.reason)
