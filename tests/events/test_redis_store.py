"""What only a real Redis shows: commands on the wire, grouping, restarts, replicas, settings."""

import asyncio
import contextlib
import os
import signal

import pytest
import uvloop
from msgspec.structs import replace
from redis import Redis
from redis.asyncio import Redis as AsyncRedis
from redis.asyncio.connection import AbstractConnection

import events.redis_store
from events.append_lane import Lane, Limits
from events.connection import parse_url
from events.redis_store import RedisStore
from events.store import Gap, NotDurable, Taken, Unavailable, append_all
from service.embedded.servers import Server, Supervisor, auditor_url
from tests.events.cluster import free_port
from tests.events.lines import chain_of, next_line, put

QUICK = Limits(total_s=1.0, reply_s=0.5, replicas_ms=50)
PATIENT = Limits(total_s=60.0)
"""For what must succeed, however slow the machine."""


@contextlib.asynccontextmanager
async def watched(url):
    """Collect the commands that the server gets."""
    seen = []
    watcher = url.replace("unix://", "unix://watcher:any@")
    async with AsyncRedis.from_url(watcher) as client, client.monitor() as monitor:

        async def listen():
            while True:
                seen.append((await monitor.next_command())["command"])

        task = asyncio.create_task(listen())
        yield seen
        await asyncio.sleep(0.05)
        task.cancel()
        await asyncio.wait([task])


async def until(holds):
    """Wait until something holds."""
    async with asyncio.timeout(60):
        while not holds():  # noqa: ASYNC110 - polls
            await asyncio.sleep(0.02)


async def test_only_plain_commands_on_single_keys_are_sent(log_server, redis_store, match):
    lines = chain_of(2)
    async with watched(log_server.url) as seen:
        await append_all(redis_store, match, lines)
        await redis_store.append(match, 2, lines[1])
        await redis_store.read(match)
        first = await redis_store.put_document("player", match, b"1")
        await redis_store.put_document("player", match, b"2", first)
        await redis_store.document("player", match)
        await redis_store.document("player", "p_nobody")
        await redis_store.forget(match)
        _ = [found async for found in redis_store.matches()]
    sent = [words for words in seen if match in words or words.startswith(("GET", "SCAN"))]
    assert sent[0] == f"XADD log:{match} 0-1 r {lines[0].decode()}"
    assert sent[1] == f"XADD log:{match} NOMKSTREAM 0-2 r {lines[1].decode()}"
    assert sent[3] == f"XRANGE log:{match} 0-2 0-2"
    names = {words.split()[0] for words in seen}
    assert f"XADD player:kept:{match} NOMKSTREAM MAXLEN 1 0-2 r 2" in sent
    plain = {"HELLO", "AUTH", "INFO", "XADD", "XRANGE", "GETDEL", "GET", "UNLINK", "SCAN"}
    assert names <= plain


@pytest.fixture
def batches(monkeypatch):
    """Collect the batches that go on the wire."""
    taken = []
    write = Lane.write

    async def noted(lane, batch):
        taken.append(batch)
        await write(lane, batch)

    monkeypatch.setattr(Lane, "write", noted)
    return taken


async def test_appends_that_wait_together_go_together(redis_store, match, batches):
    lines = chain_of(6)
    fills = (append_all(redis_store, f"{match}-{index}", lines) for index in range(64))
    await asyncio.gather(*fills)
    assert sum(map(len, batches)) == 64 * 6
    assert len(batches) <= 64, [len(batch) for batch in batches]


async def test_one_after_the_other_needs_one_connection(redis_store, match, batches):
    await append_all(redis_store, match, chain_of(6))
    assert [len(batch) for batch in batches] == [1] * 6
    assert len(redis_store._writer._tasks) == 1


