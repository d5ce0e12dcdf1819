"""A cluster under load: slots on the move, a server killed, nobody there."""

import asyncio
import os
import signal

import pytest
from redis.crc import key_slot

from events.append_lane import Limits
from events.redis_store import RedisStore
from events.store import Unavailable
from tests.events.cluster import cluster_of, free_port, move
from tests.events.lines import chain_of
from tests.faults.ledger import Ledger, play, reading


@pytest.fixture
async def cluster(tmp_path):
    with cluster_of(tmp_path) as nodes:
        yield nodes, f"redis+cluster://127.0.0.1:{nodes[0].port}"


async def all_go_on(ledger, names, more=5):
    """Wait until every match was acknowledged some more records than it has now."""

    def counts():
        return [len(ledger.acknowledged.get(name, ())) for name in names]

    before = counts()
    async with asyncio.timeout(60):
        while any(now < was + more for now, was in zip(counts(), before, strict=True)):  # noqa: ASYNC110
            await asyncio.sleep(0.05)


async def test_slots_on_the_move_and_a_killed_server_lose_nothing(cluster, chance):
    nodes, url = cluster
    ledger, stop = Ledger(), asyncio.Event()
    async with RedisStore(url, Limits(total_s=20.0)) as store:
        epoch = await store.epoch()
        names = [f"m{index}" for index in range(12)]
        players = [asyncio.create_task(play(store, ledger, name, stop)) for name in names]
        await all_go_on(ledger, names)
        for name in names[:4]:
            slot = key_slot(f"log:{name}".encode())
            before = next(node for node in nodes if slot in node.slots)
            after = nodes[(nodes.index(before) + 1) % len(nodes)]
            await move(before, after, slot, lambda: asyncio.sleep(0.05))
        await all_go_on(ledger, names)
        assert await store.epoch() == epoch
        victim = chance.choice(nodes)
        os.kill(victim.client.info("server")["process_id"], signal.SIGKILL)
        await all_go_on(ledger, names)
        stop.set()
        await asyncio.gather(*players)
        assert await store.epoch() != epoch
        await ledger.check(store)
        found = {match async for match in store.matches()}
        assert set(names) <= found
        assert await store.check_durability() == []
    print(f"{ledger.count} acknowledged")


async def test_reads_outlive_the_closing_of_all_connections(cluster):
    """The cluster's client closes them when it looks up its servers, even during other reads."""
    _, url = cluster
    cuts, line = 100, chain_of(1)[0]
    async with RedisStore(url, Limits(total_s=20.0)) as store:
        await store.append("m", 1, line)
        done = asyncio.Event()

        async def read():
            while not done.is_set():
                assert await reading(store, "m", 0) == [line]

        readers = [asyncio.create_task(read()) for _ in range(10)]
        for _ in range(cuts):
            await asyncio.sleep(0.005)
            await store._client.aclose()
        done.set()
        await asyncio.gather(*readers)


async def test_nobody_there_is_unavailable_in_time(tmp_path):
    url = f"redis+cluster://127.0.0.1:{free_port()}"
    async with RedisStore(url, Limits(total_s=0.5, reply_s=0.2, connect_s=0.2)) as store:
        async with asyncio.timeout(60):
            with pytest.raises(Unavailable):
                await store.append("m", 1, chain_of(1)[0])
            with pytest.raises(Unavailable):
                await store.read("m")
            with pytest.raises(Unavailable):
                await store.epoch()
