"""An audit names what it could not look up; a bill of materials names all that is locked."""

import json
import re
from pathlib import Path

import pytest

from tests import audit_dependencies
from tests.audit_dependencies import HOLES, UNKNOWN, judge_node, judge_python, write_bills

ROOT = Path(__file__).parents[2]
CLEAN = {"name": "msgspec", "version": "1", "vulns": []}
HOLED = {"name": "a", "version": "1", "vulns": [{"id": "PYSEC-1", "fix_versions": ["2"]}]}
SKIPPED = {"name": "b", "skip_reason": "Dependency not found on PyPI and could not be audited"}


def report(*packages) -> str:
    return json.dumps({"dependencies": packages, "fixes": []})


def test_a_clean_audit_says_how_many_it_looked_up():
    assert judge_python(report(CLEAN)) == (0, ["1 Python packages looked up, no advisory stands"])


def test_an_advisory_is_named():
    status, says = judge_python(report(CLEAN, HOLED, SKIPPED))
    assert status == HOLES
    assert says[0] == "a 1: PYSEC-1 (fixed in 2)"


@pytest.mark.parametrize("output", [report(CLEAN, SKIPPED), "", "no route to host", "[]"])
def test_what_could_not_be_looked_up_is_no_pass(output):
    """pip-audit itself leaves with 0 when the database knows none of the packages."""
    status, says = judge_python(output)
    assert status == UNKNOWN
    assert says[-1].startswith("NOT AUDITED")


@pytest.mark.parametrize("output", ["", '{"message": "request failed", "error": {}}'])
def test_the_web_clients_audit_is_judged_likewise(output):
    assert judge_node(output).status == UNKNOWN
    found = {
        "vulnerabilities": {"x": {"severity": "high"}},
        "metadata": {"dependencies": {"total": 9}},
    }
    assert judge_node(json.dumps(found)) == (HOLES, ["x: high"])
    assert judge_node(json.dumps({**found, "vulnerabilities": {}})).status == 0


def test_the_bill_names_what_the_service_stands_on(tmp_path, monkeypatch):
    monkeypatch.setattr(audit_dependencies, "OUT", tmp_path)
    bill = json.loads(write_bills()[0].read_text())
    assert bill["bomFormat"] == "CycloneDX"
    versions = {part["name"]: part["version"] for part in bill["components"]}
    lock = (ROOT / "requirements.lock").read_text()
    for name in ("litestar", "msgspec", "redis", "rq", "granian", "cryptography"):
        locked = re.search(rf"^{name}(?:\[.*\])?==(\S+)", lock, re.MULTILINE)
        assert locked
        assert versions[name] == locked[1]