async def test_batches_are_bounded(log_server, match, batches):
    limits = Limits(batch_count=10, batch_bytes=5_000)
    async with RedisStore(log_server.url, limits) as store:
        names = [f"{match}-{index}" for index in range(100)]
        await asyncio.gather(*(store.append(name, 1, b"{}") for name in names))
        assert max(map(len, batches)) == 10
        batches.clear()
        await asyncio.gather(*(store.append(name, 2, b"x" * 2_000) for name in names))
        assert max(map(len, batches)) == 3
        batches.clear()
        await asyncio.gather(*(store.append(name, 3, b"x" * 200_000) for name in names[:9]))
        assert [len(batch) for batch in batches] == [1] * 9


async def test_a_full_queue_refuses_at_once(log_server, match):
    async with RedisStore(log_server.url, Limits(waiting=10)) as store:
        writes = [store.append(f"{match}-{index}", 1, b"{}") for index in range(30)]
        outcomes = await asyncio.gather(*writes, return_exceptions=True)
    assert [type(it) for it in outcomes].count(Unavailable) == 20


async def test_closing_finishes_what_is_under_way(log_server, match):
    store = RedisStore(log_server.url)
    tasks = [asyncio.create_task(store.append(f"{match}-{index}", 1, b"{}")) for index in range(99)]
    await asyncio.sleep(0)
    await store.aclose()
    await asyncio.gather(*tasks)


async def test_a_cancelled_caller_leaves_its_write(redis_store, match):
    lines = chain_of(2)
    await redis_store.append(match, 1, lines[0])
    task = asyncio.create_task(redis_store.append(match, 2, lines[1]))
    await asyncio.sleep(0)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    await redis_store.append(match, 3, next_line(lines))
    assert len(await redis_store.read(match)) == 3


async def test_a_restart_is_a_new_epoch_and_loses_nothing(tmp_path, match):
    with Supervisor(Server.log(tmp_path)) as server:
        async with RedisStore(server.url, PATIENT) as store:
            lines = chain_of(3)
            await append_all(store, match, lines[:2])
            before = await store.epoch()
            os.kill(server.pid, signal.SIGKILL)
            await put(store, match, lines[:2], lines[2])
            assert await store.read(match) == lines
            assert await store.epoch() != before


async def test_a_restart_is_noticed_by_a_read_too(tmp_path, match):
    with Supervisor(Server.log(tmp_path)) as server:
        async with RedisStore(server.url, PATIENT) as store:
            before = await store.epoch()
            os.kill(server.pid, signal.SIGKILL)
            await until(lambda: server.starts == 2)
            await store.read(match)
            assert await store.epoch() != before


@pytest.mark.parametrize("there", [0, 2], ids=["all lost", "end lost"])
async def test_a_log_that_lost_its_end_gets_no_gap(tmp_path, match, there):
    lines = chain_of(6)
    with Supervisor(Server.log(tmp_path, appendonly="no")) as server:
        async with RedisStore(server.url, PATIENT) as store:
            await append_all(store, match, lines[:5])
            os.kill(server.pid, signal.SIGKILL)
            await until(lambda: server.starts == 2)
            async with RedisStore(server.url, PATIENT) as other:
                await append_all(other, match, lines[:there])
            with pytest.raises(Gap):
                await put(store, match, lines[:5], lines[5])
            assert await store.read(match) == lines[:there]
            await append_all(store, match, lines)
            assert await store.read(match) == lines


async def test_a_record_on_another_past_is_not_appended(tmp_path, match):
    lines = chain_of(3)
    other_past = chain_of(2, "other")
    with Supervisor(Server.log(tmp_path, appendonly="no")) as server:
        async with RedisStore(server.url, PATIENT) as store:
            await append_all(store, match, lines[:2])
            os.kill(server.pid, signal.SIGKILL)
            await until(lambda: server.starts == 2)
            async with RedisStore(server.url, PATIENT) as other:
                await append_all(other, match, other_past)
            with pytest.raises(Gap):
                await put(store, match, lines[:2], lines[2])
            assert await store.read(match) == other_past


