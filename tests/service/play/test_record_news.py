"""Changes of players' records act at once in other processes."""

import asyncio

import pytest
from redis.asyncio import Redis

from events.memory_store import MemoryStore
from service.base.background import in_background
from service.base.keys import Keys
from service.play.blocks import Blocks
from service.play.players import Players
from service.play.record_news import RecordNews
from service.process.stores import work_client
from tests.service.table import SECRETS

PATIENCE_S = 60


@pytest.fixture
async def processes(work_server, work):
    """Yield the players of two processes with the same log and work Redis."""
    store = MemoryStore()
    async with Redis.from_url(work_server.url) as one, Redis.from_url(work_server.url) as other:
        news = RecordNews(one), RecordNews(other)
        first, second = (Players(store, Keys(SECRETS), each.tell) for each in news)
        async with in_background(news[1].follow(second)):
            yield first, second


async def until(question):
    """Wait until a question is answered with yes."""
    async with asyncio.timeout(PATIENCE_S):
        while not await question():  # noqa: ASYNC110
            await asyncio.sleep(0.01)


async def test_a_device_that_is_signed_out_stops_in_another_process(processes):
    one, other = processes
    player, token = await one.create("Ada")
    caller = await other.caller(token)
    assert await other.stands(caller)
    changed = other.changed(player)
    await one.revoke(player)
    await until(lambda: _not(other.stands(caller)))
    async with asyncio.timeout(PATIENCE_S):
        await changed.wait()


async def test_a_block_acts_in_another_process(processes):
    one, other = processes
    ada, eve = [(await one.create(name))[0] for name in ("Ada", "Eve")]
    assert not await Blocks(other).stands(ada, eve)
    await Blocks(one).block(ada, eve)
    await until(lambda: Blocks(other).stands(ada, eve))


class Cut:
    """A client of the work Redis whose connection breaks once, while a record changes."""

    def __init__(self, change):
        self._change = change

    async def xrevrange(self, _, count):
        return []

    async def xread(self, _, count, block):
        if self._change is None:
            return await asyncio.Event().wait()
        change, self._change = self._change, None
        await change()
        raise ConnectionError


async def test_who_may_have_missed_some_news_reads_all_records_again():
    store = MemoryStore()
    one, other = Players(store, Keys(SECRETS)), Players(store, Keys(SECRETS))
    player, _ = await one.create("Ada")

    async def change():
        assert await other.names([player]) == {player: "Ada"}
        await one.rename(player, "Eva")
        assert await other.names([player]) == {player: "Ada"}

    async def is_read_again() -> bool:
        return await other.names([player]) == {player: "Eva"}

    async with in_background(RecordNews(Cut(change)).follow(other)):
        await until(is_read_again)


async def test_without_the_work_redis_changes_are_made_all_the_same():
    async with work_client("redis://127.0.0.1:1") as nowhere:
        players = Players(MemoryStore(), Keys(SECRETS), RecordNews(nowhere).tell)
        player, _ = await players.create("Ada")
        assert await players.rename(player, "Eva") == "Eva"


async def _not(question) -> bool:
    return not await question
