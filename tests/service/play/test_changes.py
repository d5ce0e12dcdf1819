"""Followers of a name learn of its changes, also after a failure of the reader."""

import asyncio

from service.play import changes as changing
from service.play.changes import Changes


async def test_a_failure_of_the_reader_leaves_no_follower_waiting(work, monkeypatch):
    monkeypatch.setattr(changing, "RETRY_S", 0.01)
    changes = Changes(work, "changes:test", 10)
    async with asyncio.timeout(10):
        with changes.following("one"):
            await changes.next("one").wait()
            told = changes.next("one")
            await work.xadd("changes:test", {b"x": b"not a change"})
            await told.wait()
            again = changes.next("one")
            await changes.tell(work, "one")
            await again.wait()
