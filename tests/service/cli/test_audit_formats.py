"""`shiplog audit --format`: a table for people, and what other programs read."""

import json
import os
import subprocess
import sys
from xml.etree import ElementTree as ET

from tests.replay.forgery import opened
from tests.replay.logs import a_match
from tests.service.cli.conftest import widen


def test_ndjson_has_a_line_for_each_finding_and_each_log(audit):
    result = audit("--format", "ndjson")
    assert result.exit_code == 1
    lines = [json.loads(line) for line in result.stdout.splitlines()]
    assert [line["type"] for line in lines if line["type"] != "finding"] == [*["report"] * 3, "end"]
    told = [(line["log"], line["finding"]["record"]) for line in lines if line["type"] == "finding"]
    assert told[0] == ("forged.jsonl", 9)
    assert told[1] == ("doubled.jsonl", 12)
    assert lines[-1] == {
        "type": "end", "verdict": "broken",
        "audited": 3, "audited_before": 0, "broken": 2, "unauthenticated": 0,
    }  # fmt: skip


def test_json_is_the_short_form(audit):
    assert audit("--json").stdout == audit("--format", "json").stdout
    assert audit("--json", "--format", "sarif").exit_code == 2
    assert audit("--format", "yaml").exit_code == 2


def test_sarif_names_log_record_value_and_cause(audit):
    """The structure of SARIF 2.1.0 that code hosts require."""
    document = json.loads(audit("--format", "sarif", key="00" * 32).stdout)
    assert document["version"] == "2.1.0"
    (run,) = document["runs"]
    driver = run["tool"]["driver"]
    rules = {rule["id"] for rule in driver["rules"]}
    assert driver["name"] == "shiplog audit"
    assert {result["ruleId"] for result in run["results"]} <= rules
    for result in run["results"]:
        assert result["message"]["text"]
        assert len(result["partialFingerprints"]["shiplog/v1"]) == 64
        assert (result["kind"] == "fail") == (result["level"] == "error")
    failed = [result for result in run["results"] if result["kind"] == "fail"]
    (place,) = failed[0]["locations"]
    assert place["physicalLocation"] == {
        "artifactLocation": {"uri": "forged.jsonl"},
        "region": {"startLine": 9},
    }
    named = place["logicalLocations"][0]["fullyQualifiedName"]
    assert named.endswith("/9/digest")
    assert failed[0]["properties"]["actual"] == "0" * 24
    assert {"review", "open"} <= {result["kind"] for result in run["results"]}
    follows = next(result for result in failed if "codeFlows" in result)
    steps = follows["codeFlows"][0]["threadFlows"][0]["locations"]
    lines = [step["location"]["physicalLocation"]["region"]["startLine"] for step in steps]
    assert lines == [12, 13]


def test_junit_has_a_suite_for_each_game_and_a_case_for_each_log(audit):
    root = ET.fromstring(audit("--format", "junit").stdout)
    (suite,) = root.findall("testsuite")
    assert (suite.get("name"), suite.get("tests"), suite.get("failures")) == (
        "tranquility",
        "3",
        "2",
    )
    cases = {case.get("name"): case for case in suite}
    assert cases["good.jsonl"].find("failure") is None
    failure = cases["forged.jsonl"].find("failure")
    assert failure.get("type") == "digest"
    assert failure.get("message").startswith("record 9: ")
    assert json.loads(failure.text)["record"] == 9


def test_the_table_fits_the_terminal_and_json_has_the_whole_values(audit, monkeypatch):
    widen(monkeypatch, 80)
    shown = audit("--fast", logs=["doubled.jsonl"]).stdout.splitlines()
    findings = [line for line in shown if not line.startswith("doubled.jsonl: not checked")]
    assert max(map(len, findings)) <= 80
    assert "doubled.jsonl: 1 cause" in shown
    assert any("and 1 that follow" in line for line in shown)
    report = json.loads(audit("--json", logs=["doubled.jsonl"]).stdout)["reports"][0]
    assert report["findings"][0]["actual"] == opened(a_match()[11])["events"][-1]


def test_a_reader_who_has_seen_enough_is_told_nothing(files):
    """As with `shiplog audit … | head`."""
    script = "from service.cli import main; main()"
    words = ("audit", "good.jsonl", "--allow-unsigned", "--format", "ndjson")
    reading, writing = os.pipe()
    os.close(reading)
    with os.fdopen(writing, "w") as closed:
        done = subprocess.run(
            [sys.executable, "-c", script, *words],
            cwd=files, stdout=closed, stderr=subprocess.PIPE, text=True, check=False,
        )  # fmt: skip
    assert done.stderr == ""
