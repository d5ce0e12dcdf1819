"""`shiplog audit --all --spread` beside a service and its workers: the report of an audit alone."""

import json
import os
import subprocess
import sys

import pytest

from tests.e2e.service import SCRIPT, Player, running

pytestmark = pytest.mark.long


def audited(folder, *words):
    """Run `shiplog audit --all`; return the exit status and what it printed."""
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT, "audit", "--all", "--json", *words],
        env={**os.environ, "SHIPLOG_DATA": str(folder)},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.stdout, done.stderr
    return done.returncode, json.loads(done.stdout)


def test_workers_give_the_report_of_an_audit_alone(tmp_path):
    with running(tmp_path, "serve", checkpoint_s="3600") as service, Player(service.url) as ada:
        for _ in range(3):
            match = ada.open_match(seats=1)
            assert ada.send(match, {"type": "take_seat"}).status_code == 200
        status, told = audited(tmp_path, "--fast")
        assert (status, len(told["reports"])) == (0, 3)
        with running(tmp_path, "worker"):
            assert spread(tmp_path, "--fast") == (status, told)
            status, told = spread(tmp_path, "--fast", "--resume", str(tmp_path / "done.jsonl"))
            assert (status, told["audited"]) == (0, 3)
            status, told = spread(tmp_path, "--fast", "--resume", str(tmp_path / "done.jsonl"))
            assert (status, told["audited_before"]) == (0, 3)


def spread(folder, *words):
    """Audit on the workers, as soon as one of them is there."""
    for _ in range(50):
        try:
            return audited(folder, "--spread", *words)
        except AssertionError as error:
            if "No worker" not in str(error):
                raise
    raise AssertionError("no worker came up")
