"""Tasks wait for several signals at the price of one future."""

import asyncio

import pytest

from service.base.waiting import Signal, TimeLimit, wait_for_any


async def test_the_wait_ends_with_the_first_signal():
    first, second = Signal(), Signal()
    waiting = [asyncio.create_task(wait_for_any(60, first, second)) for _ in range(3)]
    await asyncio.sleep(0)
    second.set()
    assert await asyncio.gather(*waiting) == [True, True, True]


async def test_the_wait_ends_after_its_time():
    assert await wait_for_any(0.001, Signal(), Signal()) is False


async def test_a_signal_that_is_set_is_not_waited_for():
    signal = Signal()
    signal.set()
    assert await wait_for_any(0, Signal(), signal)
    assert await signal.wait()


async def test_who_waits_for_the_signal_alone_is_woken_too():
    signal = Signal()
    waiting = asyncio.create_task(signal.wait())
    await asyncio.sleep(0)
    signal.set()
    assert await waiting


async def test_a_cancelled_wait_leaves_nothing_behind():
    signal = Signal()
    gone, stays = (asyncio.create_task(wait_for_any(60, signal)) for _ in range(2))
    await asyncio.sleep(0)
    gone.cancel()
    await asyncio.wait([gone])
    signal.set()
    assert gone.cancelled()
    assert await stays


async def test_many_waits_share_one_limit():
    limit, loop, happened = TimeLimit(60), asyncio.get_running_loop(), asyncio.Event()

    async def late():
        with pytest.raises(TimeoutError):
            await limit.until(loop.time() + 0.01, asyncio.sleep(60))
        return "late"

    async def in_time():
        await limit.until(loop.time() + 60, happened.wait())
        return "in time"

    waiting = [asyncio.create_task(wait()) for wait in (late, in_time, late)]
    await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
    happened.set()
    assert await asyncio.gather(*waiting) == ["late", "in time", "late"]


async def test_results_errors_and_cancellation_pass_through_a_limit():
    limit, deadline = TimeLimit(60), asyncio.get_running_loop().time() + 60

    async def failing():
        raise KeyError("lost")

    assert await limit.until(deadline, asyncio.sleep(0, "found")) == "found"
    with pytest.raises(KeyError, match="lost"):
        await limit.until(deadline, failing())
    task = asyncio.create_task(limit.until(deadline, asyncio.sleep(60)))
    await asyncio.sleep(0)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
