"""F6, F7: a full disk, and a disk that fails to sync.

The disk is a small tmpfs where it may be mounted, and a library that is preloaded into the server
where there is a C compiler.
"""

import asyncio
import os
import shlex
import shutil
import subprocess
import time
from collections.abc import Callable
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import NamedTuple

import msgspec
import pytest

from events.append_lane import Limits
from events.redis_store import RedisStore
from service.embedded.server_folder import ask
from service.embedded.servers import Server, Supervisor, find_binary
from tests.faults.ledger import Ledger, play

SOURCE = Path(__file__).with_name("disk.c")
SCRIPT = Path(__file__).parents[2] / "deploy" / "log-server.sh"
SIZE = "8m"


class Disk(NamedTuple):
    """A server on a disk that can be filled."""

    server: Server
    fill: Callable[[], None]
    free: Callable[[], None]


@pytest.fixture
def faults(tmp_path):
    """Make a folder in which a file names a fault of the disk, while it is there."""
    folder = tmp_path / "faults"
    folder.mkdir()
    return folder


@pytest.fixture
def faulty(tmp_path, faults):
    """Return a log's server on a disk that has faults."""
    if (compiler := shutil.which("cc")) is None:
        pytest.skip("needs a C compiler (cc)")
    library, script = tmp_path / "disk.so", tmp_path / "server"
    subprocess.run([compiler, "-shared", "-fPIC", "-o", library, SOURCE], check=True)
    script.write_text(
        f"#!/bin/sh\nFAULTS={shlex.quote(str(faults))} LD_PRELOAD={shlex.quote(str(library))} "
        f'exec {shlex.quote(str(find_binary()))} "$@"\n'
    )
    script.chmod(0o700)
    return msgspec.structs.replace(Server.log(tmp_path / "log"), binary=script)


@pytest.fixture
def preloaded(faulty, faults):
    full = faults / "full"
    return Disk(faulty, full.touch, full.unlink)


@pytest.fixture
def mounted(tmp_path):
    place = tmp_path / "disk"
    place.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", f"size={SIZE}", "tmpfs", place]
    if (
        not shutil.which("mount")
        or subprocess.run(mount, check=False, capture_output=True).returncode
    ):
        pytest.skip("needs the right to mount a tmpfs")
    filler = place / "filler"

    def fill():
        with filler.open("wb", buffering=0) as file, suppress(OSError):
            while True:
                file.write(bytes(4096))
        assert shutil.disk_usage(place).free == 0

    yield Disk(Server.log(place / "log"), fill, filler.unlink)
    subprocess.run(["umount", "--lazy", place], check=True)


@asynccontextmanager
async def played(store, ledger):
    """Let some matches be played meanwhile."""
    stop = asyncio.Event()
    players = [asyncio.create_task(play(store, ledger, f"m{n}", stop)) for n in range(8)]
    try:
        await ledger.goes_on()
        yield
    finally:
        stop.set()
        await asyncio.gather(*players)


async def until(holds):
    async with asyncio.timeout(60):
        while not holds():  # noqa: ASYNC110 - polls
            await asyncio.sleep(0.01)


@pytest.mark.parametrize("kind", ["mounted", "preloaded"])
async def test_a_full_disk_stops_the_log_which_needs_nothing_but_space(request, kind):
    disk = request.getfixturevalue(kind)
    ledger = Ledger()
    with Supervisor(disk.server) as running:
        async with RedisStore(running.url, Limits(reply_s=1.0)) as store:
            async with played(store, ledger):
                disk.fill()
                await until(lambda: running.starts > 1 or running.failed)
                disk.free()
                await ledger.goes_on()
            await ledger.check(store)
    with Supervisor(disk.server) as running:
        async with RedisStore(running.url) as store:
            await ledger.check(store)


async def test_a_log_whose_sync_failed_serves_again_by_itself_and_has_lost_nothing(faulty, faults):
    ledger = Ledger()
    with Supervisor(faulty) as running:
        impatient = RedisStore(running.url, Limits(total_s=1.0))
        async with impatient as store, played(store, ledger):
            (faults / "sync").touch()
            await until(lambda: running.starts > 1)
            (faults / "sync").unlink()
            await ledger.goes_on()
        async with RedisStore(running.url) as store:
            await ledger.check(store)
    assert b"fsync error" in (faulty.folder / "server.log.old").read_bytes()
    with Supervisor(faulty) as running:
        async with RedisStore(running.url) as store:
            await ledger.check(store)


@pytest.fixture
def deployed(tmp_path, faulty, faults):
    """Return a socket, and a function that starts the log's server as deployments do.

    The script's copy meets the faulty disk, too. The function waits until the server answers, or
    has ended, and returns its process and what it says.
    """
    path, words = tmp_path / "redis.sock", tmp_path / "words"
    folder = tmp_path / "data"
    folder.mkdir()
    environ = {"LD_PRELOAD": str(tmp_path / "disk.so"), "FAULTS": str(faults)}
    durable = ("--appendonly", "yes", "--appendfsync", "always", "--aof-load-truncated", "no")
    command = [SCRIPT, folder, find_binary(), "--port", "0", "--unixsocket", path, *durable]
    processes: list[subprocess.Popen[bytes]] = []

    def start():
        with words.open("w") as out:
            processes.append(
                subprocess.Popen(
                    list(map(str, command)), env=os.environ | environ, stdout=out, stderr=out
                )
            )
        while ask(path) != "up" and processes[-1].poll() is None:
            time.sleep(0.01)
        return processes[-1], words

    yield path, start
    for process in processes:
        process.terminate()
        process.wait()


async def test_the_script_of_deployments_serves_only_what_could_be_synced(deployed, faults):
    """The rule is the same for systemd, Compose and Kubernetes."""
    path, start = deployed
    process, words = start()
    ledger = Ledger()
    impatient = RedisStore(f"unix://{path}", Limits(total_s=1.0))
    async with impatient as store, played(store, ledger):
        await ledger.goes_on()
        (faults / "sync").touch()
        await until(lambda: process.poll() is not None)
        process, _ = start()
        assert process.wait() == 1
        assert "so does a copy" in words.read_text()
        (faults / "sync").unlink()
        process, _ = start()
        assert "copied and synced" in words.read_text()
        await ledger.goes_on()
    process.kill()
    process.wait()
    start()
    assert "copied and synced" not in words.read_text(), "once is enough"
    async with RedisStore(f"unix://{path}") as store:
        await ledger.check(store)
