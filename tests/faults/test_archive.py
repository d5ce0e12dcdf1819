"""A process is killed while archiving: the match stays readable, the next process goes on."""

import asyncio
import multiprocessing
import os
import signal
from pathlib import Path

import pytest

import events.folder
from events.archive import ArchiveStore
from events.chain import sign
from events.redis_store import RedisStore
from events.tiered_store import TieredStore
from service.embedded.servers import archiver_url
from tests.events.archived import KEY
from tests.events.lines import chain_of, head_of

POINTS = ("begun", "half written", "written", "stored", "removed")
LINES = chain_of(60)


def die(*_given):
    os.kill(os.getpid(), signal.SIGKILL)


def move(url: str, folder: str, point: str) -> None:
    """Move the match, and be killed at a point of it."""
    if point == "half written":

        def half(path: Path, data: bytes) -> None:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.with_name(".0123456789abcdef.part").write_bytes(data[:50])
            die()

        events.folder.write_synced = half
    if point == "written":
        whole = events.folder.write_synced
        events.folder.write_synced = lambda path, data: (whole(path, data), die())
    asyncio.run(_move(url, folder, point))


async def _move(url: str, folder: str, point: str) -> None:
    async with RedisStore(url) as live, RedisStore(archiver_url(url)) as remover:
        store = TieredStore(live, ArchiveStore(folder), remover)
        if point == "begun":
            die()
        forget = remover.forget

        async def forget_and_die(match: str) -> None:
            if point == "removed":
                await forget(match)
            die()

        if point in ("stored", "removed"):
            remover.forget = forget_and_die
        await store.retire("m", LINES, sign(KEY, "service", "m", len(LINES), head_of(LINES)))


@pytest.mark.parametrize("point", POINTS)
async def test_a_killed_move_loses_nothing(log_server, tmp_path, point):
    context = multiprocessing.get_context("spawn")
    folder = str(tmp_path / "archive")
    async with RedisStore(log_server.url) as live:
        store = TieredStore(live, ArchiveStore(folder))
        for version, line in enumerate(LINES, start=1):
            await store.append("m", version, line)
        process = context.Process(target=move, args=(log_server.url, folder, point))
        process.start()
        await asyncio.to_thread(process.join, 60)
        assert process.exitcode == -signal.SIGKILL
        assert await store.read("m") == LINES
        assert {match async for match in store.matches()} == {"m"}
        await _move(log_server.url, folder, "")
        assert await live.read("m") == []
        assert await store.read("m") == LINES
