"""F11, F12: the same record many times, and many writers at the same version."""

import asyncio
import os
import signal

from events.redis_store import RedisStore
from events.store import Taken
from tests.events.lines import chain_of, next_line
from tests.faults.ledger import Ledger, contend

ROUNDS = 200


async def test_the_same_record_fifty_times_is_there_once(log_server):
    """One after the other, at once, from several processes' stores, and after a restart."""
    lines = chain_of(2)
    async with RedisStore(log_server.url) as one, RedisStore(log_server.url) as two:
        await one.append("m", 1, lines[0])
        for _ in range(50):
            await one.append("m", 2, lines[1])
        await asyncio.gather(
            *(store.append("m", 2, lines[1], lines[0]) for store in (one, two) * 25)
        )
        os.kill(log_server.pid, signal.SIGKILL)
        await asyncio.gather(
            *(store.append("m", 2, lines[1], lines[0]) for store in (one, two) * 25)
        )
        assert await two.read("m") == lines


async def test_of_two_writers_at_a_version_one_wins(log_server):
    ledger = Ledger()
    async with RedisStore(log_server.url) as one, RedisStore(log_server.url) as two:
        lines = []
        for version in range(1, ROUNDS + 1):
            candidates = [next_line(lines, "one"), next_line(lines, "two")]
            outcomes = await asyncio.gather(
                one.append("m", version, candidates[0]),
                two.append("m", version, candidates[1]),
                return_exceptions=True,
            )
            assert sorted(type(it) for it in outcomes if it) == [Taken]
            lines.append(candidates[outcomes.index(None)])
            ledger.note("m", version, lines[-1])
        assert await one.read("m") == lines
        await ledger.check(two)


async def test_writers_that_catch_up_leave_no_gap_and_lose_nothing(log_server):
    ledger = Ledger()
    stores = [RedisStore(log_server.url) for _ in range(4)]
    await asyncio.gather(
        *(contend(store, ledger, "m", f"w{i}", 50) for i, store in enumerate(stores))
    )
    await ledger.check(stores[0])
    assert len(await stores[0].read("m")) == 200
    for store in stores:
        await store.aclose()


async def test_a_stale_writer_is_refused(log_server):
    lines = chain_of(5)
    async with RedisStore(log_server.url) as store, RedisStore(log_server.url) as stale:
        for version, line in enumerate(lines, start=1):
            await store.append("m", version, line)
        for version in range(1, 6):
            try:
                await stale.append("m", version, next_line(lines[: version - 1], "stale"))
            except Taken:
                continue
            raise AssertionError(version)
        assert await store.read("m") == lines
