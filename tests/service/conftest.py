"""Several service processes on the same log and work Redis, and the runtime of jobs."""

import os
import secrets

import pytest
from freezegun import freeze_time
from redis.asyncio import Redis

from events.memory_store import MemoryStore
from games import GAMES
from service.play.feed import Feed
from service.play.projector import Projector
from service.worker import runtime
from tests.projections.recorded import no_errata
from tests.service.table import Table, parts

NOON = "2026-11-21 12:00:00"


class Process:
    """What a service process works with, as far as projections go."""

    def __init__(self, store, url):
        self.store = store
        self.work = Redis.from_url(url)
        self.feed = Feed(self.work)
        context = parts(store, self.feed)
        self.cache, self.matches, self.keys = context.cache, context.matches, context.keys
        self.projector = Projector(self.cache, store, self.feed, self.work, GAMES, no_errata)

    async def aclose(self):
        await self.feed.aclose()
        await self.work.aclose()


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


@pytest.fixture
def table(monkeypatch):
    """Set the runtime of all jobs that run in this process."""
    table = Table()
    monkeypatch.setitem(runtime._runtimes, os.getpid(), table)
    yield table
    table.loop.close()


@pytest.fixture
def noon():
    with freeze_time(NOON, real_asyncio=True, ignore=["_pytest"]) as clock:
        yield clock
