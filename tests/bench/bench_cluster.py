"""Measure appends: to one server, to a cluster of three masters, and to one with replicas."""

import asyncio
import tempfile
import time
from pathlib import Path

from events.append_lane import Limits
from events.redis_store import RedisStore
from service.embedded.servers import Server, Supervisor
from tests.events.cluster import cluster_of
from tests.events.lines import next_line

APPENDERS = (1, 64, 256)
SECONDS = 3.0


async def rate(url: str, replicas: int, appenders: int) -> tuple[float, float]:
    """Return records per second, and the median milliseconds of one."""
    times: list[float] = []
    async with RedisStore(url, Limits(replicas=replicas)) as store:
        end = time.perf_counter() + SECONDS

        async def appender(name: str) -> None:
            lines: list[bytes] = []
            while (begun := time.perf_counter()) < end:
                line = next_line(lines, name)
                await store.append(name, len(lines) + 1, line)
                lines.append(line)
                times.append(time.perf_counter() - begun)

        tag = f"{replicas}-{appenders}"
        begun = time.perf_counter()
        await asyncio.gather(*(appender(f"m{tag}-{number}") for number in range(appenders)))
        seconds = time.perf_counter() - begun
    return len(times) / seconds, sorted(times)[len(times) // 2] * 1_000


def main() -> None:
    """Print a line for each."""
    with tempfile.TemporaryDirectory() as folder:
        with Supervisor(Server.log(Path(folder) / "one")) as one:
            _print("one server", one.url, 0)
        for replicas in (0, 1):
            with cluster_of(Path(folder) / str(replicas), replicas=replicas) as nodes:
                url = f"redis+cluster://127.0.0.1:{nodes[0].port}"
                _print(f"three masters, WAIT {replicas}", url, replicas)


def _print(name: str, url: str, replicas: int) -> None:
    for appenders in APPENDERS:
        per_second, median = asyncio.run(rate(url, replicas, appenders))
        print(f"{name}: {appenders:4} appenders {per_second:8,.0f}/s  p50 {median:6.2f} ms")


if __name__ == "__main__":
    main()
