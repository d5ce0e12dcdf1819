"""F10: replies lost, cut and late; callers that go away."""

import asyncio
from functools import partial

import pytest

from events.append_lane import Limits
from events.redis_store import RedisStore
from events.store import Taken, Unavailable
from tests.events.lines import chain_of, next_line
from tests.faults.ledger import Ledger, contend, play
from tests.faults.proxy import FAULTS, LATE_S, at_writes, proxied

HASTY = Limits(total_s=5.0, reply_s=0.2)


@pytest.mark.parametrize("fault", FAULTS)
async def test_an_unknown_outcome_is_resolved(log_server, tmp_path, fault):
    lines = chain_of(3)
    async with proxied(log_server.url, tmp_path) as (proxy, url), RedisStore(url, HASTY) as store:
        await store.append("m", 1, lines[0])
        proxy.fault = at_writes(fault)
        await store.append("m", 2, lines[1])
        await store.append("m", 3, lines[2])
        if fault == "late":
            await asyncio.sleep(LATE_S + 0.1)
            assert proxy.late == 1
        assert await store.read("m") == lines


@pytest.mark.parametrize("fault", FAULTS)
async def test_a_rival_learns_that_the_place_is_taken(log_server, tmp_path, fault):
    first = chain_of(1)
    mine, other = next_line(first, "mine"), next_line(first, "other")
    async with proxied(log_server.url, tmp_path) as (proxy, url), RedisStore(url, HASTY) as store:
        await store.append("m", 1, first[0])
        async with RedisStore(log_server.url) as direct:
            await direct.append("m", 2, other)
        proxy.fault = at_writes(fault)
        with pytest.raises(Taken):
            await store.append("m", 2, mine)
        assert await store.read("m") == [*first, other]


async def test_reading_alone_would_be_wrong_of_a_late_write(log_server, tmp_path):
    """The time-out comes before the first try arrives. No other record is lost by that."""
    first = chain_of(1)
    mine, other = next_line(first, "mine"), next_line(first, "other")
    limits = Limits(total_s=LATE_S / 2, reply_s=0.1)
    async with proxied(log_server.url, tmp_path) as (proxy, url), RedisStore(url, limits) as store:
        await store.append("m", 1, first[0])
        proxy.fault = at_writes("late", 99)
        with pytest.raises(Unavailable, match="the outcome of the write is unknown"):
            await store.append("m", 2, mine)
        proxy.fault = at_writes("")
        await store.append("m", 2, other)
        await asyncio.sleep(LATE_S + 0.1)
        assert proxy.late >= 1
        assert await store.read("m") == [*first, other]
        with pytest.raises(Taken):
            await store.append("m", 2, mine)


async def test_no_reply_goes_to_another_caller(log_server, tmp_path, chance):
    """Some are refused and some not, while connections break: each learns its own outcome."""
    lines = chain_of(2)
    async with proxied(log_server.url, tmp_path) as (proxy, url), RedisStore(url, HASTY) as store:
        for round_ in range(10):
            taken = {index for index in range(40) if chance.random() < 0.5}
            matches = [f"m{round_}-{index}" for index in range(40)]
            await asyncio.gather(*(store.append(match, 1, lines[0]) for match in matches))
            rivals = (store.append(matches[i], 2, next_line(lines[:1], "rival")) for i in taken)
            await asyncio.gather(*rivals)
            proxy.fault = at_writes(chance.choice(FAULTS))
            outcomes = await asyncio.gather(
                *(store.append(match, 2, lines[1]) for match in matches), return_exceptions=True
            )
            assert {i for i, it in enumerate(outcomes) if isinstance(it, Taken)} == taken
            assert {i for i, it in enumerate(outcomes) if it is not None} == taken


async def test_load_through_a_bad_line(log_server, tmp_path, chance):
    ledger, stop = Ledger(), asyncio.Event()
    async with proxied(log_server.url, tmp_path) as (proxy, url), RedisStore(url, HASTY) as store:
        proxy.fault = lambda chunk: (
            chance.choice(FAULTS) if b"XADD" in chunk and chance.random() < 0.03 else ""
        )
        players = [asyncio.create_task(play(store, ledger, f"m{i}", stop)) for i in range(16)]
        players += [
            asyncio.create_task(contend(store, ledger, "shared", f"rival{i}", 15)) for i in range(3)
        ]
        await ledger.goes_on(lambda: proxy.connections > 3)
        stop.set()
        await asyncio.gather(*players)
    async with RedisStore(log_server.url) as direct:
        await asyncio.sleep(LATE_S)
        await ledger.check(direct)
        assert len(await direct.read("shared")) == 45


def noted(sent, fault, chunk):
    """Note what is sent, and return its fate."""
    sent += chunk
    return fault(chunk)


async def test_a_caller_cancelled_at_any_await_loses_nothing(log_server, tmp_path):
    """The record of a caller that has gone is whole or not there, and the next one fits."""
    async with proxied(log_server.url, tmp_path) as (proxy, url), RedisStore(url, HASTY) as store:
        lines = chain_of(1)
        await store.append("m", 1, lines[0])
        begun = 0
        for steps in range(40):
            sent = bytearray()
            fault = at_writes("lose reply" if steps % 10 == 9 else "")
            proxy.fault = partial(noted, sent, fault)
            line = next_line(lines, f"cancelled{steps}")
            task = asyncio.create_task(store.append("m", len(lines) + 1, line))
            for _ in range(steps):
                await asyncio.sleep(0)
            task.cancel()
            await asyncio.wait([task])
            follower = next_line(lines, "follower")
            try:
                await store.append("m", len(lines) + 1, follower)
            except Taken:
                begun += 1
                assert await store.read("m", len(lines)) == [line]
            else:
                assert line not in sent, "a write that was begun must not be lost"
            lines = await store.read("m")
        assert begun
        ledger = Ledger()
        ledger.note("m", len(lines), lines[-1])
        await ledger.check(store)


async def test_a_reader_cancelled_at_any_await_spoils_no_other(log_server):
    async with RedisStore(log_server.url, Limits(read_connections=2)) as store:
        logs = {f"m{index}": chain_of(3, f"m{index}") for index in range(4)}
        for match, lines in logs.items():
            for version, line in enumerate(lines, start=1):
                await store.append(match, version, line)
        for steps in range(40):
            tasks = [asyncio.create_task(store.read(match)) for match in logs]
            for _ in range(steps):
                await asyncio.sleep(0)
            for task in tasks[::2]:
                task.cancel()
            await asyncio.wait(tasks)
            assert await store.read("m0") == logs["m0"]
            assert all(task.result() == logs[f"m{i}"] for i, task in enumerate(tasks) if i % 2)
