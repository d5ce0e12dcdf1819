"""Audit the locked dependencies for known holes and write a bill of materials: `make audit`.

Exit status 0: every locked package was looked up, and no advisory applies. 1: advisories apply. 3:
the advisory databases could not be asked about everything, so nothing can be said. The bills
(CycloneDX) are written in any case. With `ADVISORIES=FOLDER`, a copy of the databases on disk is
asked instead, without network (`tests/advisories.py`).
"""

import json
import os
import subprocess
import sys
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NamedTuple

from tests.advisories import locked_node, locked_python, look_up, read_advisories

ROOT = Path(__file__).parent.parent
OUT = ROOT / "dist"
WEB = ROOT / "web"
HOLES, UNKNOWN = 1, 3
AUDIT_S = 600
UNREACHABLE_WORDS = "NOT AUDITED: the advisory database could not be asked about"


class Verdict(NamedTuple):
    """What an audit came to, and how to say it."""

    status: int
    says: list[str]


def judge_python(output: str) -> Verdict:
    """Judge what `pip-audit --format json` wrote: a package that it skipped was not audited."""
    try:
        packages: list[dict[str, Any]] = json.loads(output)["dependencies"]
    except (ValueError, KeyError, TypeError):
        return Verdict(UNKNOWN, [f"{UNREACHABLE_WORDS} the Python packages"])
    holes = [
        f"{one['name']} {one['version']}: {hole['id']} "
        f"(fixed in {', '.join(hole['fix_versions']) or 'no release'})"
        for one in packages
        for hole in one.get("vulns", [])
    ]
    skipped = [one["name"] for one in packages if "skip_reason" in one]
    return _verdict(holes, skipped, len(packages), "Python")


def judge_node(output: str) -> Verdict:
    """Judge what `npm audit --json` wrote."""
    try:
        report = json.loads(output)
        found: dict[str, Any] = report["vulnerabilities"]
        count = report["metadata"]["dependencies"]["total"]
    except (ValueError, KeyError, TypeError):
        return Verdict(UNKNOWN, [f"{UNREACHABLE_WORDS} the web client's packages"])
    holes = [f"{name}: {one['severity']}" for name, one in found.items()]
    return _verdict(holes, [], count, "web client's")


def _verdict(holes: Sequence[str], skipped: Sequence[str], count: int, kind: str) -> Verdict:
    says = [*holes]
    if skipped:
        says.append(f"{UNREACHABLE_WORDS} {len(skipped)} of {count} {kind} packages")
    if not says:
        says.append(f"{count} {kind} packages looked up, no advisory stands")
    return Verdict(HOLES if holes else UNKNOWN if skipped else 0, says)


def judge_copy(
    packages: Mapping[str, Iterable[str]], folder: Path, ecosystem: str, kind: str, now: datetime
) -> Verdict:
    """Judge packages by a copy of the advisories. One that is missing, broken or old is no pass."""
    try:
        advisories = read_advisories(folder / ecosystem / "all.zip")
        holes = look_up(packages, advisories, ecosystem, now)
    except (OSError, ValueError, KeyError, TypeError) as error:
        return Verdict(UNKNOWN, [f"{UNREACHABLE_WORDS} the {kind} packages: {error}"])
    return _verdict(holes, [], len(packages), kind)


def tool(name: str) -> str:
    """Return the path of a tool in this environment."""
    return str(Path(sys.executable).parent / name)


def run(*words: str, cwd: Path = ROOT) -> str:
    """Run a tool; return what it wrote, whatever its status."""
    done = subprocess.run(
        words, cwd=cwd, capture_output=True, text=True, timeout=AUDIT_S, check=False
    )
    return done.stdout


def audit_python() -> Verdict:
    """Audit the lock."""
    return judge_python(
        run(
            tool("pip-audit"), "--require-hashes", "--disable-pip", "--progress-spinner", "off",
            "--format", "json", "--requirement", "requirements.lock",
        )
    )  # fmt: skip


def write_bills(*, validate: bool = True) -> list[Path]:
    """Write the bills of materials: of this environment and of the web client's lock, if any.

    To validate the first against the schema takes 25 times as long as to write it.
    """
    OUT.mkdir(exist_ok=True)
    bills = [OUT / "shiplog.cdx.json"]
    subprocess.run(
        [
            tool("cyclonedx-py"), "environment", "--pyproject", "pyproject.toml",
            "--output-reproducible", "--output-format", "JSON", "--output-file", str(bills[0]),
            "--validate" if validate else "--no-validate", sys.executable,
        ],
        cwd=ROOT, check=True, timeout=AUDIT_S,
    )  # fmt: skip
    if (WEB / "package-lock.json").exists():
        bills.append(OUT / "shiplog-web.cdx.json")
        bill = run("npm", "sbom", "--package-lock-only", "--sbom-format", "cyclonedx", cwd=WEB)
        bills[1].write_text(bill)
    return bills


def audit() -> list[Verdict]:
    """Ask the advisory databases about both locks."""
    verdicts = [audit_python()]
    if (WEB / "package-lock.json").exists():
        verdicts.append(judge_node(run("npm", "audit", "--json", cwd=WEB)))
    return verdicts


def audit_by_copy(folder: Path) -> list[Verdict]:
    """Look both locks up in a copy of the advisory databases."""
    now = datetime.now(UTC)
    python = locked_python((ROOT / "requirements.lock").read_text())
    node = locked_node(json.loads((WEB / "package-lock.json").read_text()))
    return [
        judge_copy(python, folder, "PyPI", "Python", now),
        judge_copy(node, folder, "npm", "web client's", now),
    ]


def main() -> int:
    """Audit everything; return the worst status. A known hole is worse than a possible one."""
    verdicts = audit_by_copy(Path(copy)) if (copy := os.environ.get("ADVISORIES")) else audit()
    for line in (line for verdict in verdicts for line in verdict.says):
        print(line)
    for bill in write_bills():
        print(f"bill of materials: {bill.relative_to(ROOT)}")
    statuses = {verdict.status for verdict in verdicts}
    return HOLES if HOLES in statuses else max(statuses)


if __name__ == "__main__":
    sys.exit(main())
