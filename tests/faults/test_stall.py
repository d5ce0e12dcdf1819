"""F8, F9: no memory left; a server that stands still."""

import asyncio

import pytest
from redis import Redis

from events.append_lane import Limits
from events.redis_store import RedisStore
from events.store import Unavailable
from service.embedded.servers import Server, Supervisor
from tests.events.lines import chain_of, next_line, put
from tests.faults.ledger import Ledger
from tests.faults.stalls import stalled


def sent(url):
    """Count the appends that the server has seen."""
    with Redis.from_url(url) as client:
        return client.info("commandstats").get("cmdstat_xadd", {}).get("calls", 0)


async def fill_until_refused(store, ledger, match):
    lines = []
    while True:
        line = next_line(lines, match)
        try:
            await put(store, match, lines, line)
        except Unavailable as error:
            return str(error)
        lines.append(line)
        ledger.note(match, len(lines), line)


async def test_a_full_memory_refuses_and_evicts_nothing(tmp_path):
    ledger = Ledger()
    with Supervisor(Server.log(tmp_path / "log", maxmemory="4mb")) as server:
        async with RedisStore(server.url) as store:
            for round_ in range(2):
                fills = (fill_until_refused(store, ledger, f"m{round_}-{i}") for i in range(32))
                for refusal in await asyncio.gather(*fills):
                    assert "nothing was written" in refusal
                    assert "maxmemory" in refusal
            await ledger.check(store)
            for match, records in ledger.acknowledged.items():
                assert len(await store.read(match)) == len(records)
        with Redis.from_url(server.url) as client:
            assert client.info("stats")["evicted_keys"] == 0
    assert ledger.count > 1_000
    with Supervisor(Server.log(tmp_path / "log")) as server:
        async with RedisStore(server.url) as store:
            await ledger.check(store)


async def test_a_short_stall_only_takes_time(log_server):
    lines = chain_of(2)
    async with RedisStore(log_server.url, Limits(total_s=60.0, reply_s=60.0)) as store:
        await asyncio.gather(*(store.append(f"m{i}", 1, lines[0]) for i in range(32)))
        before = sent(log_server.url)
        with stalled(log_server.pid):
            writes = [asyncio.create_task(store.append(f"m{i}", 2, lines[1])) for i in range(32)]
            await asyncio.sleep(0.5)
            assert not any(write.done() for write in writes)
        async with asyncio.timeout(60):
            await asyncio.gather(*writes)
        assert sent(log_server.url) - before == 32
        assert all([await store.read(f"m{i}") == lines for i in range(32)])


async def test_a_stall_beyond_the_timeout_makes_one_entry_and_no_storm(log_server):
    """Connections are replaced meanwhile, but nothing is sent on one that has not answered yet."""
    lines = chain_of(2)
    async with RedisStore(log_server.url, Limits(total_s=60.0, reply_s=0.2)) as store:
        await asyncio.gather(*(store.append(f"m{i}", 1, lines[0]) for i in range(32)))
        before = sent(log_server.url)
        with stalled(log_server.pid):
            writes = [asyncio.create_task(store.append(f"m{i}", 2, lines[1])) for i in range(32)]
            await asyncio.sleep(2.0)
        async with asyncio.timeout(60):
            await asyncio.gather(*writes)
        assert sent(log_server.url) - before <= 2 * 32
        assert all([await store.read(f"m{i}") == lines for i in range(32)])


async def test_a_stall_beyond_the_total_is_unavailable_in_time_and_counts_once(log_server):
    lines = chain_of(2)
    loop = asyncio.get_running_loop()
    async with RedisStore(log_server.url, Limits(total_s=0.5, reply_s=0.2)) as store:
        await store.append("m", 1, lines[0])
        with stalled(log_server.pid):
            start = loop.time()
            with pytest.raises(
                Unavailable, match="the outcome of the write is unknown: no answer in time"
            ):
                await store.append("m", 2, lines[1])
            assert loop.time() - start > 0.4
        await store.append("m", 2, lines[1])
        assert await store.read("m") == lines