async def test_a_server_that_is_away_is_unavailable_in_time(tmp_path, match):
    async with RedisStore(str(tmp_path / "nobody.sock"), Limits(total_s=0.1)) as store:
        async with asyncio.timeout(60):
            with pytest.raises(Unavailable, match="nothing was written"):
                await store.append(match, 1, b"{}")
            with pytest.raises(Unavailable):
                await store.read(match)
            with pytest.raises(Unavailable):
                await store.document("player", "p")
            with pytest.raises(Unavailable):
                _ = [found async for found in store.matches()]
            with pytest.raises(Unavailable):
                await store.epoch()


async def test_a_write_waits_for_a_server_that_comes_back(tmp_path, match):
    with Supervisor(Server.log(tmp_path)) as server:
        url = server.url
    async with RedisStore(url) as store:
        task = asyncio.create_task(store.append(match, 1, b"{}"))
        await asyncio.sleep(0.1)
        with Supervisor(Server.log(tmp_path)):
            await task
            assert await store.read(match) == [b"{}"]


async def test_durable_settings_pass(redis_store):
    assert await redis_store.check_durability() == []


async def test_each_wrong_setting_is_named(tmp_path):
    server = Server.log(
        tmp_path,
        appendfsync="everysec",
        no_appendfsync_on_rewrite="yes",
        maxmemory_policy="allkeys-lru",
    )
    with Supervisor(server) as running:
        async with RedisStore(running.url) as store:
            with pytest.raises(NotDurable) as refusal:
                await store.check_durability()
            weaker = await store.check_durability(weaker_allowed=True)
    assert weaker == [
        "appendfsync is everysec, must be always",
        "no-appendfsync-on-rewrite is yes, must be no",
        "maxmemory-policy is allkeys-lru, must be noeviction",
    ]
    assert str(refusal.value) == "; ".join(weaker)


async def test_settings_that_can_not_be_read_are_not_taken_for_right(tmp_path):
    server = Server.log(tmp_path, **{"user default": "on nopass ~* &* +@all -config"})
    with Supervisor(server) as running:
        async with RedisStore(running.url) as store:
            with pytest.raises(NotDurable, match="appendonly cannot be read"):
                await store.check_durability()


async def test_replicas_are_waited_for(tmp_path, match):
    port = free_port()
    lines = chain_of(3)
    primary = Server.log(
        tmp_path / "primary",
        port=str(port),
        bind="127.0.0.1",
        repl_diskless_sync="yes",
        repl_diskless_sync_delay="0",
        **{"user replica": "on nopass resetchannels -@all +psync +replconf +ping"},
    )
    replica = Server.log(
        tmp_path / "replica",
        replicaof=f"127.0.0.1 {port}",
        masteruser="replica",
        masterauth="any",
    )
    with Supervisor(primary) as running:
        async with RedisStore(running.url, replace(QUICK, replicas=1)) as hasty:
            with pytest.raises(Unavailable, match="0 of 1 replicas"):
                await hasty.append(match, 1, lines[0])
            assert await hasty.read(match) == lines[:1]
            with pytest.raises(Unavailable, match="0 of 1 replicas"):
                await hasty.confirm(match)
        async with RedisStore(running.url, replace(PATIENT, replicas=1)) as store:
            with Supervisor(replica) as second:
                with Redis.from_url(second.url) as client:
                    await until(lambda: client.info("replication")["master_link_status"] == "up")
                    await store.confirm(match)
                    assert len(client.xrange(f"log:{match}")) == 1
                    await append_all(store, match, lines)
                    assert len(client.xrange(f"log:{match}")) == 3
                async with RedisStore(second.url, QUICK) as wrong:
                    with pytest.raises(Unavailable, match=r"nothing was written: .* read only"):
                        await wrong.append(match, 4, b"{}")


