"""Measure what spectators of one match cost: processor time of a command beside open streams.

The application runs in this process, without a network. A lone player plays as fast as the answers
come, and the spectators are sent every record.
"""

import asyncio
import json
import tempfile
import time
from collections import Counter
from pathlib import Path

import uvloop

from service.base import logs
from service.base.settings import Settings
from service.http.app import build
from service.process.context import opened
from tests.bench.bench_http import next_move
from tests.bench.cost import Client

COMMANDS = 100
SPECTATORS = (0, 100, 1_000)


async def watches(app, token: bytes, match: str, begun: asyncio.Event, seen: Counter[str]) -> None:
    """Read a stream until it ends; `begun` is set once it is open."""
    path = f"/matches/{match}/stream"
    scope = {
        "type": "http", "asgi": {"version": "3.0"}, "http_version": "1.1", "method": "GET",
        "scheme": "http", "path": path, "raw_path": path.encode(), "query_string": b"",
        "root_path": "", "headers": [(b"authorization", token)], "client": ("127.0.0.1", 1),
        "server": ("127.0.0.1", 1), "state": {},
    }  # fmt: skip
    asked = False

    async def receive():
        nonlocal asked
        if asked:
            await asyncio.sleep(3600)
        asked = True
        return {"type": "http.request", "body": b"", "more_body": False}

    async def send(message):
        if message["type"] == "http.response.start":
            assert message["status"] == 200, message
            begun.set()
        seen["records"] += message.get("body", b"").count(b"event: record")

    await app(scope, receive, send)


async def measured(spectators: int, data: str) -> tuple[float, int]:
    """Return the processor time of a command (microseconds), and how many records were sent."""
    settings = Settings(
        data=Path(data), rate_limit="1000000/second", guest_limit="1000000/second",
        work_ms=1_000_000, streams_max=10_000,
    )  # fmt: skip
    async with opened(settings) as context:
        app = build(context)
        client, seen = Client(app), Counter[str]()
        client.token, spectator = [
            f"Bearer {(await client.call('/players', named))['token']}".encode()
            for named in (b'{"name":"player"}', b'{"name":"spectator"}')
        ]
        spent = commands = 0
        while commands < COMMANDS:
            made = await client.call("/matches", b'{"game":"tranquility","seats":1}')
            path = f"/matches/{made['match']}/commands"
            answer = await client.call(path, b'{"type":"take_seat"}')
            begun = [asyncio.Event() for _ in range(spectators)]
            streams = [
                asyncio.create_task(watches(app, spectator, made["match"], each, seen))
                for each in begun
            ]
            await asyncio.gather(*(each.wait() for each in begun))
            before = time.process_time()
            while commands < COMMANDS and (move := next_move(answer["view"])) is not None:
                commands += 1
                answer = await client.call(path, json.dumps(move).encode(), f"m{commands}")
            spent += time.process_time() - before
            for stream in streams:
                stream.cancel()
            await asyncio.gather(*streams, return_exceptions=True)
    return spent / commands * 1e6, seen["records"]


def main() -> None:
    """Print the table."""
    logs.configure("warning")
    alone = 0.0
    for spectators in SPECTATORS:
        with tempfile.TemporaryDirectory() as data:
            us, records = uvloop.run(measured(spectators, data))
        alone = alone or us
        print(
            f"{spectators:5} spectators: {us:8.0f} µs of processor time a command,"
            f" {us / alone:5.2f} x  ({records} records sent)",
            flush=True,
        )


if __name__ == "__main__":
    main()
