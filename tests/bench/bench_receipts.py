"""What receipts cost: processor time of a durable command over HTTP, by who asks for one.

The application runs in this process, without a network, and takes the ways in turn, because the
speed of a busy machine changes from second to second. The median of the ratios counts.
`python -m tests.bench.bench_receipts 2>/dev/null`
"""

import asyncio
import json
import statistics
import tempfile
import time
from pathlib import Path

import uvloop

from service.base import logs
from service.base.settings import Settings
from service.http.app import build
from service.process.context import opened
from tests.bench.bench_http import next_move
from tests.bench.cost import Client

PLAYERS = (1, 64)
ROUNDS = 15
COMMANDS = 128
WAYS = {"nobody asks": 0, "each 20th command asks": 20, "each command asks": 1}


class Table:
    """A player whose matches never end."""

    def __init__(self, client: Client) -> None:
        self._client = client
        self._path = ""
        self._view: dict | None = None

    async def send(self, asks: int, count: int) -> None:
        if self._view is None or (move := next_move(self._view)) is None:
            opened = await self._client.call("/matches", b'{"game":"tranquility","seats":1}')
            self._path = f"/matches/{opened['match']}/commands"
            move = {"type": "take_seat"}
        prefer = "receipt" if asks and count % asks == 0 else ""
        answer = await self._client.call(self._path, json.dumps(move).encode(), prefer=prefer)
        self._view = answer["view"]


async def spent(tables: list[Table], asks: int) -> float:
    """Return the processor time per command (microseconds)."""
    each = COMMANDS // len(tables)

    async def play(place: int, table: Table) -> None:
        for number in range(each):
            await table.send(asks, place + number)

    begun = time.process_time()
    await asyncio.gather(*(play(*one) for one in enumerate(tables)))
    return (time.process_time() - begun) / each / len(tables) * 1e6


async def measure(data: str) -> None:
    settings = Settings(
        data=Path(data), rate_limit="1000000/second", guest_limit="1000000/second",
        work_ms=10_000_000,
    )  # fmt: skip
    async with opened(settings) as context:
        app = build(context)
        for players in PLAYERS:
            tables = []
            for _ in range(players):
                client = Client(app)
                made = await client.call("/players", b'{"name":"bench"}')
                client.token = f"Bearer {made['token']}".encode()
                tables.append(Table(client))
            rounds = [
                {way: await spent(tables, asks) for way, asks in WAYS.items()}
                for _ in range(ROUNDS)
            ]
            print(f"{players} at once")
            for way in WAYS:
                took = statistics.median(one[way] for one in rounds)
                ratio = statistics.median(one[way] / one["nobody asks"] for one in rounds)
                print(f"  {way:24}{took:6.0f} µs  x {ratio:.3f}")


def main() -> None:
    logs.configure("info")
    with tempfile.TemporaryDirectory() as data:
        uvloop.run(measure(data))


if __name__ == "__main__":
    main()
