"""Measure how late timeouts are when many are due at once: `python -m tests.bench.bench_deadlines`.

Many matches wait for deadlines, some of them for the same one. `shiplog worker` runs with its
default of one process for clocks. The lag is the time of a timeout's record minus its deadline.
Matches with a distant deadline exist as rows only: their logs are not read.
"""

import argparse
import asyncio
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

import msgspec

from events.record import at_micros
from events.release import RELEASE
from games import GAMES
from games.match.clocks import SECOND
from games.match.commands import Actor, CreateMatch, PerMove, TakeSeat
from games.match.decide import decide
from games.match.seating import Issuer, create
from projections.folded import Decided, Folded
from projections.rows import Rows
from projections.summary import summary
from service.base.clock import now_micros
from service.base.settings import Settings
from service.process.context import opened
from tests.e2e.service import Running

WAITING, DUE = 100_000, 2_000
MOVE_S = 3_600
AT_ONCE = 50
PATIENCE_S = 300
STARTED_S = 12
"""Seconds that the worker has to come up before the deadline."""


class Figures(NamedTuple):
    """What was measured, in seconds."""

    p50: float
    p99: float
    worst: float


def log_of(keys, name: str, since: int) -> tuple[list[bytes], Folded]:
    """Write the log of a match that has run since a time, with nobody having moved."""
    game = GAMES["submarine"]
    service_seed = keys.service_seed(name, keys.current)
    opening = CreateMatch(game.slug, 2, clock=PerMove(MOVE_S))
    issuer = Issuer("p_0", keys.service, keys.current, service_seed)
    created = create(game, name, opening, issuer)
    lines: list[bytes] = []
    folded = Folded.opened(GAMES, created[0])

    def add(by, command, events):
        decided = Decided(by, f"c{len(lines) + 1}", command, events, since)
        draft = folded.draft(decided, service_seed, RELEASE)
        folded.accept(draft)
        lines.append(draft.data)

    add(Actor(player="p_0"), opening, created)
    for seat in range(2):
        by, sit = Actor(player=f"p_{seat}"), TakeSeat(seat)
        add(by, sit, decide(folded.match, by, sit, since, service_seed))
    return lines, folded


async def prepare(context, waiting: int, due: int, since: int) -> list[str]:
    """Write logs and rows; return the names of the matches that are due at once."""
    rows = Rows(context.work)
    await rows.complete(await rows.begin("current"), None)
    far = summary(log_of(context.keys, "m_far", since)[1].match)

    async def far_off(number: int) -> None:
        name, deadline = f"m_far{number}", now_micros() + (MOVE_S + number) * SECOND
        await rows.apply(msgspec.structs.replace(far, match=name, deadline=deadline))

    async def soon(name: str) -> None:
        lines, folded = log_of(context.keys, name, since)
        for version, line in enumerate(lines, start=1):
            await context.store.append(name, version, line)
        await rows.apply(summary(folded.match))

    names = [f"m_due{number}" for number in range(due)]
    for start in range(0, waiting - due, AT_ONCE):
        await asyncio.gather(*map(far_off, range(start, min(start + AT_ONCE, waiting - due))))
    for start in range(0, due, AT_ONCE):
        await asyncio.gather(*map(soon, names[start : start + AT_ONCE]))
    return names


async def lags(context, names: list[str]) -> list[float]:
    """Wait until every match has timed out; return how late each did, in seconds."""
    found: list[float] = []
    for name in names:
        while not (lines := await context.store.read(name, 3)):  # noqa: ASYNC110 - polls
            await asyncio.sleep(0.05)
        record = msgspec.json.decode(lines[0])
        assert record["command"]["type"] == "time_out", record
        found.append((at_micros(record["at"]) - record["command"]["deadline"]) / SECOND)
    return sorted(found)


async def measure(folder: Path, waiting: int, due: int) -> Figures:
    """Prepare, start the worker, wait for the deadline."""
    settings = Settings(data=folder, log_level="error")
    async with opened(settings) as context:
        lead_s = 30 + waiting // 800
        since = now_micros() - (MOVE_S - lead_s) * SECOND
        names = await prepare(context, waiting, due, since)
        left = since / SECOND + MOVE_S - time.time()
        assert left > STARTED_S, f"prepared too late, {left:.0f} s before the deadline"
        worker = Running(
            folder, "worker", log_url=context.log_url, work_url=context.work_url, log_level="error"
        )
        try:
            async with asyncio.timeout(left + PATIENCE_S):
                late = await lags(context, names)
        finally:
            worker.stop()
    return Figures(late[len(late) // 2], late[len(late) * 99 // 100], late[-1])


def main(waiting: int = WAITING, due: int = DUE) -> None:
    """Print the lag."""
    with tempfile.TemporaryDirectory() as folder:
        figures = asyncio.run(measure(Path(folder), waiting, due))
    print(
        f"{waiting:,} deadlines waiting, {due:,} due at once: "
        f"lag p50 {figures.p50:.2f} s, p99 {figures.p99:.2f} s, worst {figures.worst:.2f} s"
    )


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--waiting", type=int, default=WAITING)
    parser.add_argument("--due", type=int, default=DUE)
    given = parser.parse_args()
    main(given.waiting, given.due)
