"""Print the processor time of a durable command over HTTP, by part.

The application runs in this process, without a network: 64 clients play Tranquility. A timer that
counts processor time interrupts the process, and the innermost frame of a known part is charged, so
the parts add up to the whole. `client` is the benchmark itself. The matches are made beforehand. On
a busy machine the caches of the processor are shared with others: the quietest 250 commands say
more than the mean.
"""

import argparse
import asyncio
import json
import signal
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import pairwise
from pathlib import Path
from types import FrameType

import msgspec
import uvloop

from games import GAMES
from service.base import logs
from service.base.settings import Settings
from service.http.app import build
from service.http.play_socket import STRANGERS_MAX
from service.http.server import rest_the_collector
from service.play.projector import Projector, following
from service.process.context import opened
from tests.bench.bench_http import next_move
from tests.projections.recorded import no_errata

ROOT = Path(__file__).parents[2]
INTERVAL_S = 0.001
WARM_UP = 250
SHORTEST = 30
"""Commands of a match, at least."""
WINDOW = 250
"""Number of commands whose mean is compared."""
CONNECTING = asyncio.Semaphore(STRANGERS_MAX)
PARTS = {
    "games/match/digest": "digest",
    "games/match/fold": "fold",
    "games/match/seating": "decide",
    "games/match/decide": "decide",
    "games/match/state": "fold",
    "games/tranquility/fold": "fold",
    "games/tranquility/view": "view",
    "games/tranquility/model": "fold",
    "games/tranquility": "decide",
    "games": "decide",
    "projections/folded": "fold",
    "projections/views": "view",
    "projections/told": "view",
    "projections": "view",
    "events": "append",
    "service/play/feed": "announce",
    "service/play/projector": "projector",
    "service/play/players": "identity and limits",
    "service/play/log_quota": "identity and limits",
    "service/play/admission": "identity and limits",
    "service/base/budgets": "identity and limits",
    "service/http/callers": "identity and limits",
    "service/http/access": "identity and limits",
    "service/http/quotas": "identity and limits",
    "service/http/shares": "identity and limits",
    "service/http": "framework",
    "service/play": "play",
    "service/base/metrics": "log and metrics",
    "service/base/logs": "log and metrics",
    "structlog": "log and metrics",
    "prometheus_client": "log and metrics",
    "litestar": "framework",
    "tests": "client",
}
"""By the beginning of a module's path, the part that it belongs to; the first match counts."""


def part_of(filename: str) -> str | None:
    """Return the part of a source file; None for libraries that work for their callers."""
    path = filename.removeprefix(f"{ROOT}/").rpartition("site-packages/")[2]
    return next((part for start, part in PARTS.items() if path.startswith(start)), None)


class Sampler:
    """Charges processor time to parts, and to functions within them."""

    def __init__(self) -> None:
        self.parts: Counter[str] = Counter()
        self.functions: Counter[str] = Counter()

    def take(self, _: int, frame: FrameType | None) -> None:
        while frame is not None:
            code = frame.f_code
            if (part := part_of(code.co_filename)) is not None:
                self.parts[part] += 1
                self.functions[f"{part}: {Path(code.co_filename).name} {code.co_qualname}"] += 1
                return
            frame = frame.f_back
        self.parts["event loop"] += 1

    @contextmanager
    def running(self) -> Iterator[None]:
        signal.signal(signal.SIGPROF, self.take)
        signal.setitimer(signal.ITIMER_PROF, INTERVAL_S, INTERVAL_S)
        try:
            yield
        finally:
            signal.setitimer(signal.ITIMER_PROF, 0)


async def call_app(
    app, method: str, path: str, headers: list[tuple[bytes, bytes]], body: bytes, send
) -> None:
    """Make a call without a network; `send` gets the messages of the answer."""
    scope = {
        "type": "http", "asgi": {"version": "3.0"}, "http_version": "1.1", "method": method,
        "scheme": "http", "path": path, "raw_path": path.encode(), "query_string": b"",
        "root_path": "", "headers": headers, "client": ("127.0.0.1", 1),
        "server": ("127.0.0.1", 1), "state": {},
    }  # fmt: skip
    asked = False

    async def receive():
        nonlocal asked
        if asked:
            await asyncio.sleep(3600)
        asked = True
        return {"type": "http.request", "body": body, "more_body": False}

    await app(scope, receive, send)


class Client:
    """Calls the application without a network."""

    def __init__(self, app) -> None:
        self._app = app
        self.token = b""

    async def connect(self) -> None:
        """Nothing to do: calls are independent."""

    async def close(self) -> None:
        """Nothing to do."""

    async def command(self, path: str, body: bytes, key: str) -> dict:
        return await self.call(path, body, key)

    async def call(self, path: str, body: bytes, key: str = "", prefer: str = "") -> dict:
        headers = [
            (b"content-type", b"application/json"),
            (b"content-length", b"%d" % len(body)),
            (b"authorization", self.token),
        ]
        if key:
            headers.append((b"idempotency-key", key.encode()))
        if prefer:
            headers.append((b"prefer", prefer.encode()))
        answer: list[bytes] = []

        async def send(message):
            if message["type"] == "http.response.start":
                assert message["status"] in (200, 201), message
            elif message["type"] == "http.response.body":
                answer.append(message.get("body", b""))

        await call_app(self._app, "POST", path, headers, body, send)
        return json.loads(b"".join(answer))


