"""A closed-loop load generator on bare sockets: one core keeps a service's core busy."""

import asyncio
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import TypeVar


@dataclass
class Figures:
    """What a run measured."""

    seconds: float
    latencies_ms: list[float] = field(default_factory=list)
    refused: int = 0

    @property
    def rate(self) -> float:
        return len(self.latencies_ms) / self.seconds

    def percentile(self, share: float) -> float:
        ordered = sorted(self.latencies_ms)
        return ordered[min(len(ordered) - 1, int(share * len(ordered)))] if ordered else 0.0


class Connection(asyncio.Protocol):
    """One keep-alive connection with one request at a time."""

    def __init__(self) -> None:
        self._transport: asyncio.Transport | None = None
        self._buffer = b""
        self._answer: asyncio.Future[tuple[int, bytes]] | None = None

    def connection_made(self, transport):
        self._transport = transport

    def data_received(self, data):
        self._buffer += data
        while (found := self.parsed(self._buffer)) is not None:
            status, body, end = found
            self._buffer = self._buffer[end:]
            answer, self._answer = self._answer, None
            if answer is not None and not answer.done():
                answer.set_result((status, body))

    def parsed(self, data: bytes) -> tuple[int, bytes, int] | None:
        """Return status, body and end of the first answer in the data; None if it is not whole."""
        head, found, rest = data.partition(b"\r\n\r\n")
        if not found:
            return None
        start = head.lower().index(b"content-length:") + 15
        length = int(head[start : head.find(b"\r\n", start) if b"\r\n" in head[start:] else None])
        if len(rest) < length:
            return None
        return int(head[9:12]), rest[:length], len(head) + 4 + length

    def connection_lost(self, exc):
        if self._answer is not None and not self._answer.done():
            self._answer.set_exception(exc or ConnectionResetError())

    async def send(self, request: bytes) -> tuple[int, bytes]:
        """Send a whole request; return status and body of the answer."""
        assert self._transport is not None
        self._answer = asyncio.get_running_loop().create_future()
        self._transport.write(request)
        return await self._answer

    @property
    def peer(self) -> tuple[str, int]:
        """Host and port of the server."""
        assert self._transport is not None
        return self._transport.get_extra_info("peername")

    def close(self) -> None:
        if self._transport is not None:
            self._transport.close()


class Socket(Connection):
    """One WebSocket with one frame at a time (RFC 6455). Its masks are zeros."""

    def __init__(self) -> None:
        super().__init__()
        self._open = False

    async def open(self, path: str, authorization: str) -> None:
        """Ask for a WebSocket, and wait for its first frame."""
        upgrade = request(
            "GET", path, Authorization=authorization, Upgrade="websocket", Connection="Upgrade",
            Sec_WebSocket_Version="13", Sec_WebSocket_Key="dGhlIHNhbXBsZSBub25jZQ==",
        )  # fmt: skip
        await self.send(upgrade)

    def parsed(self, data: bytes) -> tuple[int, bytes, int] | None:
        """Return 200 or 400, content and end of the first frame; None if it is not whole."""
        skipped = 0 if self._open else data.find(b"\r\n\r\n") + 4
        if (not self._open and skipped == 3) or len(data) < skipped + 10:
            return None
        size, start = data[skipped + 1], skipped + 2
        if size > 125:
            start += 2 if size == 126 else 8
            size = int.from_bytes(data[skipped + 2 : start])
        if len(data) < start + size:
            return None
        self._open = True
        body = data[start : start + size]
        return (400 if body.startswith(b'{"type":"refused"') else 200), body, start + size


def frame(text: bytes) -> bytes:
    """Write a frame of a client."""
    size = len(text)
    head = bytes([0x80 | size]) if size < 126 else bytes([0xFE]) + size.to_bytes(2)
    return b"\x81" + head + bytes(4) + text


def request(method: str, path: str, body: bytes = b"", **headers: str) -> bytes:
    """Write a request."""
    lines = [f"{method} {path} HTTP/1.1", "Host: localhost", "Content-Type: application/json"]
    lines += [f"{name.replace('_', '-')}: {value}" for name, value in headers.items()]
    lines += [f"Content-Length: {len(body)}", "", ""]
    return "\r\n".join(lines).encode() + body


ConnectionT = TypeVar("ConnectionT", bound=Connection)


async def connect(host: str, port: int, kind: type[ConnectionT] = Connection) -> ConnectionT:
    _, connection = await asyncio.get_running_loop().create_connection(kind, host, port)
    return connection


Play = Callable[["Clock"], Awaitable[None]]
"""Sends requests until a clock is over."""
Client = Callable[[Connection], Awaitable[Play]]
"""Prepares what it needs on a connection, before the clock starts."""


class Clock:
    """Times requests between a warm-up and the end."""

    def __init__(self, warm_s: float, run_s: float) -> None:
        self.start = time.perf_counter() + warm_s
        self.end = self.start + run_s
        self.figures = Figures(run_s)

    @property
    def over(self) -> bool:
        return time.perf_counter() >= self.end

    async def timed(self, connection: Connection, data: bytes) -> tuple[int, bytes]:
        sent = time.perf_counter()
        status, body = await connection.send(data)
        done = time.perf_counter()
        if self.start <= sent and done <= self.end:
            if status < 300:
                self.figures.latencies_ms.append((done - sent) * 1000)
            else:
                self.figures.refused += 1
        return status, body


async def drive(
    host: str,
    port: int,
    clients: int,
    client: Client,
    *,
    warm_s: float,
    run_s: float,
    spent_us: Callable[[], float],
) -> tuple[Figures, float]:
    """Run clients side by side; return what they measured, and what was spent between (µs)."""
    connections = [await connect(host, port) for _ in range(clients)]
    try:
        plays = await asyncio.gather(*map(client, connections))
        clock = Clock(warm_s, run_s)

        async def spent() -> float:
            await asyncio.sleep(warm_s)
            before = spent_us()
            await asyncio.sleep(run_s)
            return spent_us() - before

        spending = asyncio.create_task(spent())
        await asyncio.gather(*(play(clock) for play in plays))
        return clock.figures, await spending
    finally:
        for connection in connections:
            connection.close()
