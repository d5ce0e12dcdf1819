"""Compare the processor time of a durable command between a revision and the working tree.

Both run the benchmark `tests.bench.cost` of the working tree, by turns, because the speed of a busy
machine changes from minute to minute. Each round gives a ratio of the quietest 250 commands. The
spread of the ratios shows how much to trust their median. With `--audits`, both run
`tests.bench.bench_audit`, and there is a ratio for each game.
"""

import argparse
import io
import os
import re
import shutil
import statistics
import subprocess
import sys
import tarfile
import tempfile
from collections import defaultdict
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).parents[2]
BENCHES = ("cost.py", "bench_audit.py")

Measure = Callable[[Path], dict[str, float]]
"""Returns what a tree spends, by name (microseconds)."""


def output(tree: Path, *command: str) -> str:
    """Return what a benchmark in a tree prints."""
    run = subprocess.run(
        [sys.executable, "-m", *command],
        cwd=tree,
        env=os.environ | {"PYTHONPATH": str(tree)},
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        check=True,
    )
    return run.stdout.decode()


def command_cost(commands: int) -> Measure:
    """Measure a durable command."""

    def measure(tree: Path) -> dict[str, float]:
        told = output(tree, "tests.bench.cost", "--commands", str(commands))
        found = re.search(r"(\d+) µs in the quietest", told)
        assert found is not None, told
        return {"command": int(found[1])}

    return measure


def audit_cost(tree: Path) -> dict[str, float]:
    """Measure the audit of a command, by game, with redaction and without."""
    told = output(tree, "tests.bench.bench_audit")
    return {
        name.strip(): 1e6 / int(rate) for name, rate in re.findall(r"audit (.*?): +(\d+)", told)
    }


def unpack(revision: str, tree: Path) -> None:
    """Write the files of a revision to a folder, with the benchmarks of the working tree."""
    git = ["git", "-C", str(ROOT), "archive", "--format=tar", revision]
    archive = subprocess.run(git, stdout=subprocess.PIPE, check=True).stdout
    with tarfile.open(fileobj=io.BytesIO(archive)) as files:
        files.extractall(tree, filter="data")
    for name in BENCHES:
        shutil.copy(Path(__file__).with_name(name), tree / "tests/bench")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("revision")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--commands", type=int, default=5_000, help="for each run")
    parser.add_argument("--audits", action="store_true")
    given = parser.parse_args()
    measure = audit_cost if given.audits else command_cost(given.commands)
    ratios: dict[str, list[float]] = defaultdict(list)
    with tempfile.TemporaryDirectory() as folder:
        tree = Path(folder)
        unpack(given.revision, tree)
        for _ in range(given.rounds):
            before, now = measure(tree), measure(ROOT)
            for name, spent in now.items():
                ratios[name].append(spent / before[name])
                told = f"{before[name]:.0f} µs, {spent:.0f} µs: {ratios[name][-1]:.2f}"
                print(f"{name}: {told}", flush=True)
    for name, found in ratios.items():
        spread = f"({min(found):.2f} to {max(found):.2f})"
        print(f"{name}: median {statistics.median(found):.2f} {spread}")


if __name__ == "__main__":
    main()
