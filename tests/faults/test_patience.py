"""A slow server is waited for longer than a silent one."""

import asyncio

import pytest
from redis.asyncio import ConnectionPool
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff
from redis.exceptions import RedisError

from events.connection import client_of
from events.patience import Patience
from tests.faults.stalls import stalled

SLOW_S, SILENT_S = 10.0, 1.5


class Time:
    now = 0.0

    def __call__(self):
        return self.now


def test_the_wait_is_short_after_a_failure_and_long_after_an_answer():
    patience = Patience(SLOW_S, SILENT_S, Time())
    assert patience.limit_s == SLOW_S
    patience.gave_up()
    assert patience.limit_s == SILENT_S
    patience.answered()
    assert patience.limit_s == SLOW_S


def test_a_server_that_is_always_slow_gets_another_chance():
    clock = Time()
    patience = Patience(SLOW_S, SILENT_S, clock)
    patience.gave_up()
    clock.now = SLOW_S - 0.1
    assert patience.limit_s == SILENT_S
    clock.now = SLOW_S
    assert patience.limit_s == SLOW_S


async def test_a_client_waits_out_a_short_stall_and_gives_up_a_long_one(log_server):
    patience = Patience(slow_s=2.0, silent_s=0.2)
    pool = ConnectionPool.from_url(log_server.url, retry=Retry(NoBackoff(), 0))
    loop = asyncio.get_running_loop()
    async with client_of(pool, patience) as client:
        await client.ping()
        with stalled(log_server.pid):
            answer = asyncio.create_task(client.ping())
            await asyncio.sleep(0.5)
            assert not answer.done()
        assert await answer
        with stalled(log_server.pid):
            with pytest.raises(RedisError):
                await client.ping()
            started = loop.time()
            with pytest.raises(RedisError):
                await client.ping()
            assert loop.time() - started < 2.0
            assert patience.limit_s == 0.2
        assert await client.ping()
        assert patience.limit_s == 2.0
