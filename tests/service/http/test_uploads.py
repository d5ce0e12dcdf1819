"""Uploads in memory: their callers share it, and get it back."""

import asyncio
from typing import Any

import pytest

from events.keyring import Keyring
from service.base.problems import Problem
from service.http.transfer import HELD_MAX, Uploads

LARGEST = 1_000


class Readers:
    """Reads uploads when it is told to."""

    def __init__(self) -> None:
        self.may_read = asyncio.Event()

    async def compute(self, caller: str, function: Any, data: bytes, *_: Any) -> bytes:
        await self.may_read.wait()
        return data


class Upload:
    """A request whose body comes in pieces."""

    def __init__(self, *pieces: bytes) -> None:
        self.pieces = pieces

    async def stream(self):
        for piece in self.pieces:
            yield piece
            await asyncio.sleep(0)


@pytest.fixture
async def readers():
    return Readers()


@pytest.fixture
async def uploads(readers):
    return Uploads(readers, Keyring(), LARGEST)


def send(uploads: Uploads, caller: str, *pieces: bytes) -> asyncio.Task[bytes]:
    request: Any = Upload(*pieces)
    return asyncio.create_task(uploads.replay(caller, request, None, None))


async def settled() -> None:
    for _ in range(20):
        await asyncio.sleep(0)


async def code_of(task: asyncio.Task[bytes]) -> str:
    with pytest.raises(Problem) as refused:
        await task
    return refused.value.code


async def test_an_upload_arrives_whole(uploads, readers):
    readers.may_read.set()
    assert await send(uploads, "ada", b"one ", b"", b"two") == b"one two"
    assert await send(uploads, "ada") == b""


async def test_an_upload_above_the_limit_is_refused(uploads, readers):
    assert await code_of(send(uploads, "ada", b"x" * LARGEST, b"x")) == "too-large"
    readers.may_read.set()
    assert await send(uploads, "ada", b"x" * LARGEST) == b"x" * LARGEST


async def test_no_caller_holds_more_than_its_share(uploads, readers):
    """Those that wait to be read count as well."""
    held = [send(uploads, "eve", b"x" * LARGEST) for _ in range(HELD_MAX)]
    await settled()
    assert await code_of(send(uploads, "eve", b"x")) == "rate-limited"
    small = send(uploads, "ada", b"x" * (LARGEST // 2))
    readers.may_read.set()
    assert len(await small) == LARGEST // 2
    await asyncio.gather(*held)
    assert len(await send(uploads, "eve", b"x" * LARGEST)) == LARGEST


async def test_however_many_strangers_upload_others_may(uploads, readers):
    strangers = [send(uploads, f"eve {number}", *[b"x" * 10] * 100) for number in range(50)]
    await settled()
    upload = send(uploads, "ada", b"x" * (HELD_MAX * LARGEST // 60))
    readers.may_read.set()
    assert await upload
    told = await asyncio.gather(*strangers, return_exceptions=True)
    assert {one.code for one in told if isinstance(one, Problem)} == {"rate-limited"}


async def test_what_was_given_up_is_held_no_longer(uploads, readers):
    held = [send(uploads, "eve", b"x" * LARGEST) for _ in range(HELD_MAX)]
    await settled()
    for task in held:
        task.cancel()
    await asyncio.wait(held)
    readers.may_read.set()
    assert len(await send(uploads, "eve", b"x" * LARGEST)) == LARGEST
