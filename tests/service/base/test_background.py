"""Work in the background ends with its block, whatever the work makes of its cancellation."""

import asyncio
from contextlib import suppress

import pytest

from service.base import background
from service.base.background import in_background


@pytest.fixture(autouse=True)
def impatient(monkeypatch):
    monkeypatch.setattr(background, "AGAIN_S", 0.001)


async def test_work_is_cancelled_at_the_end_of_the_block():
    ended = asyncio.Event()

    async def work():
        try:
            await asyncio.Event().wait()
        finally:
            ended.set()

    async with in_background(work()):
        await asyncio.sleep(0)
        assert not ended.is_set()
    assert ended.is_set()


async def test_work_whose_client_swallows_a_cancellation_is_cancelled_again():
    swallowed = 0

    async def work():
        nonlocal swallowed
        while True:
            try:
                await asyncio.Event().wait()
            except asyncio.CancelledError:
                if swallowed == 2:
                    raise
                swallowed += 1

    async with in_background(work()):
        await asyncio.sleep(0)
    assert swallowed == 2


async def test_what_the_work_raises_is_logged_at_once_and_raised_at_the_end_of_the_block(written):
    async def work():
        raise OSError("The disk is gone.")

    async def block():
        async with in_background(work()):
            await asyncio.sleep(0.01)
            lines.extend(written())

    lines = []
    with pytest.raises(OSError, match="gone"):
        await block()
    (line,) = lines
    assert line["event"] == "background"
    assert line["work"].endswith("work")
    assert "OSError: The disk is gone." in line["exception"]


async def test_who_waits_for_the_end_can_be_cancelled():
    freed = asyncio.Event()

    async def work():
        while not freed.is_set():
            with suppress(asyncio.CancelledError):
                await freed.wait()

    async def block():
        async with in_background(work()):
            await asyncio.sleep(0)

    waiting = asyncio.create_task(block())
    await asyncio.sleep(0.01)
    waiting.cancel()
    with pytest.raises(asyncio.CancelledError):
        await waiting
    freed.set()
