"""Measure the processor time for which one record keeps the projector busy.

`python -m tests.bench.bench_projector [PER_SECOND]`: another process appends records to
many matches and announces them, as services do, by default at a pace that can be followed.
"""

import asyncio
import os
import pickle
import sys
import tempfile
import time
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from events.redis_store import RedisStore
from games import GAMES
from games.match.commands import CreateMatch
from projections.rows import Rows
from service.base import logs
from service.base.keys import SecretFile
from service.base.settings import Settings
from service.play.feed import Feed
from service.process.checkpointing import projecting
from service.process.context import opened, work_client
from tests.recorder import MASTER, SIGNING, Recorder

MATCHES = 200
MOVES = 40
PER_SECOND = 1_000


class Cost(NamedTuple):
    """The cost of following records."""

    records: int
    per_second: float
    """Records that were appended in a second."""
    processor: float
    """Processor time of the projector's process for each (seconds)."""
    work: float
    """Processor time of the work Redis for each (seconds)."""
    behind: float
    """Time from the last append until the rows had it (seconds)."""


def played(number: int) -> list[bytes]:
    """Return the log of a match for one, with some moves."""
    game = GAMES["tranquility"]
    recorder = Recorder(game, CreateMatch("tranquility", 1), f"m_{number:024}")
    recorder.sit("")
    while len(recorder.lines) < MOVES and not recorder.match.over:
        (command, *_) = game.legal(recorder.state, 0)
        recorder.play(0, command)
    return recorder.lines


async def write(log_url: str, work_url: str, lines: list[list[bytes]], per_second: float) -> None:
    """Append the records of all matches by turns, each announced before."""
    work = work_client(work_url)
    feed, started, written = Feed(work), time.perf_counter(), 0
    async with RedisStore(log_url) as store:

        async def append(number: int, version: int) -> None:
            await feed.announce(match := f"m_{number:024}", version)
            await store.append(match, version, lines[number][version - 1])

        for version in range(1, max(map(len, lines)) + 1):
            some = [number for number, log in enumerate(lines) if len(log) >= version]
            await asyncio.gather(*(append(number, version) for number in some))
            written += len(some)
            await asyncio.sleep(started + written / per_second - time.perf_counter())
    await feed.aclose()
    await work.aclose()


async def measure(per_second: float) -> Cost:
    """Follow what another process appends, until the rows have all of it."""
    with tempfile.TemporaryDirectory() as data:
        folder = Path(data)
        secrets = SecretFile(
            {"k1": MASTER.hex()}, "k1", "22" * 32, SIGNING.private_bytes_raw().hex()
        )
        (folder / "secrets.json").write_bytes(msgspec.json.encode(secrets))
        (folder / "secrets.json").chmod(0o600)
        logs_of = [played(number) for number in range(MATCHES)]
        (folder / "logs").write_bytes(pickle.dumps(logs_of))
        records = sum(map(len, logs_of))
        async with opened(Settings(data=folder)) as context, projecting(context) as projector:
            while not (projector.leading and await complete(projector.rows)):  # noqa: ASYNC110
                await asyncio.sleep(0.1)
            before, busy = await work_s(context.work), time.process_time()
            command = [sys.executable, "-m", "tests.bench.bench_projector", str(per_second)]
            urls = {"BENCH_LOG": context.log_url, "BENCH_WORK": context.work_url}
            started = time.perf_counter()
            writer = await asyncio.create_subprocess_exec(
                *command, str(folder / "logs"), env=os.environ | urls
            )
            assert await writer.wait() == 0
            ended = time.perf_counter()
            rows = Rows(context.work)
            names = [f"m_{number:024}" for number in range(MATCHES)]
            while True:
                found = await rows.summaries(await rows.generation(), names)
                if sum(one.version for one in found) == records:
                    break
                await asyncio.sleep(0.05)
            behind, busy = time.perf_counter() - ended, time.process_time() - busy
            work = await work_s(context.work) - before
        return Cost(records, records / (ended - started), busy / records, work / records, behind)


async def complete(rows: Rows) -> bool:
    """Return whether the rows are complete."""
    return await rows.is_complete(await rows.generation())


async def work_s(work: Any) -> float:
    """Return the processor time of the work Redis so far (seconds)."""
    info = await work.info("cpu")
    return info["used_cpu_user"] + info["used_cpu_sys"]


def main(per_second: float = PER_SECOND) -> None:
    """Print the figures."""
    logs.configure("error")
    cost = asyncio.run(measure(per_second))
    print(
        f"{cost.records} records of {MATCHES} matches at {cost.per_second:.0f}/s: the projector's "
        f"process {cost.processor * 1e6:.0f} µs each, the work Redis {cost.work * 1e6:.0f} µs, "
        f"{cost.behind:.2f} s behind at the end"
    )


if __name__ == "__main__":
    if len(sys.argv) == 3:
        asyncio.run(
            write(
                os.environ["BENCH_LOG"],
                os.environ["BENCH_WORK"],
                pickle.loads(Path(sys.argv[2]).read_bytes()),
                float(sys.argv[1]),
            )
        )
    else:
        main(float(sys.argv[1]) if len(sys.argv) > 1 else PER_SECOND)
