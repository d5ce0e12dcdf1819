"""Measure the processor time for which records keep the processes busy that write the rows.

`python -m tests.bench.bench_projector [PER_SECOND [PROCESSES]]`: a process appends records to
many matches and announces them, as services do, by default at a pace that can be followed. The
others share the partitions of the feed.
"""

import asyncio
import os
import pickle
import sys
import tempfile
import time
from asyncio.subprocess import PIPE
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from events.redis_store import RedisStore
from games import GAMES
from games.match.commands import CreateMatch
from projections.rows import NoRows, Rows
from service.base import logs
from service.base.keys import SecretFile
from service.base.settings import Settings
from service.play.feed import Feed, starts
from service.play.leases import lease_of
from service.process.checkpointing import projecting
from service.process.context import opened
from service.process.stores import work_client
from tests.recorder import MASTER, SIGNING, Recorder

MATCHES = 200
MOVES = 40
PER_SECOND = 1_000


class Cost(NamedTuple):
    """The cost of following records."""

    records: int
    per_second: float
    """Records that were appended in a second."""
    processors: list[float]
    """Processor time of each process by the number of all records (seconds)."""
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


async def follow() -> None:
    """Follow until the input ends, and print the processor time since its first line."""
    logs.configure("error")
    settings = Settings(
        data=Path(os.environ["BENCH_DATA"]),
        log_url=os.environ["BENCH_LOG"],
        work_url=os.environ["BENCH_WORK"],
    )
    async with opened(settings) as context, projecting(context):
        await asyncio.to_thread(sys.stdin.readline)
        busy = time.process_time()
        await asyncio.to_thread(sys.stdin.read)
        print(time.process_time() - busy)


async def measure(per_second: float, processes: int) -> Cost:
    """Let processes follow what another one appends, until the rows have all of it."""
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
        async with opened(Settings(data=folder)) as context:
            urls = {"BENCH_LOG": context.log_url, "BENCH_WORK": context.work_url}
            environ = os.environ | urls | {"BENCH_DATA": data}
            command = [sys.executable, "-m", "tests.bench.bench_projector"]
            followers = [
                await asyncio.create_subprocess_exec(
                    *command, "follow", env=environ, stdin=PIPE, stdout=PIPE
                )
                for _ in range(processes)
            ]
            rows = Rows(context.work)
            while not (await complete(rows) and await shared(context.work) == processes):  # noqa: ASYNC110
                await asyncio.sleep(0.1)
            before = await work_s(context.work)
            for one in followers:
                assert one.stdin is not None
                one.stdin.write(b"\n")
            started = time.perf_counter()
            writer = await asyncio.create_subprocess_exec(
                *command, "write", str(per_second), str(folder / "logs"), env=environ
            )
            assert await writer.wait() == 0
            ended = time.perf_counter()
            names = [f"m_{number:024}" for number in range(MATCHES)]
            while True:
                found = await rows.summaries(await rows.generation(), names)
                if sum(one.version for one in found) == records:
                    break
                await asyncio.sleep(0.05)
            behind = time.perf_counter() - ended
            work = await work_s(context.work) - before
            told = await asyncio.gather(*(one.communicate(b"") for one in followers))
        busy = [float(text) / records for text, _ in told]
        return Cost(records, records / (ended - started), busy, work / records, behind)


async def shared(work: Any) -> int:
    """Return how many processes write rows, 0 while nobody writes some of them."""
    holders = await work.mget([lease_of(partition) for partition in starts()])
    return 0 if None in holders else len(set(holders))


async def complete(rows: Rows) -> bool:
    """Return whether the rows are complete."""
    try:
        return await rows.is_complete(await rows.generation())
    except NoRows:
        return False


async def work_s(work: Any) -> float:
    """Return the processor time of the work Redis so far (seconds)."""
    info = await work.info("cpu")
    return info["used_cpu_user"] + info["used_cpu_sys"]


def main(per_second: float = PER_SECOND, processes: int = 1) -> None:
    """Print the figures."""
    logs.configure("error")
    cost = asyncio.run(measure(per_second, processes))
    each = ", ".join(f"{busy * 1e6:.0f}" for busy in sorted(cost.processors, reverse=True))
    print(
        f"{cost.records} records of {MATCHES} matches at {cost.per_second:.0f}/s: the processes "
        f"{each} µs a record, together {sum(cost.processors) * 1e6:.0f} µs, the work Redis "
        f"{cost.work * 1e6:.0f} µs, {cost.behind:.2f} s behind at the end"
    )


if __name__ == "__main__":
    match sys.argv[1:]:
        case ["follow"]:
            asyncio.run(follow())
        case ["write", pace, lines]:
            asyncio.run(
                write(
                    os.environ["BENCH_LOG"],
                    os.environ["BENCH_WORK"],
                    pickle.loads(Path(lines).read_bytes()),
                    float(pace),
                )
            )
        case given:
            main(float(given[0]) if given else PER_SECOND, int(given[1]) if given[1:] else 1)
