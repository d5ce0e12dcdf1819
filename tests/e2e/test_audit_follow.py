"""`shiplog audit --follow` beside a service: metrics, a kill, and a stop."""

import json

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


def metric(port: str, name: str) -> float:
    try:
        lines = httpx.get(f"http://127.0.0.1:{port}/metrics", timeout=1).text.splitlines()
    except httpx.HTTPError:
        return -1.0
    values = [line.split()[1] for line in lines if line.startswith(f"shiplog_audit_{name} ")]
    return float(values[0])


def reports(folder):
    return [json.loads(line) for line in (folder / "audited.jsonl").read_bytes().splitlines()]
