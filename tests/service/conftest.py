"""Service processes in one: each with its own feed and matches, on the same log and the same work Redis."""

import secrets

import pytest
from redis.asyncio import Redis

from events.memory_store import MemoryStore
from games import GAMES
from service.feed import Feed
from service.keys import Keys, SecretFile
from service.lives import Lives
from service.matches import Matches
from service.projector import Projector
from service.servers import Server, Supervisor

SECRETS = SecretFile({"k1": "11" * 32}, "k1", "22" * 32, "33" * 32)


class Process:
    """What a service process works with, as far as projections go."""

    def __init__(self, store, url):
        self.store = store
        self.work = Redis.from_url(url)
        self.feed = Feed(self.work)
        keys = Keys(SECRETS)
        self.lives = Lives(store, keys, GAMES, 1 << 24)
        self.matches = Matches(self.lives, store, self.feed, keys, GAMES)
        self.projector = Projector(self.lives, store, self.feed, self.work, GAMES)

    async def aclose(self):
        await self.feed.aclose()
        await self.work.aclose()


@pytest.fixture(scope="session")
def work_server(tmp_path_factory):
    with Supervisor(Server.work(tmp_path_factory.mktemp("work"))) as server:
        yield server


@pytest.fixture
async def work(work_server):
    """Give an empty Redis."""
    async with Redis.from_url(work_server.url) as client:
        await client.flushall()
        yield client


@pytest.fixture
def store():
    return MemoryStore()


@pytest.fixture
async def start(store, work_server, work):
    """Start service processes."""
    processes = []

    def process() -> Process:
        processes.append(Process(store, work_server.url))
        return processes[-1]

    yield process
    for one in processes:
        await one.aclose()


@pytest.fixture
def name():
    return f"p_{secrets.token_hex(4)}"
