"""Measure how fast the rows of a store are built anew after the work Redis was emptied."""

import asyncio
import os
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

from events.store import append_all
from games import GAMES
from games.match.commands import CreateMatch
from projections.rebuild import rebuild
from projections.rows import Rows
from service.base import logs
from service.base.settings import Settings
from service.process.context import Context, opened
from tests.projections.recorded import no_errata
from tests.recorder import Recorder

MATCHES = 20_000
AT_ONCE = 100


def lines(number: int) -> list[bytes]:
    """Return the log of a match that has just started."""
    recorder = Recorder(GAMES["tranquility"], CreateMatch("tranquility", 2), f"m_{number:024}")
    recorder.sit("", "heuristic")
    return recorder.lines


class Cost(NamedTuple):
    """The cost of a rebuild."""

    per_second: float
    """Matches per second."""
    processor: dict[str, float]
    """Processor time per match (seconds), by who spent it."""


async def measure() -> Cost:
    """Fill a log, and measure a rebuild of all rows."""
    with tempfile.TemporaryDirectory() as data:
        async with opened(Settings(data=Path(data))) as context:
            for start in range(0, MATCHES, AT_ONCE):
                numbers = range(start, start + AT_ONCE)
                filled = (append_all(context.store, f"m_{n:024}", lines(n)) for n in numbers)
                await asyncio.gather(*filled)
            started, before = time.perf_counter(), await spent(context)
            rows = Rows(context.work)
            await rebuild(context.store, GAMES, rows, lambda _, __: None, no_errata)
            seconds, after = time.perf_counter() - started, await spent(context)
            per_match = {name: (after[name] - before[name]) / MATCHES for name in after}
            return Cost(MATCHES / seconds, per_match)


async def spent(context: Context) -> dict[str, float]:
    """Return the processor time so far, by who spent it (seconds)."""
    (log,) = (await context.store.live.info()).values()
    work = await context.work.info("cpu")
    servers = {
        name: info["used_cpu_user"] + info["used_cpu_sys"]
        for name, info in (("log Redis", log), ("work Redis", work))
    }
    return {"this process": time.process_time(), "folding processes": folding_s(), **servers}


def folding_s() -> float:
    """Return the processor time of the processes that this one has started for folding."""
    ticks = os.sysconf("SC_CLK_TCK")
    total = 0.0
    for pid in Path(f"/proc/self/task/{os.getpid()}/children").read_text().split():
        fields = Path("/proc", pid, "stat").read_text().rpartition(")")[2].split()
        if b"anyio.to_process" in Path("/proc", pid, "cmdline").read_bytes():
            total += (int(fields[11]) + int(fields[12])) / ticks
    return total


def main() -> None:
    """Print the figures."""
    logs.configure("warning")
    cost = asyncio.run(measure())
    total = sum(cost.processor.values())
    print(
        f"rows of {MATCHES} matches that have just started: {cost.per_second:.0f}/s by the clock, "
        f"{total * 1e6:.0f} µs of processor time each"
    )
    for name, seconds in cost.processor.items():
        print(f"  {name}: {seconds * 1e6:.0f} µs")


if __name__ == "__main__":
    main()
