"""`shiplog explain`: a finding by its place, or as the audit printed it; `blame --at`."""

import json

import pytest

from tests.replay.forgery import opened
from tests.replay.logs import a_match
from tests.service.cli.conftest import widen

FILE = {"rule": "file", "record": 0, "message": ""}
WHOLE_LOG = json.dumps({"type": "finding", "log": "x", "match": None, "finding": FILE})


@pytest.fixture
def doubled(audit, files):
    """Return the first line of the audit of a log with an event that was recorded twice."""
    return audit("--format", "ndjson", logs=["doubled.jsonl"]).stdout.splitlines()[0]


def test_a_finding_is_explained_by_its_place(shiplog, doubled):
    count = len(opened(a_match()[11])["events"])
    result = shiplog("explain", f"doubled.jsonl:12:{count + 1}")
    assert result.exit_code == 1
    assert f"→ {count + 1} " in result.stdout
    assert "recorded:" in result.stdout
    assert "decided:" in result.stdout
    assert "read:" in result.stdout
    same = shiplog("explain", "good.jsonl:12")
    assert same.exit_code == 0
    assert "recorded and decided:" in same.stdout


def test_a_line_or_a_report_of_the_audit_is_explained(shiplog, audit, doubled):
    told = shiplog("explain", doubled)
    assert told.exit_code == 1
    assert told.stdout.startswith("events: event ")
    report = json.loads(audit("--json", logs=["doubled.jsonl"]).stdout)["reports"][0]
    assert shiplog("explain", json.dumps(report)).stdout == told.stdout
    explained = json.loads(shiplog("explain", doubled, "--json").stdout)
    assert (explained["record"], explained["same"]) == (12, False)
    assert explained["before"]["version"] == 11


def test_the_text_fits_the_terminal(shiplog, doubled, monkeypatch):
    widen(monkeypatch, 80)
    assert max(map(len, shiplog("explain", doubled).stdout.splitlines())) <= 80


@pytest.mark.parametrize(
    ("what", "status"),
    [
        ("good.jsonl", 2),
        ("good.jsonl:0", 1),
        ("good.jsonl:9999", 1),
        ("good.jsonl:12:99", 2),
        ("missing.jsonl:12", 2),
        ("{}", 2),
        (WHOLE_LOG, 2),
    ],
)
def test_exit_statuses(shiplog, files, what, status):
    assert shiplog("explain", what).exit_code == status


def test_blame_at_a_version(shiplog, files):
    asked = ("blame", "good.jsonl", "/turn", "--causes")
    last = json.loads(shiplog(*asked, "--json").stdout)
    then = json.loads(shiplog(*asked, "--at", 12, "--json").stdout)
    assert then["set_by"]["record"]["v"] <= 12 < last["set_by"]["record"]["v"]
    assert {fact["path"] for fact in then["facts"]} >= {"/active"}
    assert "Read by the rule in record" in shiplog(*asked).stdout
    assert shiplog(*asked, "--at", 9999).exit_code == 1
