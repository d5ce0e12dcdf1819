"""Measure how fast the rows of a store are built anew after the work Redis was emptied."""

import asyncio
import tempfile
import time
from pathlib import Path

from events.store import append_all
from games import GAMES
from games.match.commands import CreateMatch
from projections.rebuild import rebuild
from projections.rows import Rows
from service.base import logs
from service.base.settings import Settings
from service.process.context import opened
from tests.projections.recorded import no_errata
from tests.recorder import Recorder

MATCHES = 2_000
AT_ONCE = 100


def lines(number: int) -> list[bytes]:
    """Return the log of a match that has just started."""
    recorder = Recorder(GAMES["tranquility"], CreateMatch("tranquility", 2), f"m_{number:024}")
    recorder.sit("", "heuristic")
    return recorder.lines


async def measure() -> tuple[float, float]:
    """Return the matches per second, and the processor seconds of this process per match."""
    with tempfile.TemporaryDirectory() as data:
        async with opened(Settings(data=Path(data))) as context:
            for start in range(0, MATCHES, AT_ONCE):
                numbers = range(start, start + AT_ONCE)
                filled = (append_all(context.store, f"m_{n:024}", lines(n)) for n in numbers)
                await asyncio.gather(*filled)
            started, spent = time.perf_counter(), time.process_time()
            await rebuild(context.store, GAMES, Rows(context.work), lambda _, __: None, no_errata)
            spent = time.process_time() - spent
            return MATCHES / (time.perf_counter() - started), spent / MATCHES


def main() -> None:
    """Print the figures."""
    logs.configure("warning")
    rate, spent = asyncio.run(measure())
    print(
        f"rows of {MATCHES} matches that have just started: {rate:.0f}/s by the clock, "
        f"{spent * 1e6:.0f} µs of processor time each"
    )


if __name__ == "__main__":
    main()