async def test_a_resent_write_still_waits_for_replicas(tmp_path, match):
    """After a reconnect WAIT would speak of nothing: the connection has written nothing yet."""
    port = free_port()
    primary = Server.log(tmp_path, port=str(port), bind="127.0.0.1")
    async with contextlib.AsyncExitStack() as stack:
        url = stack.enter_context(Supervisor(primary)).url
        plain = await stack.enter_async_context(RedisStore(url))
        await plain.append(match, 1, b"{}")
        limits = Limits(total_s=0.5, replicas=1, replicas_ms=20)
        careful = await stack.enter_async_context(RedisStore(url, limits))
        with pytest.raises(Unavailable, match="0 of 1"):
            await careful.append(match, 1, b"{}")
        with pytest.raises(Taken):
            await careful.append(match, 1, b"other")


@pytest.mark.parametrize(
    ("place", "url", "clustered"),
    [
        ("/run/my redis.sock", "unix:///run/my%20redis.sock", False),
        ("unix:///run/redis.sock?db=0", "unix:///run/redis.sock?db=0", False),
        ("redis://h:1/0", "redis://h:1/0", False),
        ("redis+cluster://u:p@h:1", "redis://u:p@h:1", True),
        ("rediss+cluster://h:1?ssl_cert_reqs=none", "rediss://h:1?ssl_cert_reqs=none", True),
        ("redis://h:1?cluster=1&protocol=3", "redis://h:1?protocol=3", True),
        ("redis://h:1?cluster=0", "redis://h:1", False),
    ],
)
def test_urls(place, url, clustered):
    assert parse_url(place) == (url, clustered)


@pytest.mark.parametrize("server", ["log_server", "cluster_url"])
def test_a_read_outlives_a_transport_that_closes_before_it_is_sent(
    request, server, match, monkeypatch
):
    """As when a master dies: uvloop then raises RuntimeError, which no caller expects."""
    found = request.getfixturevalue(server)
    cuts = iter([True] * 3)

    async def cut(connection):
        if next(cuts, False):
            connection._writer.transport.abort()

    async def read():
        lines = chain_of(1)
        async with RedisStore(found if server == "cluster_url" else found.url, PATIENT) as store:
            await append_all(store, match, lines)
            assert await store.read(match) == lines
            monkeypatch.setattr(AbstractConnection, "check_health", cut)
            assert await store.read(match) == lines
            assert next(cuts, None) is None, "all three were met"

    uvloop.run(read())


@pytest.mark.parametrize("place", ["log_server", "cluster_url"])
async def test_the_auditor_counts_the_records_of_many_matches(request, place, match, monkeypatch):
    monkeypatch.setattr(events.redis_store, "PAGE", 2)
    found = request.getfixturevalue(place)
    if place == "log_server":
        service, auditor = found.url, auditor_url(found.url)
    else:
        service, auditor = (
            found.replace("//", f"//{user}:any@") for user in ("shiplog", "auditor")
        )
    lengths = {f"{match}_{count}": count for count in range(4)}
    async with RedisStore(service) as store, RedisStore(auditor) as reader:
        for name, count in lengths.items():
            for version, line in enumerate(chain_of(count), start=1):
                await store.append(name, version, line)
        assert await reader.lengths([*lengths]) == lengths
        with pytest.raises(Unavailable):
            await store.lengths([match])


async def test_a_document_of_an_earlier_release_is_read_and_moved(log_server, redis_store, match):
    with Redis.from_url(log_server.url) as client:
        client.getset(f"player:{match}", b"old")
        before = await redis_store.document("player", match)
        assert before == (0, b"old")
        assert match in {found async for found in redis_store.documents("player")}
        after = await redis_store.put_document("player", match, b"new", before)
        assert await redis_store.document("player", match) == after == (1, b"new")
        assert client.get(f"player:{match}") is None
        with pytest.raises(Taken):
            await redis_store.put_document("player", match, b"rival", before)


async def test_a_move_that_was_interrupted_is_completed(log_server, redis_store, match):
    with Redis.from_url(log_server.url) as client:
        client.getset(f"player:{match}", b"old")
        client.xadd(f"player:kept:{match}", {"r": b"new"}, id="0-1", maxlen=1, approximate=False)
        before = await redis_store.document("player", match)
        assert before == (1, b"new")
        await redis_store.put_document("player", match, b"erased", before)
        assert client.get(f"player:{match}") is None
