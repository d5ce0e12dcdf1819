"""How much sooner an analysis ends with an idle second worker: `make bench`.

Of each game the longest recorded match is analysed with the default budget, by one worker and by
two, in turn.
"""

import asyncio
import dataclasses
import tempfile
import time
from pathlib import Path
from statistics import median

import msgspec

from events.store import append_all
from games import GAMES
from projections.folded import Folded
from service.base.settings import Settings
from service.embedded.servers import Server, Supervisor
from service.process.context import Context, opened
from tests.corpus import load, played_out
from tests.service.worker.working import served, working

RUNS = 3


async def seconds(context: Context, workers: int, match: str, version: int) -> float:
    """Return the time from the request for an analysis to its end."""
    await context.work.flushall()
    settings = msgspec.structs.replace(context.settings, analysis_workers=workers)
    async with working(dataclasses.replace(context, settings=settings), "analysis"):
        await served(context, workers)
        began = time.monotonic()
        job = await context.jobs.submit("analysis", match, version, "p_bench")
        while job.state in ("queued", "running"):
            await asyncio.sleep(0.02)
            job = await context.jobs.get(job.id, "p_bench")
        assert job.state == "finished", job
        return time.monotonic() - began


async def measure(settings: Settings) -> None:
    """Print one row for each game."""
    print("| game | records | one worker s | two | ratio |\n|---|---|---|---|---|")
    async with opened(settings) as context:
        for slug in GAMES:
            log = max(map(load, played_out(slug)), key=len)
            folded = Folded.of(GAMES, log)
            match = folded.match.header.match
            await append_all(context.store, match, log)
            times: dict[int, list[float]] = {1: [], 2: []}
            for _ in range(RUNS):
                for workers, found in times.items():
                    found.append(await seconds(context, workers, match, folded.version))
            one, two = (median(found) for found in times.values())
            print(f"| {slug} | {folded.version} | {one:.1f} | {two:.1f} | {one / two:.2f} |")


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        data = Path(folder)
        with (
            Supervisor(Server.log(data / "log")) as log,
            Supervisor(Server.work(data / "work")) as work,
        ):
            settings = Settings(data=data, log_url=log.url, work_url=work.url, log_level="error")
            asyncio.run(measure(settings))


if __name__ == "__main__":
    main()
