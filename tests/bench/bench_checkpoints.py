"""What the checkpoint log costs, as a share of the time of a command.

Each match gets some commands between two beats. The time is processor time of the whole process,
threads included, and the share is of a command that is decided and stored in memory: over HTTP and
with a real log, a command takes several times as long.
"""

import asyncio
import tempfile
import time
from pathlib import Path
from types import SimpleNamespace

import structlog

from events.checkpoints.log import CheckpointLog
from events.folder import Folder
from events.memory_store import MemoryStore
from events.tiered_store import TieredStore
from games.match.commands import CreateMatch, TakeSeat
from projections.summary import summary
from service.base.keys import Keys
from service.base.settings import Settings
from service.process.checkpointing import Checkpointer
from tests.service.table import ADA, SECRETS, parts

MATCHES = 2_000
KEYS = Keys(SECRETS)


class Rows:
    """A projector that leads."""

    leading = True

    def __init__(self):
        self.rows = self

    async def generation(self):
        return ""

    async def summaries(self, generation, matches):
        return []

    async def written_end(self):
        return b"0-0"

    async def written_after(self, position):
        return [], position


async def measure(place: Path, each: int) -> tuple[float, float]:
    """Return the processor seconds of a command, and of the checkpoint log for a command."""
    store = TieredStore(MemoryStore(), None)
    context = parts(store)
    context.settings, context.store = Settings(checkpoints=str(place)), store
    checkpointer = Checkpointer(SimpleNamespace(**vars(context)), str(place))
    projector = Rows()
    await checkpointer.beat(projector)
    live = []
    for _ in range(MATCHES):
        match = await context.matches.create(ADA, CreateMatch("tranquility", 1), None)
        await context.matches.play(match, ADA, TakeSeat(), None)
        live.append(match)
        checkpointer.note(summary(match.match))
    await checkpointer.beat(projector)
    started = time.process_time()
    for match in live:
        for _ in range(each):
            game = match.match.game
            await context.matches.play(match, ADA, game.legal(match.match.state, 0)[0], None)
    played = time.process_time() - started
    rows = [summary(match.match) for match in live]
    started = time.process_time()
    for row in rows:
        checkpointer.note(row)
    leaves = await checkpointer.beat(projector)
    spent = time.process_time() - started
    assert leaves == MATCHES
    return played / (MATCHES * each), spent / (MATCHES * each)


def opening(place: Path) -> tuple[int, float]:
    """Return the number of leaves, and the seconds that it takes to open the log."""
    started = time.perf_counter()
    log = CheckpointLog(Folder(place), KEYS.checkpoint_signer(""))
    return log.checkpoint.size, time.perf_counter() - started


def main() -> None:
    """Print the table."""
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(40))
    for each in (1, 3, 8, 20):
        with tempfile.TemporaryDirectory() as folder:
            command, share = asyncio.run(measure(Path(folder), each))
            size, seconds = opening(Path(folder))
        print(
            f"{each:3} commands for each leaf: {share * 1e6:5.1f} µs a command of "
            f"{command * 1e6:4.0f} µs, {share / command:.1%}; "
            f"opened with {size} leaves in {seconds * 1e3:.0f} ms"
        )


if __name__ == "__main__":
    main()
