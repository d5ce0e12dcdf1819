"""`shiplog audit --follow` beside a service: metrics, a kill, and a stop."""

import json
import os
import signal
from pathlib import Path

import httpx

from tests.e2e.service import Player, running, wait_until
from tests.events.cluster import free_port


def test_it_follows_a_service_and_goes_on_after_a_kill(tmp_path):
    port = str(free_port())
    with running(tmp_path, "serve") as service, Player(service.url) as ada:
        match = ada.open_match(seats=1)
        with running(tmp_path, "audit", "--follow", metrics_port=port) as auditor:
            wait_until(lambda: metric(port, "matches") == 1)
            assert ada.send(match, {"type": "take_seat"}).status_code == 200
            wait_until(lambda: metric(port, "records_total") >= 2)
            auditor.kill()
        assert reports(tmp_path)[-1]["name"] == match
        with running(tmp_path, "audit", "--follow", metrics_port=port) as auditor:
            wait_until(lambda: metric(port, "matches") == 1)
            wait_until(lambda: metric(port, "lag_seconds") == 0)
            assert metric(port, "findings") == 0
            assert auditor.stop() == 0
    last = reports(tmp_path)[-1]
    assert (last["name"], last["verdict"], last["status"]) == (match, "holds", "running")


def test_run_starts_an_auditor_that_was_killed_again(tmp_path):
    with running(tmp_path, "run", demo="0") as everything, Player(everything.url) as ada:
        wait_until(lambda: auditors(everything))
        (killed,) = auditors(everything)
        os.kill(killed, signal.SIGKILL)
        wait_until(lambda: auditors(everything) not in ([], [killed]))
        assert "The auditor ended with status -9. Starting it again." in everything.errors()
        ada.open_match(seats=1)
        assert everything.stop() == 0


def auditors(everything):
    """Return the process ids of the auditors that `shiplog run` has started."""
    pid = everything.process.pid
    children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    return [int(child) for child in children if b"--follow" in _command(child)]


def _command(pid):
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes()
    except OSError:  # it has ended
        return b""


def metric(port: str, name: str) -> float:
    try:
        lines = httpx.get(f"http://127.0.0.1:{port}/metrics", timeout=1).text.splitlines()
    except httpx.HTTPError:
        return -1.0
    values = [line.split()[1] for line in lines if line.startswith(f"shiplog_audit_{name} ")]
    return float(values[0])


def reports(folder):
    return [json.loads(line) for line in (folder / "audited.jsonl").read_bytes().splitlines()]
