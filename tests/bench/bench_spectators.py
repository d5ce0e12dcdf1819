"""Measure what spectators of one match cost: processor time of a command beside open streams.

The application runs in this process, without a network. A lone player plays as fast as the answers
come, takes all moves back now and then to play on, and the spectators are sent every record. How
often they are sent some follows from the time that passes, which is long on a busy machine, so the
last column is what counts: the share of a core that they would take of a player who never pauses.
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
from service.http.live import SPECTATORS_S
from service.process.context import opened
from tests.bench.bench_http import next_move
from tests.bench.cost import Client, call_app

COMMANDS = 1_000
TAKEN_BACK = 25
"""Moves after which the player takes all back."""
SPECTATORS = (0, 100, 1_000)


async def watches(app, token: bytes, match: str, begun: asyncio.Event, seen: Counter[str]) -> None:
    """Read a stream until it ends; `begun` is set once it is open."""

    async def send(message):
        if message["type"] == "http.response.start":
            assert message["status"] == 200, message
            begun.set()
        body = message.get("body", b"")
        seen["sent"] += b"event: record" in body[:100]
        seen["records"] += body.count(b"event: record")

    headers = [(b"authorization", token)]
    await call_app(app, "GET", f"/matches/{match}/stream", headers, b"", send)


async def measured(spectators: int, data: str) -> tuple[float, Counter[str]]:
    """Return the processor time of a command (microseconds), and what the spectators were sent."""
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
        made = await client.call("/matches", b'{"game":"tranquility","seats":1}')
        path = f"/matches/{made['match']}/commands"
        answer = await client.call(path, b'{"type":"take_seat"}')
        take_back = {"type": "propose_undo", "to": answer["version"]}
        begun = [asyncio.Event() for _ in range(spectators)]
        streams = [
            asyncio.create_task(watches(app, spectator, made["match"], each, seen))
            for each in begun
        ]
        await asyncio.gather(*(each.wait() for each in begun))
        before = time.process_time()
        for count in range(COMMANDS):
            stuck = count % TAKEN_BACK == TAKEN_BACK - 1
            move = None if stuck else next_move(answer["view"])
            answer = await client.call(path, json.dumps(move or take_back).encode(), f"m{count}")
        spent = time.process_time() - before
        for stream in streams:
            stream.cancel()
        await asyncio.gather(*streams, return_exceptions=True)
    return spent / COMMANDS * 1e6, seen


def main() -> None:
    """Print the table."""
    logs.configure("warning")
    alone = 0.0
    for spectators in SPECTATORS:
        with tempfile.TemporaryDirectory() as data:
            us, seen = uvloop.run(measured(spectators, data))
        alone = alone or us
        each = (us - alone) * COMMANDS / max(1, seen["sent"])
        print(
            f"{spectators:5} spectators: {us:6.0f} µs of processor time a command,"
            f" {seen['records']:7} records in {seen['sent']:6} sendings of {each:4.0f} µs,"
            f" {spectators * each / SPECTATORS_S / 1e6:5.2f} of a core",
            flush=True,
        )


if __name__ == "__main__":
    main()
