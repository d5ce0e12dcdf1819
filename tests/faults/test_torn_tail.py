"""F4, F5: the log's file is cut short, followed by garbage, or has a flipped bit at a restart."""

import asyncio
import os
import shutil
import signal
from contextlib import asynccontextmanager

import msgspec
import pytest

from events.chain import ChainBroken, follow
from events.redis_store import RedisStore
from service.embedded.aof import Damaged, mend, newest, whole_until
from service.embedded.server_folder import NoServer
from service.embedded.servers import Server, Supervisor
from tests.events.lines import chain_of


def small_chain(count, tag):
    """Make the shortest records that are numbered."""
    return [
        msgspec.json.encode({"v": version, "id": f"{tag}{version}"})
        for version in range(1, count + 1)
    ]


def command(*words):
    return b"*%d\r\n" % len(words) + b"".join(b"$%d\r\n%b\r\n" % (len(w), w) for w in words)


def quick(folder):
    """Describe a server that looks often whether it is told to stop."""
    return Server.log(folder, hz="500")


@asynccontextmanager
async def kept_running(folder):
    supervisor = Supervisor(quick(folder))
    await asyncio.to_thread(supervisor.start)
    try:
        yield supervisor
    finally:
        await asyncio.to_thread(supervisor.stop)


async def write(server, match, lines, start=1):
    async with RedisStore(server.url) as store:
        for version, line in enumerate(lines, start=start):
            await store.append(match, version, line)


async def read(server, match):
    async with RedisStore(server.url) as store:
        return await store.read(match)


@pytest.fixture
async def three_records(tmp_path):
    """Make a log of three records.

    Return its folder, them, and the last one's offset in the file.
    """
    folder = tmp_path / "log"
    lines = small_chain(3, "")
    with Supervisor(quick(folder)) as server:
        await write(server, "m", lines[:2])
        start = newest(folder).stat().st_size
        await write(server, "m", lines[2:], 3)
    return folder, lines, start


async def test_a_write_cut_at_any_byte_costs_nothing_acknowledged(three_records, tmp_path):
    """Cut, start, append, kill, start: acknowledged records are there, the torn write is not."""
    folder, lines, start = three_records
    sizes = range(start, newest(folder).stat().st_size)
    lanes = (cut_at(folder, tmp_path / f"lane{i}", sizes[i::4], lines) for i in range(4))
    await asyncio.gather(*lanes)


async def cut_at(original, folder, sizes, lines):
    follower = msgspec.json.encode({"v": 3, "id": "follower"})
    for size in sizes:
        shutil.rmtree(folder, ignore_errors=True)
        shutil.copytree(original, folder)
        os.truncate(newest(folder), size)
        cut = newest(folder).read_bytes()
        async with kept_running(folder) as server:
            assert await read(server, "m") == lines[:2]
            await write(server, "m", [follower], 3)
            os.kill(server.pid, signal.SIGKILL)
        async with kept_running(folder) as server:
            assert await read(server, "m") == [*lines[:2], follower]
        kept = [path.read_bytes() for path in folder.rglob("*.torn")]
        assert kept == ([] if whole_until(cut)[1] == "" else [cut])


@pytest.mark.parametrize("cut", [1, 5, 40, 80, None])
async def test_a_torn_transaction_of_a_neighbour_swallows_nothing(three_records, cut):
    """The danger is an unclosed MULTI that stays in the file and takes later writes with it."""
    folder, lines, _ = three_records
    torn = command(b"MULTI") + command(b"SET", b"a", b"1") + command(b"SET", b"b", b"2")
    with newest(folder).open("ab") as file:
        file.write(torn[:cut])
    with Supervisor(quick(folder)) as server:
        assert await read(server, "m") == lines
        await write(server, "n", lines)
        os.kill(server.pid, signal.SIGKILL)
    with Supervisor(quick(folder)) as server:
        assert await read(server, "m") == await read(server, "n") == lines


@pytest.mark.parametrize(
    "tail", [b"\0" * 100, b"garbage", b"*3\r\n$x", b"\xff" * 5_000], ids=range(4)
)
async def test_garbage_is_refused_with_its_place_and_left_to_a_person(three_records, tail):
    """Without the garbage, all that was acknowledged is loaded."""
    folder, lines, _ = three_records
    path = newest(folder)
    whole = path.read_bytes()
    path.write_bytes(whole + tail)
    with pytest.raises(NoServer, match=rf"{path}.* at byte {len(whole)} of {len(whole + tail)}"):
        Supervisor(quick(folder)).start()
    assert path.read_bytes() == whole + tail
    os.truncate(path, len(whole))
    with Supervisor(quick(folder)) as server:
        assert await read(server, "m") == lines


