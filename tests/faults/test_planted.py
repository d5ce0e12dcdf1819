"""The checks are checked: bugs that lose or double records are planted one by one, and found."""

import asyncio
import os
import signal

import pytest
from redis.asyncio import Redis

from events.append_lane import Lane, Limits, _probe
from events.append_writer import Writer
from events.redis_store import RedisStore
from events.store import StoreError, Taken, Unavailable
from tests.events.lines import chain_of, next_line
from tests.faults.ledger import Broken, Ledger
from tests.faults.proxy import LATE_S, at_writes, proxied

HASTY = Limits(total_s=2.0, reply_s=0.2)


async def test_acknowledging_before_the_write_is_found(log_server, monkeypatch):
    submit = Writer.submit

    def eager(writer, write):
        submit(writer, write)
        if not write.done.done():
            write.done.set_result(None)

    monkeypatch.setattr(Writer, "submit", eager)
    ledger, lines = Ledger(), chain_of(20)
    async with RedisStore(log_server.url, Limits(total_s=0.2, reply_s=0.1)) as store:
        os.kill(log_server.pid, signal.SIGSTOP)
        for version, line in enumerate(lines, start=1):
            await store.append("m", version, line)
            ledger.note("m", version, line)
        await asyncio.sleep(0.4)
        os.kill(log_server.pid, signal.SIGKILL)
    async with RedisStore(log_server.url) as store:
        with pytest.raises(Broken, match="is not there"):
            await ledger.check(store)


async def test_sending_again_without_an_id_is_found(log_server, tmp_path):
    """A client as it comes, with retries and ids made by the server."""

    class Resending(RedisStore):
        async def append(self, match, version, data, before=b"", head=None):
            client = self.plain
            await client.xadd(f"log:{match}", {"r": data})

        async def read(self, match, after=0, count=None):
            entries = await self.plain.xrange(f"log:{match}")
            return [fields[b"r"] for _, fields in entries][after:]

    ledger, lines = Ledger(), chain_of(3)
    async with proxied(log_server.url, tmp_path) as (proxy, url), Resending(url) as store:
        proxy.fault = at_writes("lose reply")
        store.plain = Redis(unix_socket_path=url.removeprefix("unix://"), socket_timeout=0.2)
        async with store.plain:
            for version, line in enumerate(lines, start=1):
                await store.append("m", version, line)
                ledger.note("m", version, line)
            with pytest.raises(Broken):
                await ledger.check(store)


async def test_taking_a_refusal_for_success_is_found(log_server, monkeypatch):
    async def trusting(_, refused):
        return [write for write, _ in refused]

    monkeypatch.setattr(Lane, "_resolve", trusting)
    first = chain_of(1)
    ledgers = {"one": Ledger(), "two": Ledger()}
    async with RedisStore(log_server.url) as store:
        await store.append("m", 1, first[0])
        for name, ledger in ledgers.items():
            line = next_line(first, name)
            await store.append("m", 2, line)
            ledger.note("m", 2, line)
        await ledgers["one"].check(store)
        with pytest.raises(Broken, match="is not there"):
            await ledgers["two"].check(store)


async def test_resolving_by_reading_alone_is_found(log_server, tmp_path, monkeypatch):
    """The record is not there yet, so the command is decided again.

    Then both want the same version.
    """

    async def reading(lane, batch):
        if not lane.connection.is_connected:
            await lane.connection.connect()
        again = [write for write in batch if write.tries]
        fresh = [write for write in batch if not write.tries]
        for write in batch:
            write.tries += 1
        for write in again:
            found = await lane._exchange([write], [_probe(write, write.version)])
            write.settle(None if found[0] else StoreError("not written"))
        await lane._exchange(fresh, [write.command for write in fresh])
        for write in fresh:
            write.settle(None)

    first = chain_of(1)
    told = None
    async with proxied(log_server.url, tmp_path) as (proxy, url), RedisStore(url, HASTY) as store:
        await store.append("m", 1, first[0])
        monkeypatch.setattr(Lane, "_write", reading)
        proxy.fault = at_writes("late")
        try:
            await store.append("m", 2, next_line(first, "mine"))
        except (Taken, Unavailable):
            raise
        except StoreError as error:
            told = str(error)
        await asyncio.sleep(LATE_S + 0.1)
        there = await store.read("m")
    assert told == "not written"
    assert len(there) == 2, "told that nothing was written, and yet it is there"
