"""Measure appends to the log, per second and in latency: `python -m tests.bench.bench_append`.

Each appender has its own match and appends the next record when the last one is on disk, on an
embedded server with fsync on every write. The last column is the ceiling: what one connection takes
when the same commands go out in ready-made pipelines of the same size.
"""

import argparse
import asyncio
import os
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

import uvloop
from redis.asyncio import Redis

from events.redis_store import RedisStore
from service.embedded.servers import Server, running

APPENDERS = (1, 8, 64, 256)


class Figures(NamedTuple):
    """One line of the table."""

    appenders: int
    per_second: float
    p50_ms: float
    p99_ms: float
    ceiling_per_second: float


async def measure(
    url: str, appenders: int, *, records: int = 20_000, size: int = 600, seed: bytes = b""
) -> Figures:
    """Append so many records of so many bytes by so many appenders at once."""
    data = os.urandom(size)
    each = max(1, records // appenders)
    waits: list[float] = []
    async with RedisStore(url) as store:

        async def appender(name: str, count: int) -> None:
            for version in range(1, count + 1):
                start = time.perf_counter()
                await store.append(name, version, data)
                waits.append(time.perf_counter() - start)

        async def together(mark: str, count: int) -> float:
            start = time.perf_counter()
            await asyncio.gather(*(appender(f"{mark}{i}", count) for i in range(appenders)))
            return time.perf_counter() - start

        mark = f"b{time.time_ns()}{seed.hex()}-{appenders}"
        await together(f"{mark}-warm-", max(1, each // 10))
        waits.clear()
        seconds = await together(f"{mark}-", each)
    waits.sort()
    ceiling = await pipelined(url, appenders, max(1, each), data)
    return Figures(
        appenders,
        each * appenders / seconds,
        waits[len(waits) // 2] * 1e3,
        waits[len(waits) * 99 // 100] * 1e3,
        ceiling,
    )


async def pipelined(url: str, width: int, rounds: int, data: bytes) -> float:
    """Send the same commands one pipeline of a fixed width after another.

    Return records a second.
    """
    mark = f"c{time.time_ns()}-{width}"
    async with Redis.from_url(url) as client:
        start = time.perf_counter()
        for version in range(1, rounds + 1):
            pipeline = client.pipeline(transaction=False)
            for index in range(width):
                pipeline.execute_command("XADD", f"log:{mark}-{index}", f"0-{version}", "r", data)
            await pipeline.execute()
        return width * rounds / (time.perf_counter() - start)


async def run(records: int, size: int) -> list[Figures]:
    """Measure on a fresh embedded server, over all numbers of appenders."""
    with tempfile.TemporaryDirectory() as folder:
        async with running(Server.log(Path(folder) / "log")) as url:
            return [
                await measure(
                    url, appenders, records=records if appenders > 1 else records // 8, size=size
                )
                for appenders in APPENDERS
            ]


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--records", type=int, default=20_000)
    parser.add_argument("--size", type=int, default=600, help="bytes of a record")
    options = parser.parse_args()
    figures = uvloop.run(run(options.records, options.size))
    print(f"{'appenders':>9} {'records/s':>10} {'p50 ms':>8} {'p99 ms':>8} {'pipeline/s':>11}")
    for row in figures:
        print(
            f"{row.appenders:>9} {row.per_second:>10,.0f} {row.p50_ms:>8.2f} {row.p99_ms:>8.2f} "
            f"{row.ceiling_per_second:>11,.0f}"
        )


if __name__ == "__main__":
    main()