async def test_a_flipped_bit_is_refused_or_found_by_the_chain(tmp_path, chance):
    """For any bit, the server refuses or a chain breaks; what can be read is whole."""
    folder = tmp_path / "log"
    logs = {f"m{index}": chain_of(6, f"m{index}") for index in range(3)}
    with Supervisor(quick(folder)) as server:
        for match, lines in logs.items():
            await write(server, match, lines)
    whole = newest(folder).read_bytes()
    outcomes = {"refused": 0, "found": 0, "harmless": 0}
    for _ in range(40):
        at, bit = chance.randrange(len(whole)), chance.randrange(8)
        changed = bytearray(whole)
        changed[at] ^= 1 << bit
        newest(folder).write_bytes(changed)
        outcome = await judge(folder, logs)
        outcomes[outcome] += 1
        for kept in folder.rglob("*.torn"):
            kept.unlink()
    print(outcomes)
    assert outcomes["found"] > 20


async def judge(folder, logs):
    try:
        supervisor = Supervisor(quick(folder))
        supervisor.start()
    except NoServer:
        return "refused"
    try:
        hurt = [match for match in logs if await broken(supervisor, match, logs[match])]
        for match in logs.keys() - set(hurt):
            assert await read(supervisor, match) == logs[match]
    finally:
        supervisor.stop()
    return "found" if hurt else "harmless"


async def broken(server, match, lines):
    """Return whether the chain or the clients' head shows damage to a match."""
    found = await read(server, match)
    try:
        heads = list(follow(found))
    except ChainBroken:
        return True
    return heads != list(follow(lines))


def test_every_prefix_of_whole_commands_is_told_apart():
    """The end is found at every length, and an unclosed transaction counts from its start."""
    parts = [
        command(b"SELECT", b"0"),
        command(b"XADD", b"log:m", b"0-1", b"r", b"{}"),
        b"#TS:1790000000\r\n",
        command(b"MULTI") + command(b"SET", b"a", b"\r\n$1\r\n") + command(b"EXEC"),
        command(b"SET", b"empty", b""),
    ]
    whole = b"".join(parts)
    ends = [len(b"".join(parts[:count])) for count in range(len(parts) + 1)]
    for size in range(1, len(whole) + 1):
        offset, why = whole_until(whole[:size])
        assert offset == max(end for end in ends if end <= size)
        assert why == ("" if size in ends else "incomplete")


def test_a_wrong_length_in_the_middle_is_damage_not_a_torn_tail(tmp_path):
    good = command(b"XADD", b"log:m", b"0-1", b"r", b"x" * 300)
    path = tmp_path / "appendonly.aof"
    path.write_bytes(good + good.replace(b"$300", b"$900") + good * 3)
    with pytest.raises(Damaged, match=f"at byte {len(good)} "):
        mend(path)
    path.write_bytes(b"REDIS0009" + bytes(100))
    with pytest.raises(Damaged, match="an RDB preamble"):
        mend(path)


def test_a_cut_says_which_records_it_took(tmp_path):
    path = tmp_path / "appendonly.aof"
    good = command(b"SELECT", b"0")
    torn = command(b"XADD", b"log:m_1", b"NOMKSTREAM", b"0-12", b"r", b"x" * 300)[:-20]
    path.write_bytes(good + torn)
    shutil.copy(path, tmp_path / "before")
    cut = mend(path)
    assert cut.names == ("log:m_1 v12",)
    assert path.read_bytes() == good
    assert cut.kept.read_bytes() == (tmp_path / "before").read_bytes()
    assert mend(path) is None


def test_the_file_that_is_written_to_is_found(tmp_path):
    """One file up to Redis 6.2; from 7.0 on the last increment that the manifest lists."""
    assert newest(tmp_path) is None
    (tmp_path / "appendonly.aof").touch()
    assert newest(tmp_path) == tmp_path / "appendonly.aof"
    parts = tmp_path / "appendonlydir"
    parts.mkdir()
    (parts / "appendonly.aof.manifest").write_text("file appendonly.aof.1.base.aof seq 1 type b\n")
    assert newest(tmp_path) == parts / "appendonly.aof.1.base.aof"
    with (parts / "appendonly.aof.manifest").open("a") as manifest:
        manifest.write("file appendonly.aof.9.incr.aof seq 9 type i\n")
        manifest.write("file appendonly.aof.10.incr.aof seq 10 type i\n")
        manifest.write("file appendonly.aof.8.incr.aof seq 8 type h\n")
    assert newest(tmp_path) == parts / "appendonly.aof.10.incr.aof"
