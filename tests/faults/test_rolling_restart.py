"""Several processes behind one port: one dies, and all are restarted one by one during play."""

import os
import secrets
import signal
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path

import httpx
import pytest

from tests.e2e.service import SCRIPT, Player, Running, running, wait_until

SLOW_S = 180

pytestmark = pytest.mark.timeout(1_200)


def serving(service: Running) -> set[int]:
    """Return the ids of the processes that accept calls."""
    pid = service.process.pid
    found: set[int] = set()
    for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split():
        with suppress(FileNotFoundError, ProcessLookupError):
            if b"--listener" in Path(f"/proc/{child}/cmdline").read_bytes().split(b"\0"):
                found.add(int(child))
    return found


def follow(player: Player, match: str) -> list[int]:
    """Read the stream of a match until its end, again if it ends before; return the versions."""
    versions: list[int] = []
    until = time.monotonic() + 2 * SLOW_S
    while time.monotonic() < until:
        resume = {"Last-Event-ID": str(versions[-1])} if versions else {}
        with (
            suppress(httpx.TransportError),  # a browser connects again, too
            player.http.stream("GET", f"/matches/{match}/stream", headers=resume) as stream,
        ):
            assert stream.status_code == 200
            for line in stream.iter_lines():
                if line.startswith("id:"):
                    versions.append(int(line.removeprefix("id:")))
                if line.startswith("event: end"):
                    return versions
    return versions


def surely(player: Player, match: str, command: dict[str, str]) -> None:
    """Send a command, once more under its key if the connection ends just then, as clients do."""
    key = secrets.token_hex(8)
    try:
        answer = player.send(match, command, key)
    except httpx.TransportError:
        answer = player.send(match, command, key)
    assert answer.status_code == 200, answer.text


def test_a_rolling_restart_drops_no_call_and_no_stream(tmp_path: Path) -> None:
    """Each call gets its answer while all processes are replaced."""
    with (
        ThreadPoolExecutor() as threads,
        running(tmp_path, "serve", "--processes", "2") as service,
        Player(service.url) as ada,
        Player(service.url, "Ben") as ben,
        Player(service.url, "Cleo") as cleo,
        Player(service.url, "Dan") as dan,
    ):
        before = serving(service)
        assert len(before) == 2
        match = ada.open_match(seats=3)
        ada.do(match, {"type": "take_seat"})
        following = threads.submit(follow, cleo, match)
        service.process.send_signal(signal.SIGHUP)
        until = time.monotonic() + SLOW_S
        while serving(service) & before:
            assert time.monotonic() < until, service.errors()
            surely(ben, match, {"type": "take_seat"})
            surely(ben, match, {"type": "leave_seat"})
        for player in (ben, dan):
            player.do(match, {"type": "take_seat"})
        for player in (ada, ben, dan):
            player.do(match, {"type": "resign"})
        last = ada.get(f"/matches/{match}")["version"]
        assert following.result(SLOW_S) == list(range(1, last + 1))


def test_a_process_that_dies_is_replaced(tmp_path: Path) -> None:
    """The embedded servers belong to the parent, so they outlive each process."""
    with running(tmp_path, "serve", "--processes", "1") as service, Player(service.url) as ada:
        match = ada.open_match(seats=1)
        (first,) = serving(service)
        os.kill(first, signal.SIGKILL)
        wait_until(lambda: len(serving(service) - {first}) == 1, SLOW_S)
        with Player(service.url, "Ben") as ben:
            assert ben.get(f"/matches/{match}")["match"] == match
        assert service.stop() == 0


def test_processes_that_cannot_serve_end_with_the_reason(tmp_path: Path) -> None:
    settings = {"SHIPLOG_DATA": str(tmp_path), "SHIPLOG_LOG_URL": "redis://127.0.0.1:1"}
    command = [sys.executable, "-c", SCRIPT, "serve", "--processes", "2"]
    done = subprocess.run(
        command, env=os.environ | settings, capture_output=True, text=True, check=False
    )
    assert done.returncode == 2
    assert done.stdout == ""
    assert "shiplog: " in done.stderr
