"""The documented configurations are ones that a server takes and the service can live with."""

import pytest
from redis import Redis
from redis.exceptions import NoPermissionError
from rq import Queue, SimpleWorker
from rq.serializers import JSONSerializer

from events.redis_store import RedisStore
from events.store import Unavailable
from projections.rows import Rows
from service.play.feed import Announcement, Feed
from service.process.stores import work_client
from tests.events.configured import PASSWORD, configured
from tests.events.lines import chain_of


async def test_the_service_lives_with_the_logs_configuration(tmp_path, match):
    lines = chain_of(3)
    with configured("redis-log.conf", tmp_path) as path:
        async with RedisStore(f"unix://shiplog:{PASSWORD}@{path}") as store:
            assert await store.check_durability() == []
            for version, line in enumerate(lines, start=1):
                await store.append(match, version, line)
                await store.append(match, version, line)
            assert await store.read(match) == lines
            assert [found async for found in store.matches()] == [match]
            first = await store.put_document("player", "p", b"{}")
            second = await store.put_document("player", "p", b"[]", first)
            assert await store.document("player", "p") == second
            assert await store.epoch()
            with pytest.raises(Unavailable, match="nothing was written"):
                await store.forget(match)
        async with RedisStore(f"unix://auditor:{PASSWORD}@{path}") as auditor:
            assert await auditor.read(match) == lines
            assert [found async for found in auditor.matches()] == [match]
            assert await auditor.lengths([match, "m_nowhere"]) == {match: 3, "m_nowhere": 0}
            with pytest.raises(Unavailable, match="nothing was written"):
                await auditor.append(match, 4, b"x")
        async with RedisStore(f"unix://archiver:{PASSWORD}@{path}") as archiver:
            await archiver.forget(match)
            await archiver.rewrite()


def test_jobs_run_on_the_works_configuration(tmp_path):
    with (
        configured("redis-work.conf", tmp_path) as path,
        Redis(unix_socket_path=str(path), username="shiplog", password=PASSWORD) as client,
    ):
        queue = Queue("clock", connection=client, serializer=JSONSerializer)
        job = queue.enqueue("math.sqrt", 4.0)
        worker = SimpleWorker([queue], connection=client, serializer=JSONSerializer)
        worker.work(burst=True, logging_level="ERROR")
        assert job.return_value() == 2.0
        with pytest.raises(NoPermissionError):
            client.config_set("save", "1 1")


async def test_the_auditor_may_only_read_the_feed_and_the_rows_of_the_work(tmp_path):
    with configured("redis-work.conf", tmp_path) as path:
        work = work_client(f"unix://shiplog:{PASSWORD}@{path}")
        client = work_client(f"unix://auditor:{PASSWORD}@{path}")
        writer, reader = Feed(work), Feed(client)
        positions = await reader.ends()
        await writer.announce("m", 1)
        assert await reader.read(positions, 1_000) == [Announcement("m", 1)]
        generation = await Rows(work).begin("current")
        await work.hset(f"{generation}:rows", "m", b"{}")
        assert await Rows(client).raw_of(["m", "m_other"]) == [b"{}", b""]
        for words in (
            "XADD feed:0 * m x", "DEL feed:0", "GET projector", "KEYS *", "FLUSHALL",
            f"HSET {generation}:rows m x", f"DEL {generation}:rows", "HGET players x",
        ):  # fmt: skip
            with pytest.raises(NoPermissionError):
                await client.execute_command(*words.split())
        await client.aclose()
        await work.aclose()
