"""An audit names what it could not look up; a bill of materials names all that is locked."""

import json
import re
import subprocess
import sys
import zipfile
from datetime import UTC, datetime
from pathlib import Path

import pytest

from tests import audit_dependencies
from tests.advisories import locked_node, locked_python
from tests.audit_dependencies import (
    HOLES,
    UNKNOWN,
    judge_copy,
    judge_node,
    judge_python,
    write_bills,
)

pytestmark = pytest.mark.long

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


NOW = datetime(2026, 11, 24, tzinfo=UTC)
LOCK = "A_b[extra]==1.5 \\\n    --hash=sha256:00\nc==2 ; python_version < '4'\n"


def advisory(name, *events, modified="2026-11-20T00:00:00.123Z", **more):
    package = {"ecosystem": "PyPI", "name": name}
    ranges = [{"type": "ECOSYSTEM", "events": list(events)}]
    return {
        "id": f"PYSEC-{name}",
        "modified": modified,
        "affected": [{"package": package, "ranges": ranges}],
        **more,
    }


def copied(folder, *advisories):
    (folder / "PyPI").mkdir()
    with zipfile.ZipFile(folder / "PyPI" / "all.zip", "w") as archive:
        for number, one in enumerate(advisories):
            archive.writestr(f"{number}.json", json.dumps(one))
    return judge_copy(locked_python(LOCK), folder, "PyPI", "Python", NOW)


@pytest.mark.parametrize(
    ("events", "found"),
    [
        ([{"introduced": "0"}], True),
        ([{"introduced": "0"}, {"fixed": "1.6"}], True),
        ([{"introduced": "0"}, {"fixed": "1.5"}], False),
        ([{"introduced": "1.6"}], False),
        ([{"introduced": "1"}, {"last_affected": "1.5"}], True),
        ([{"introduced": "0"}, {"last_affected": "1.4"}], False),
        ([{"introduced": "0"}, {"fixed": "1"}, {"introduced": "1.5"}, {"fixed": "2"}], True),
        ([{"introduced": "no version"}], True),
    ],
)
def test_a_copy_of_the_advisories_is_asked_without_network(tmp_path, events, found):
    status, says = copied(tmp_path, advisory("a.B", *events))
    expected = (
        ["a-b 1.5: PYSEC-a.B"] if found else ["2 Python packages looked up, no advisory stands"]
    )
    assert (status, says) == (HOLES if found else 0, expected)


def test_an_advisory_that_was_withdrawn_does_not_apply(tmp_path):
    one = advisory("c", {"introduced": "0"}, withdrawn="2026-11-21T00:00:00Z")
    assert copied(tmp_path, one).status == 0


def test_a_copy_that_is_old_empty_broken_or_missing_is_no_pass(tmp_path):
    for number, advisories in enumerate([[], [advisory("x", modified="2026-10-01T00:00:00Z")]]):
        folder = tmp_path / str(number)
        folder.mkdir()
        assert copied(folder, *advisories).status == UNKNOWN
    (folder / "PyPI" / "all.zip").write_bytes(b"no zip")
    for place in (folder, tmp_path):
        verdict = judge_copy({}, place, "PyPI", "Python", NOW)
        assert (verdict.status, verdict.says[0][:11]) == (UNKNOWN, "NOT AUDITED")


def test_every_package_of_both_locks_is_found():
    python = locked_python((ROOT / "requirements.lock").read_text())
    assert {"litestar", "msgspec", "redis"} <= set(python)
    node = locked_node(json.loads((ROOT / "web" / "package-lock.json").read_text()))
    assert "svelte" in node
    assert all(version for versions in (*python.values(), *node.values()) for version in versions)


@pytest.mark.parametrize("file", ["Makefile", "deploy/Dockerfile"])
def test_the_lock_is_installed_without_resolving(file):
    """Otherwise pip before 23.3 takes the newest `coverage[toml]`, which no lock can hold."""
    installs = re.findall(r"(?i)install\W.*requirements\.lock", (ROOT / file).read_text())
    assert installs
    for line in installs:
        assert {"--no-deps", "--require-hashes"} <= set(line.split())


def test_the_lock_holds_all_that_its_packages_need():
    check = [sys.executable, "-m", "pip", "--disable-pip-version-check", "check"]
    subprocess.run(check, check=True)


def test_the_bill_names_what_the_service_stands_on(tmp_path, monkeypatch):
    monkeypatch.setattr(audit_dependencies, "OUT", tmp_path)
    bill = json.loads(write_bills(validate=False)[0].read_text())
    assert bill["bomFormat"] == "CycloneDX"
    versions = {part["name"]: part["version"] for part in bill["components"]}
    lock = (ROOT / "requirements.lock").read_text()
    for name in ("litestar", "msgspec", "redis", "rq", "granian", "cryptography"):
        locked = re.search(rf"^{name}(?:\[.*\])?==(\S+)", lock, re.MULTILINE)
        assert locked
        assert versions[name] == locked[1]
