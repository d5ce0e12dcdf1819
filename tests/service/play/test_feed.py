"""Announcements go beside commands: whatever goes wrong there, nobody waits for ever."""

import asyncio

import pytest
from redis.exceptions import ConnectionError as RedisConnectionError

from service.play import feed as feeds
from service.play.feed import Announcement, Feed


@pytest.mark.parametrize("error", [RedisConnectionError("no"), OSError(), RuntimeError("a bug")])
async def test_after_failures_announcements_are_made_up_for(work, monkeypatch, error):
    failures = [error, error]
    exchange = feeds.exchange

    async def failing(client, commands):
        if failures:
            raise failures.pop()
        return await exchange(client, commands)

    monkeypatch.setattr(feeds, "exchange", failing)
    monkeypatch.setattr(feeds, "QUIET_S", 0.01)
    feed = Feed(work)
    async with asyncio.timeout(10):
        await feed.announce("m_1", 1)
        await feed.announce("m_2", 7)
        positions, read = feeds.starts(), []
        while len(read) < 2:
            read += await feed.read(positions, 100)
    assert set(read) == {Announcement("m_1", 1), Announcement("m_2", 7)}
    await feed.aclose()
