"""What `audit --follow` takes for a large store: time and memory of the first audit and of a start.

Run `python -m tests.bench.bench_follow [MATCHES]`. The matches are small: created, and one of two
seats taken. They are written without fsync, which is not measured here.
"""

import asyncio
import resource
import sys
import time
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import msgspec
from redis import Redis

from games import GAMES
from games.match.commands import Actor, CreateMatch, TakeSeat
from service.base import metrics
from service.base.keys import SecretFile
from service.base.settings import Settings
from service.embedded.servers import Server, Supervisor
from service.process.audit_journal import Journal
from service.process.auditing import StoreAuditor, auditing
from tests.events.accounts import EVERYTHING
from tests.recorder import MASTER, SIGNING, Recorder

TOGETHER = 1_000


def logs(count: int) -> Iterator[tuple[str, list[bytes]]]:
    """Yield small matches."""
    game = GAMES["tranquility"]
    for number in range(count):
        recorder = Recorder(game, CreateMatch("tranquility", 2), f"m_{number}")
        recorder.send(Actor(player="p_1"), TakeSeat(seat=1, entropy="entropy-1"))
        yield recorder.match.header.match, recorder.lines


def write(folder: Path, count: int) -> int:
    """Write matches into a log; return the number of records."""
    records = 0
    server = Server.log(folder / "log", appendfsync="no", **EVERYTHING)
    with Supervisor(server) as running, Redis.from_url(running.url) as client:
        pipe = client.pipeline(transaction=False)
        for match, lines in logs(count):
            for version, line in enumerate(lines, start=1):
                pipe.xadd(f"log:{match}", {"r": line}, id=f"0-{version}")
            records += len(lines)
            if len(pipe.command_stack) > TOGETHER:
                pipe.execute()
        pipe.execute()
    return records


def memory() -> float:
    """Return the resident memory of this process (MB)."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * resource.getpagesize() / 1e6


async def measured(
    folder: Path, name: str, done: Callable[[StoreAuditor], Awaitable[None]]
) -> None:
    """Run an auditor until it is done, and print what that took."""
    watch, cpu, before = time.perf_counter(), time.process_time(), metrics.AUDIT_RECORDS
    records = before._value.get()  # pyright: ignore[reportPrivateUsage]
    with Journal(folder / "audited.jsonl") as journal:
        async with auditing(Settings(data=folder), journal, redaction=True) as auditor:
            await done(auditor)
        records = before._value.get() - records  # pyright: ignore[reportPrivateUsage]
        seconds = time.process_time() - cpu
        print(
            f"{name}: {len(journal.audited)} matches, {records:.0f} records audited, "
            f"{seconds:.1f} s CPU ({records / seconds:.0f} records/s), "
            f"{time.perf_counter() - watch:.1f} s, {memory():.0f} MB"
        )


async def settle(auditor: StoreAuditor) -> None:
    """Audit all that is due."""
    await auditor.step()
    while auditor.due:
        await auditor.step()


def main(count: int) -> None:
    """Print the table."""
    with TemporaryDirectory() as name:
        folder = Path(name)
        secrets = SecretFile(
            {"k1": MASTER.hex()}, "k1", "22" * 32, SIGNING.private_bytes_raw().hex()
        )
        (folder / "secrets.json").write_bytes(msgspec.json.encode(secrets))
        (folder / "secrets.json").chmod(0o600)
        print(f"{write(folder, count)} records written; {memory():.0f} MB before")
        asyncio.run(measured(folder, "first audit", settle))
        asyncio.run(measured(folder, "start from the journal", settle))
        size = (folder / "audited.jsonl").stat().st_size
        print(f"journal: {size / 1e6:.0f} MB")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 100_000)
