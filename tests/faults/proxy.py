"""A proxy on a unix socket that loses, cuts and holds back what passes through it."""

import asyncio
from contextlib import asynccontextmanager

FAULTS = ["lose reply", "cut before", "cut after", "half a reply", "slow reply", "late"]
SLOW_S = 0.1
LATE_S = 0.6


class Cut(Exception):
    """Cut the connection now."""


class Proxy:
    """`fault` returns the fate of a request's bytes: one of `FAULTS`, or "" to let it pass."""

    def __init__(self, target):
        self.target = target
        self.connections = 0
        self.late = 0
        self.fault = nothing
        self._tasks = set()

    def spawn(self, work):
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task

    async def handle(self, reader, writer):
        self.connections += 1
        await asyncio.wait([self.spawn(self._carry(reader, writer))])

    async def aclose(self):
        for task in list(self._tasks):
            task.cancel()
        if self._tasks:
            await asyncio.wait(self._tasks)

    async def _carry(self, reader, writer):
        ends, ways = [writer], []
        try:
            far_reader, far_writer = await asyncio.open_unix_connection(self.target)
            ends.append(far_writer)
            present = [""]
            ways.append(self.spawn(self._requests(reader, far_writer, present)))
            ways.append(self.spawn(self._replies(far_reader, writer, present)))
            done, _ = await asyncio.wait(ways, return_when=asyncio.FIRST_COMPLETED)
            for task in done:
                task.exception()
        finally:
            for task in ways:
                task.cancel()
            for end in ends:
                end.transport.abort()
                end.close()

    async def _requests(self, reader, far_writer, present):
        while chunk := await reader.read(1 << 20):
            fault = self.fault(chunk)
            if fault == "cut before":
                raise Cut
            if fault == "late":
                self.spawn(self._deliver_late(chunk))
                continue
            present[0] = fault or present[0]
            far_writer.write(chunk)
            await far_writer.drain()

    async def _replies(self, far_reader, writer, present):
        while chunk := await far_reader.read(1 << 20):
            fault = present[0]
            if fault == "lose reply":
                continue
            if fault == "cut after":
                raise Cut
            if fault == "slow reply":
                await asyncio.sleep(SLOW_S)
            writer.write(chunk[: len(chunk) // 2] if fault == "half a reply" else chunk)
            await writer.drain()
            if fault == "half a reply":
                raise Cut

    async def _deliver_late(self, chunk):
        await asyncio.sleep(LATE_S)
        reader, writer = await asyncio.open_unix_connection(self.target)
        try:
            writer.write(chunk)
            await writer.drain()
            await reader.read(1 << 20)
            self.late += 1
        finally:
            writer.close()


def nothing(_):
    return ""


def at_writes(name, times=1):
    """Apply a fault to the first requests that write a record."""
    left = times

    def fault(chunk):
        nonlocal left
        if left and b"XADD" in chunk:
            left -= 1
            return name
        return ""

    return fault


@asynccontextmanager
async def proxied(url, folder):
    """Keep a proxy before a server; return it, and its own URL."""
    proxy = Proxy(url.removeprefix("unix://"))
    path = folder / "proxy.sock"
    server = await asyncio.start_unix_server(proxy.handle, path)
    try:
        yield proxy, f"unix://{path}"
    finally:
        server.close()
        await proxy.aclose()
        await server.wait_closed()
