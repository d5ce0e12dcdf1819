"""Measure durable commands over HTTP beside the bare framework, each server on one core."""

import asyncio
import os
import re
import secrets
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import NamedTuple

import msgspec
import uvloop

from service.http.play_socket import STRANGERS_MAX
from tests.bench.load import (
    Client,
    Clock,
    Connection,
    Figures,
    Play,
    Socket,
    connect,
    drive,
    frame,
    request,
)
from tests.events.cluster import free_port

Moving = Callable[[Clock, str, dict], Awaitable[dict]]
"""Sends a move to a match, and returns the view after it."""
Channel = Callable[[Connection, str], Awaitable[Moving]]
"""Opens a way for the moves of a player with a token, besides a connection for calls."""


BARE = """
import asyncio, sys, msgspec, uvloop
from granian.constants import Interfaces
from granian.server.embed import Server
from litestar import Litestar, post
from litestar.params import JSONBody
class Body(msgspec.Struct):
    type: str
    cards: list[str]
@post("/", status_code=200)
async def echo(data: JSONBody[Body]) -> Body:
    return data
async def main():
    app = Litestar([echo], openapi_config=None, logging_config=None)
    port = int(sys.argv[1])
    server = Server(app, port=port, interface=Interfaces.ASGINL, backlog=1024, log_enabled=False)
    print(f"at http://127.0.0.1:{sys.argv[1]}", flush=True)
    await server.serve()
uvloop.run(main())
"""

WARM_S = 1.0
WIDTH = 64
"""Number of clients in comparisons with the bare framework."""
ROUNDS = 4
"""Rounds of the comparison with WebSockets: both are measured in each, one after the other."""
MATCHES = 1_000
"""Matches that are made before the clock starts, so that only moves are measured."""


def wait_for(port: int) -> None:
    """Wait until a server listens, which may be a little after it said so."""
    for _ in range(100):
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.05)


class Server(NamedTuple):
    """A running server."""

    process: int
    port: int

    def spent_us(self) -> float:
        """Return the processor time of all its threads (microseconds), without its Redis."""
        threads = Path(f"/proc/{self.process}/task").iterdir()
        return sum(int((thread / "schedstat").read_text().split()[0]) for thread in threads) / 1000


@contextmanager
def served(command: list[str], cores: set[int], **environ: str):
    """Run a server with all its threads on some cores (not its Redis); yield it."""
    process = subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
        env={**os.environ, **environ}, text=True,
    )  # fmt: skip
    try:
        assert process.stdout is not None
        found = re.search(r"http://127.0.0.1:(\d+)", process.stdout.readline())
        assert found, "the server did not come up"
        wait_for(int(found[1]))
        for thread in Path(f"/proc/{process.pid}/task").iterdir():
            os.sched_setaffinity(int(thread.name), cores)
        yield Server(process.pid, int(found[1]))
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait(20)
        process.stdout.close()


async def bare_client(connection: Connection) -> Play:
    body = request("POST", "/", b'{"type":"discard_two","cards":["island_12","finish_3"]}')

    async def play(clock: Clock) -> None:
        while not clock.over:
            await clock.timed(connection, body)

    return play


async def posting(connection: Connection, token: str) -> Moving:
    """Send each move by HTTP."""

    async def moving(clock: Clock, match: str, move: dict) -> dict:
        path, key = f"/matches/{match}/commands", secrets.token_hex(4)
        data = msgspec.json.encode(move)
        sent = request("POST", path, data, Authorization=token, Idempotency_Key=key)
        status, body = await clock.timed(connection, sent)
        assert status == 200, body
        return msgspec.json.decode(body)["view"]

    return moving


def by_socket() -> Channel:
    """Send the moves of each player over one WebSocket."""
    connecting = asyncio.Semaphore(STRANGERS_MAX)

    async def channel(connection: Connection, token: str) -> Moving:
        socket = await connect(*connection.peer, Socket)
        async with connecting:
            await socket.open("/play", token)

        async def moving(clock: Clock, match: str, move: dict) -> dict:
            sent = {"type": "command", "id": secrets.token_hex(4), "match": match, "command": move}
            status, body = await clock.timed(socket, frame(msgspec.json.encode(sent)))
            assert status == 200, body
            return msgspec.json.decode(body)["accepted"]["view"]

        return moving

    return channel


