"""F19: embedded servers: killed parents, two on one folder, stale traces, unusable folders."""

import asyncio
import errno
import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest
from redis import Redis

import service.embedded.servers
from events.redis_store import RedisStore
from events.redis_version import OLDEST
from service.embedded.aof import parts
from service.embedded.server_folder import SOCKET_BYTES_MAX, Lock, socket_path
from service.embedded.servers import (
    NoServer,
    Server,
    Supervisor,
    find_binary,
    running,
    version_of,
)
from tests.faults.stalls import stalled

SERVICE = """
import sys, time
from pathlib import Path
from service.embedded.servers import Server, Supervisor
with Supervisor(Server.log(Path(sys.argv[1]))) as server:
    print(server.pid, server.url, flush=True)
    time.sleep(60)
"""


def alive(pid):
    """Return whether a process runs; a zombie does not."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


def gone_within(pid, seconds):
    until = time.monotonic() + seconds
    while alive(pid) and time.monotonic() < until:
        time.sleep(0.01)
    return not alive(pid)


def until(holds, seconds=60):
    end = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < end
        time.sleep(0.01)


@pytest.fixture
def service_on():
    """Start services as processes of their own; yield each with its last line of output."""
    started = []

    def start(folder):
        process = subprocess.Popen(
            [sys.executable, "-c", SERVICE, folder],
            stdout=subprocess.PIPE,
            text=True,
            cwd=Path.cwd(),
        )
        started.append(process)
        while " unix://" not in (line := process.stdout.readline()):
            assert line, "the service has ended"
        pid, url = line.split()
        return process, pid, url

    yield start
    for process in started:
        process.kill()
        process.wait()
        process.stdout.close()


@pytest.fixture
def folder(tmp_path):
    return tmp_path / "log"


def test_no_orphan_outlives_a_killed_service(folder, service_on):
    process, pid, url = service_on(folder)
    with Redis.from_url(url) as client:
        client.xadd("log:m", {"r": b"{}"}, id="0-1")
    process.kill()
    process.wait()
    assert gone_within(pid, 5)
    with Supervisor(Server.log(folder)) as server, Redis.from_url(server.url) as client:
        assert len(client.xrange("log:m")) == 1


def test_a_service_started_while_the_orphan_still_ends_waits_for_it(folder, service_on):
    process, pid, _ = service_on(folder)
    os.kill(int(pid), signal.SIGSTOP)
    process.kill()
    process.wait()
    timer = subprocess.Popen(["sh", "-c", f"sleep 0.5; kill -CONT {pid}"])
    with Supervisor(Server.log(folder)) as server:
        until(lambda: server.starts == 1 and server.pid)
        assert not alive(pid)
    timer.wait()


def test_a_second_service_attaches_and_takes_over(folder, service_on):
    process, pid, url = service_on(folder)
    with Supervisor(Server.log(folder)) as second:
        assert (second.url, second.pid, second.starts) == (url, None, 0)
        process.kill()
        process.wait()
        assert gone_within(pid, 5)
        until(lambda: second.starts == 1 and second.pid)
        with Redis.from_url(second.url) as client:
            client.ping()


def test_of_many_at_once_one_starts_a_server(folder):
    supervisors = [Supervisor(Server.log(folder)) for _ in range(8)]
    for supervisor in supervisors:
        supervisor._thread.start()
    for supervisor in supervisors:
        supervisor._settled.wait()
    assert sorted(supervisor.starts for supervisor in supervisors) == [0] * 7 + [1]
    for supervisor in supervisors:
        supervisor._stopping.set()
    for supervisor in supervisors:
        supervisor.stop()


def test_a_folder_of_a_silent_server_is_refused(folder, monkeypatch):
    monkeypatch.setattr(service.embedded.servers, "ATTACH_S", 0.3)
    with Supervisor(Server.log(folder)) as server:
        refusal = f"does not answer .started by process {os.getpid()}"
        with stalled(server.pid), pytest.raises(NoServer, match=refusal):
            Supervisor(Server.log(folder)).start()


def test_stale_traces_are_no_hindrance(folder):
    """The note of a dead service, the socket of a dead server, the pid of another program."""
    folder.mkdir()
    (folder / "server.lock").write_text(f'{{"started_by": {os.getpid()}, "socket": "/nowhere"}}')
    (folder / "redis.pid").write_text(str(os.getpid()))
    (folder / "redis.sock").write_text("")
    with Supervisor(Server.log(folder)) as server, Redis.from_url(server.url) as client:
        assert client.ping()


@pytest.mark.parametrize("note", ["", "garbage", '{"started_by": 1}'])
def test_an_illegible_note_is_no_hindrance(folder, note):
    folder.mkdir()
    (folder / "server.lock").write_text(note)
    with Supervisor(Server.log(folder)) as server:
        (folder / "server.lock").write_text(note)
        with Supervisor(Server.log(folder)) as second:
            assert second.url == server.url


@pytest.mark.parametrize("place", ["/proc/shiplog", "/proc/self/task"])
def test_a_folder_that_can_not_be_written_is_refused(place):
    with pytest.raises(NoServer, match=place):
        Supervisor(Server.log(Path(place))).start()


def test_a_file_in_place_of_the_folder_is_refused(folder):
    folder.write_text("")
    with pytest.raises(NoServer, match="Cannot create or use"):
        Supervisor(Server.log(folder)).start()


def test_a_wrong_setting_is_refused_with_the_servers_words(folder):
    with pytest.raises(NoServer, match="no-such-setting 1' / Bad directive"):
        Supervisor(Server.log(folder, no_such_setting="1")).start()


def test_after_a_failed_fsync_the_file_is_copied_and_synced_before_it_is_loaded(
    folder, monkeypatch
):
    with Supervisor(Server.log(folder)):
        pass

    def content():
        return {path: path.read_bytes() for path in parts(folder)}

    def blocks():
        return {path: path.stat().st_ino for path in parts(folder)}

    before, first = content(), blocks()
    words = (
        "1:M 21 Nov 2026 09:00:00.000 # Can't persist AOF for fsync error when the AOF fsync "
        "policy is 'always': Input/output error. Exiting...\n"
    )
    (folder / "server.log").write_text(words)

    def failing(descriptor):
        raise OSError(errno.EIO, "Input/output error")

    with monkeypatch.context() as patch:
        patch.setattr("service.embedded.aof.os.fsync", failing)
        with pytest.raises(NoServer, match="fails as well: Input/output error"):
            Supervisor(Server.log(folder)).start()
    assert blocks() == first
    with Supervisor(Server.log(folder)) as server:
        assert server.pid
        copied = blocks()
        assert all(copied[path] != block for path, block in first.items())
        assert content() == before
    with Supervisor(Server.log(folder)):
        assert blocks() == copied, "once is enough"


def test_an_incomplete_copy_is_no_part_of_the_data(tmp_path):
    pieces = tmp_path / "appendonlydir"
    pieces.mkdir()
    whole = ["appendonly.aof.1.base.aof", "appendonly.aof.1.incr.aof", "appendonly.aof.manifest"]
    for name in (*whole, "appendonly.aof.1.base.aof.anew"):
        (pieces / name).touch()
    assert parts(tmp_path) == [pieces / name for name in whole]


def put_on_path(folder, monkeypatch, **versions):
    """Put programs on PATH that say to be servers of some versions."""
    for name, version in versions.items():
        program = folder / f"{name}-server"
        program.write_text(f"#!/bin/sh\necho Redis server v={version} sha=0")
        program.chmod(0o700)
    monkeypatch.setenv("PATH", f"{folder}:/usr/bin:/bin")


def test_a_server_that_is_too_old_is_passed_over(tmp_path, monkeypatch):
    put_on_path(tmp_path, monkeypatch, valkey="5.0.1", redis="6.0.16")
    packaged = find_binary()
    assert packaged.parent != tmp_path
    assert version_of(packaged) >= OLDEST
    (tmp_path / "valkey-server").write_text("#!/bin/sh\necho Valkey server v=8.1.0 sha=0")
    assert find_binary() == tmp_path / "valkey-server"
    monkeypatch.setattr(service.embedded.servers, "OLDEST", (99,))
    with pytest.raises(NoServer, match="Install one"):
        find_binary()


def test_data_of_a_later_server_are_left_alone_by_one_that_would_start_empty(tmp_path, monkeypatch):
    put_on_path(tmp_path, monkeypatch, valkey="7.0.1", redis="6.2.14")
    monkeypatch.setattr(service.embedded.servers, "PACKAGED", {})
    folder = tmp_path / "log"
    (folder / "appendonlydir").mkdir(parents=True)
    (folder / "appendonlydir" / "appendonly.aof.manifest").touch()
    assert find_binary(folder) == tmp_path / "valkey-server"
    (tmp_path / "valkey-server").unlink()
    assert find_binary() == tmp_path / "redis-server"
    with pytest.raises(NoServer, match=f"7.0 or later .* wrote {folder}; earlier ones would start"):
        Supervisor(Server.log(folder)).start()


def test_a_long_path_gets_a_short_socket(tmp_path, monkeypatch):
    monkeypatch.setenv("TMPDIR", "/tmp")
    folder = tmp_path / ("x" * 120) / "log"
    path = socket_path(folder)
    assert len(os.fsencode(path)) <= SOCKET_BYTES_MAX
    with Supervisor(Server.log(folder)) as server, Redis.from_url(server.url) as client:
        assert client.config_get("dir")["dir"] == str(folder)
        with Supervisor(Server.log(folder)) as second:
            assert second.url == server.url
        assert path.parent.stat().st_mode & 0o777 == 0o700
    path.parent.rmdir()


def test_spaces_and_quotes_in_a_path(tmp_path):
    folder = tmp_path / 'a b\'s "c" ěš%20'
    with Supervisor(Server.log(folder)) as server, Redis.from_url(server.url) as client:
        assert client.ping()


def test_the_folder_and_the_socket_are_ours_alone(folder):
    folder.mkdir(mode=0o755)
    with Supervisor(Server.log(folder)):
        assert folder.stat().st_mode & 0o777 == 0o700
        assert (folder / "redis.sock").stat().st_mode & 0o777 == 0o600


def test_a_died_server_is_started_again_and_stopping_leaves_nothing(folder):
    with Supervisor(Server.log(folder)) as server:
        for count in (2, 3):
            pid = server.pid
            os.kill(pid, signal.SIGKILL)
            until(lambda count=count: server.starts == count)
        last = server.pid
    assert not alive(last)
    assert not (folder / "redis.sock").exists()
    with Lock(folder) as lock:
        assert lock.taken


def test_the_log_refuses_transactions_scripts_and_deletions(folder):
    with Supervisor(Server.log(folder)) as server, Redis.from_url(server.url) as client:
        for words in (
            "MULTI",
            "EVAL x 0",
            "XTRIM s MAXLEN 0",
            "XDEL s 0-1",
            "FLUSHALL",
            "FLUSHDB",
            "EXPIRE s 1",
            "CONFIG SET appendfsync no",
        ):
            with pytest.raises(Exception, match="no permissions"):
                client.execute_command(*words.split())


@pytest.mark.parametrize("seconds", [0.0, 0.001, 0.01, 0.02, 0.03, 0.05])
async def test_a_start_that_is_cancelled_leaves_nothing(folder, seconds):
    async def start():
        async with running(Server.log(folder)):
            await asyncio.sleep(60)

    before = set(threading.enumerate())
    task = asyncio.create_task(start())
    await asyncio.sleep(seconds)
    task.cancel()
    await asyncio.wait([task])
    until(lambda: all(it in before or it.name != "redis-log" for it in threading.enumerate()))
    if folder.exists():
        with Lock(folder) as lock:
            assert lock.taken


async def test_both_servers_run_beside_each_other(tmp_path):
    async with (
        running(Server.log(tmp_path / "log")) as log,
        running(Server.work(tmp_path / "work")) as work,
    ):
        assert log != work
        async with RedisStore(log) as store:
            assert await store.check_durability() == []
        with Redis.from_url(work) as client:
            pipeline = client.pipeline()
            pipeline.set("a", 1)
            assert pipeline.execute() == [True]
        await asyncio.sleep(0)
