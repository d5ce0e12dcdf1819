"""A closed-loop HTTP load generator on bare sockets: one core keeps a service's core busy."""

import asyncio
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field


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
        head, found, rest = self._buffer.partition(b"\r\n\r\n")
        if not found:
            return
        start = head.lower().index(b"content-length:") + 15
        length = int(head[start : head.find(b"\r\n", start) if b"\r\n" in head[start:] else None])
        if len(rest) < length:
            return
        self._buffer = rest[length:]
        answer, self._answer = self._answer, None
        if answer is not None and not answer.done():
            answer.set_result((int(head[9:12]), rest[:length]))

    def connection_lost(self, exc):
        if self._answer is not None and not self._answer.done():
            self._answer.set_exception(exc or ConnectionResetError())

    async def send(self, request: bytes) -> tuple[int, bytes]:
        """Send a whole request; return status and body of the answer."""
        assert self._transport is not None
        self._answer = asyncio.get_running_loop().create_future()
        self._transport.write(request)
        return await self._answer

    def close(self) -> None:
        if self._transport is not None:
            self._transport.close()


def request(method: str, path: str, body: bytes = b"", **headers: str) -> bytes:
    """Write a request."""
    lines = [f"{method} {path} HTTP/1.1", "Host: localhost", "Content-Type: application/json"]
    lines += [f"{name.replace('_', '-')}: {value}" for name, value in headers.items()]
    lines += [f"Content-Length: {len(body)}", "", ""]
    return "\r\n".join(lines).encode() + body


async def connect(host: str, port: int) -> Connection:
    _, connection = await asyncio.get_running_loop().create_connection(Connection, host, port)
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
