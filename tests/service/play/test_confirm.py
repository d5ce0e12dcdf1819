"""A record that stands in the log is acknowledged only once enough replicas have it."""

import pytest

from events.memory_store import MemoryStore
from events.store import Unavailable
from games.match.commands import CreateMatch, TakeSeat
from service.base.problems import Problem
from service.play.players import Caller

ADA = Caller("p_ada")


class Alone(MemoryStore):
    """Keeps what it is given, but has no replica to vouch for it until it gets one."""

    replicated = True

    async def append(self, match, version, data, before=b"", head=None):
        await super().append(match, version, data, before, head)
        await self.confirm(match)

    async def confirm(self, match):
        if not self.replicated:
            raise Unavailable("0 of 1 replicas have it")


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