class SocketClient(Client):
    """Sends commands over a WebSocket, without a network."""

    def __init__(self, app) -> None:
        super().__init__(app)
        self._sent: asyncio.Queue[dict] = asyncio.Queue()
        self._told: asyncio.Queue[dict] = asyncio.Queue()
        self._serving: asyncio.Task[None] | None = None

    async def connect(self) -> None:
        """Open the connection with the token, while few others do."""
        async with CONNECTING:
            await self._connect()

    async def _connect(self) -> None:
        scope = {
            "type": "websocket", "asgi": {"version": "3.0"}, "http_version": "1.1",
            "scheme": "ws", "path": "/play", "raw_path": b"/play", "query_string": b"",
            "root_path": "", "headers": [(b"authorization", self.token)],
            "client": ("127.0.0.1", 1), "server": ("127.0.0.1", 1), "subprotocols": [],
            "state": {},
        }  # fmt: skip
        self._sent.put_nowait({"type": "websocket.connect"})
        app = self._app(scope, self._sent.get, self._told.put)
        self._serving = asyncio.create_task(app)
        for expected in ("websocket.accept", "websocket.send"):
            told = await self._told.get()
            assert told["type"] == expected, told

    async def command(self, path: str, body: bytes, key: str) -> dict:
        frame = {
            "type": "command", "id": key, "match": path.split("/")[2],
            "command": msgspec.Raw(body),
        }  # fmt: skip
        text = msgspec.json.encode(frame).decode()
        self._sent.put_nowait({"type": "websocket.receive", "text": text, "bytes": None})
        told = await self._told.get()
        answer = json.loads(told["text"] if told.get("text") else told["bytes"])
        assert answer["type"] == "accepted", answer
        return answer["accepted"]

    async def close(self) -> None:
        """End the connection."""
        self._sent.put_nowait({"type": "websocket.disconnect", "code": 1000})
        if self._serving is not None:
            await self._serving


class Spent:
    """Counts commands, and notes the processor time at every window of them."""

    def __init__(self, count: int) -> None:
        """Count to a number of commands."""
        self.left = count
        self._windows = [time.process_time()]

    def count(self) -> int:
        """Count a command that is about to be sent, and return its number from the end."""
        if self.left % WINDOW == 0:
            self._windows.append(time.process_time())
        self.left -= 1
        return self.left

    @property
    def least_us(self) -> float:
        """Processor time of a command in the quietest window (microseconds)."""
        steps = pairwise(self._windows[1:])
        return min((after - before) / WINDOW * 1e6 for before, after in steps)


async def prepared(client: Client, count: int) -> list[tuple[str, dict]]:
    """Sign a client in and make matches for it; return their paths and views."""
    made = await client.call("/players", b'{"name":"bench"}')
    client.token = f"Bearer {made['token']}".encode()
    await client.connect()
    return [await table(client) for _ in range(count)]


async def table(client: Client) -> tuple[str, dict]:
    """Make a match and take its only seat; return where its commands go, and the view."""
    match = (await client.call("/matches", b'{"game":"tranquility","seats":1}'))["match"]
    path = f"/matches/{match}/commands"
    return path, (await client.call(path, b'{"type":"take_seat"}'))["view"]


async def plays(client: Client, tables: list[tuple[str, dict]], spent: Spent) -> None:
    for path, view in tables:
        while spent.left > 0 and (move := next_move(view)) is not None:
            data = json.dumps(move).encode()
            view = (await client.command(path, data, f"m{spent.count()}"))["view"]  # noqa: PLW2901


async def measured(
    client: type[Client], clients: int, count: int, data: str
) -> tuple[Sampler, float, float]:
    """Return the samples, and the processor time of a command in all and at the least."""
    settings = Settings(
        data=Path(data), rate_limit="1000000/second", guest_limit="1000000/second",
        work_ms=1_000_000,
    )  # fmt: skip
    sampler = Sampler()
    async with opened(settings) as context:
        parts = (context.cache, context.store, context.feed, context.work, GAMES)
        async with following(Projector(*parts, no_errata)):
            app = build(context)
            players = [client(app) for _ in range(clients)]
            each_plays = -(-(WARM_UP + count) // clients // SHORTEST) + 1
            tables = await asyncio.gather(*(prepared(one, each_plays) for one in players))
            rest_the_collector()
            playing = list(zip(players, tables, strict=True))
            await play_all([(one, own[:1]) for one, own in playing], Spent(WARM_UP))
            spent, before = Spent(count), time.process_time()
            with sampler.running():
                await play_all([(one, own[1:]) for one, own in playing], spent)
            each = (time.process_time() - before) / count * 1e6
            await asyncio.gather(*(one.close() for one in players))
    assert spent.left <= 0, "the matches were too few"
    return sampler, each, spent.least_us


async def play_all(playing: list[tuple[Client, list[tuple[str, dict]]]], spent: Spent) -> None:
    await asyncio.gather(*(plays(client, tables, spent) for client, tables in playing))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--clients", type=int, default=64)
    parser.add_argument("--commands", type=int, default=5_000)
    parser.add_argument("--functions", type=int, default=0, help="also list so many functions")
    parser.add_argument("--socket", action="store_true", help="send commands over WebSockets")
    given = parser.parse_args()
    if given.commands < 2 * WINDOW:
        parser.error(f"--commands must be {2 * WINDOW} or more: its windows have {WINDOW} commands")
    client = SocketClient if given.socket else Client
    logs.configure("info")
    with tempfile.TemporaryDirectory() as data:
        running = measured(client, given.clients, given.commands, data)
        sampler, each, least = uvloop.run(running)
    total = sum(sampler.parts.values())
    print(f"{given.commands} commands, {each:.0f} µs of processor time each")
    print(f"{least:.0f} µs in the quietest {WINDOW}")
    for part, count in sampler.parts.most_common():
        print(f"{part:24} {each * count / total:7.1f} µs  {count / total:6.1%}")
    for name, count in sampler.functions.most_common(given.functions):
        print(f"  {each * count / total:7.1f} µs  {name}")


if __name__ == "__main__":
    main()
