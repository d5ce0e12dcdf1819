"""A record is acknowledged only once enough replicas have it, and only while the log has it."""

import pytest

from events.memory_store import MemoryStore
from events.store import Unavailable
from games.match.commands import CreateMatch, TakeSeat
from service.base.problems import Problem
from service.play.caller import Caller

ADA, BOB = Caller("p_ada"), Caller("p_bob")


class Alone(MemoryStore):
    """Keeps what it is given, but has no replica to vouch for it until it gets one."""

    replicated = True

    async def append(self, match, version, data, before=b"", head=None):
        await super().append(match, version, data, before, head)
        await self.confirm(match)

    async def confirm(self, match):
        if not self.replicated:
            raise Unavailable("0 of 1 replicas have it")

    def fail_over(self, match, version):
        """Lose the records after a version, as a replica that lags does."""
        del self._logs[match][version:]


@pytest.fixture
def store():
    return Alone()


async def unconfirmed(work):
    with pytest.raises(Problem) as caught:
        await work
    assert (caught.value.status, caught.value.code) == (503, "log-unavailable")


async def test_a_command_sent_again_is_answered_when_replicas_have_it(store, start):
    process = start()
    opened = CreateMatch("tranquility", 2)
    cached = await process.matches.create(ADA, opened, "open")
    match = cached.match.header.match

    store.replicated = False
    await unconfirmed(process.matches.play(cached, ADA, TakeSeat(seat=0), "sit"))
    await unconfirmed(process.matches.play(cached, ADA, TakeSeat(seat=0), "sit"))
    assert len(await store.read(match)) == 2

    store.replicated = True
    answer = await process.matches.play(cached, ADA, TakeSeat(seat=0), "sit")
    assert answer.version == 2
    assert len(await store.read(match)) == 2


async def test_a_match_opened_again_is_answered_when_replicas_have_it(store, start):
    process = start()
    opened = CreateMatch("tranquility", 2)
    store.replicated = False
    await unconfirmed(process.matches.create(ADA, opened, "open"))
    await unconfirmed(process.matches.create(ADA, opened, "open"))
    store.replicated = True
    cached = await process.matches.create(ADA, opened, "open")
    assert cached.folded.version == 1


@pytest.mark.parametrize("successor", [None, BOB], ids=["nothing", "the same command of a rival"])
async def test_a_record_that_a_failover_lost_is_neither_answered_nor_refused(
    store, start, successor
):
    process = start()
    stale = await process.matches.create(ADA, CreateMatch("tranquility", 2), "open")
    match = stale.match.header.match
    await process.matches.play(stale, ADA, TakeSeat(), "sit")
    store.fail_over(match, 1)
    if successor is not None:
        other = start()
        await other.matches.play(await other.cache.get(match), successor, TakeSeat(), "sit")
    kept = len(await store.read(match))

    await unconfirmed(process.matches.play(stale, ADA, TakeSeat(), "sit"))
    cached = await process.cache.get(match)
    answer = await process.matches.play(cached, ADA, TakeSeat(), "sit")
    assert answer.version == kept + 1 == len(await store.read(match))