def movers(clients: int, channel: Channel = posting) -> Client:
    """Return clients that play solo matches of Tranquility, which they make beforehand."""
    return partial(mover, -(-MATCHES // clients), channel)


async def mover(matches: int, channel: Channel, connection: Connection) -> Play:
    """Make matches, to play them: each move follows from the view in the last answer."""
    status, body = await connection.send(request("POST", "/players", b'{"name":"bench"}'))
    assert status == 201, body
    token = f"Bearer {msgspec.json.decode(body)['token']}"
    tables = [await table(connection, token) for _ in range(matches)]
    moving = await channel(connection, token)

    async def play(clock: Clock) -> None:
        for match, view in tables:
            while not clock.over and (move := next_move(view)) is not None:
                view = await moving(clock, match, move)  # noqa: PLW2901 - it goes on from there
        assert clock.over, f"{MATCHES} matches are too few for this server"

    return play


async def table(connection: Connection, token: str) -> tuple[str, dict]:
    """Make a match and take its only seat; return its id and the view."""
    new = b'{"game":"tranquility","seats":1}'
    _, body = await connection.send(request("POST", "/matches", new, Authorization=token))
    match = msgspec.json.decode(body)["match"]
    path, seat = f"/matches/{match}/commands", b'{"type":"take_seat"}'
    _, body = await connection.send(request("POST", path, seat, Authorization=token))
    return match, msgspec.json.decode(body)["view"]


def next_move(view: dict) -> dict | None:
    hand = view["hands"][0]
    start = next((card for card in hand if card.startswith("start_")), None)
    match view["phase"]:
        case "action" if start is not None and view["start_placed"] is None:
            return {"type": "play_start", "card": start}
        case "action" if len(hand) >= 2:
            return {"type": "discard_two", "cards": hand[:2]}
        case "start_pledge":
            return {"type": "pledge", "count": 8}
        case "start_pay":
            return {"type": "pay_start", "cards": hand[:8]}
    return None


async def measure(
    server: Server, clients: int, client: Client, run_s: float
) -> tuple[Figures, float]:
    """Return what clients measured, and the processor time of a request (microseconds)."""
    figures, spent_us = await drive(
        "127.0.0.1", server.port, clients, client,
        warm_s=WARM_S, run_s=run_s, spent_us=server.spent_us,
    )  # fmt: skip
    return figures, spent_us / len(figures.latencies_ms)


def shiplog(data: str) -> tuple[list[str], dict[str, str]]:
    script = "from service.cli import main; main()"
    return [sys.executable, "-c", script, "serve"], {
        "SHIPLOG_DATA": data,
        "SHIPLOG_PORT": str(free_port()),
        "SHIPLOG_RATE_LIMIT": "1000000/second",
        "SHIPLOG_GUEST_LIMIT": "1000000/second",
        "SHIPLOG_WORK_MS": "1000000",
        "SHIPLOG_LOG_LEVEL": os.environ.get("LOG_LEVEL", "info"),
    }


def main(run_s: float = 4.0) -> None:
    """Print the table."""
    os.sched_setaffinity(0, {1})
    with served([sys.executable, "-c", BARE, str(free_port())], {0}) as server:
        bare, bare_us = uvloop.run(measure(server, WIDTH, bare_client, run_s))
    print(row(f"bare framework, {WIDTH} clients", bare, bare_us))
    with tempfile.TemporaryDirectory() as data:
        command, environ = shiplog(data)
        with served(command, {0}, **environ) as server:
            for clients in (1, 8, WIDTH, 256):
                figures, us = uvloop.run(measure(server, clients, movers(clients), run_s))
                print(row(f"durable commands, {clients:3} clients", figures, us), end="")
                if clients == WIDTH:
                    tail = figures.percentile(0.99) / bare.percentile(0.99)
                    print(
                        f"  {figures.rate / bare.rate:.2f} of bare ({bare_us / us:.2f} by"
                        f" processor time)  p99 {tail:.2f}x",
                        end="",
                    )
                print()
            for _ in range(ROUNDS):
                by_http, http_us = uvloop.run(measure(server, WIDTH, movers(WIDTH), run_s))
                sockets = movers(WIDTH, by_socket())
                figures, us = uvloop.run(measure(server, WIDTH, sockets, run_s))
                by_rate, by_time = figures.rate / by_http.rate, http_us / us
                print(row(f"over WebSockets, {WIDTH} clients", figures, us), end="")
                print(f"  {by_rate:.2f} of HTTP ({by_time:.2f} by processor time)")


def row(name: str, figures: Figures, spent_us: float) -> str:
    """Return one line."""
    return (
        f"{name:30} {figures.rate:8.0f}/s  p50 {figures.percentile(0.5):6.2f} ms"
        f"  p99 {figures.percentile(0.99):6.2f} ms  {spent_us:.0f} µs of processor time"
    )


if __name__ == "__main__":
    main()
