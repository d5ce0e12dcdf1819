"""Compare the processor time of a durable command between a revision and the working tree.

Both run the benchmark `tests.bench.cost` of the working tree, by turns, because the speed of a busy
machine changes from minute to minute. Each round gives a ratio of the quietest 250 commands. The
spread of the ratios shows how much to trust their median.
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
from pathlib import Path

ROOT = Path(__file__).parents[2]


def spent(tree: Path, commands: int) -> int:
    """Return the processor time of a command in a tree (microseconds)."""
    run = subprocess.run(
        [sys.executable, "-m", "tests.bench.cost", "--commands", str(commands)],
        cwd=tree,
        env=os.environ | {"PYTHONPATH": str(tree)},
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        check=True,
    )
    found = re.search(r"(\d+) µs in the quietest", run.stdout.decode())
    assert found is not None, run.stdout
    return int(found[1])


def unpack(revision: str, tree: Path) -> None:
    """Write the files of a revision to a folder."""
    git = ["git", "-C", str(ROOT), "archive", "--format=tar", revision]
    archive = subprocess.run(git, stdout=subprocess.PIPE, check=True).stdout
    with tarfile.open(fileobj=io.BytesIO(archive)) as files:
        files.extractall(tree, filter="data")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("revision")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--commands", type=int, default=5_000, help="for each run")
    given = parser.parse_args()
    ratios: list[float] = []
    with tempfile.TemporaryDirectory() as folder:
        tree = Path(folder)
        unpack(given.revision, tree)
        shutil.copy(Path(__file__).with_name("cost.py"), tree / "tests/bench")
        for _ in range(given.rounds):
            before, now = spent(tree, given.commands), spent(ROOT, given.commands)
            ratios.append(now / before)
            print(f"{before} µs, {now} µs: {now / before:.2f}", flush=True)
    median = statistics.median(ratios)
    print(f"median {median:.2f} ({min(ratios):.2f} to {max(ratios):.2f})")


if __name__ == "__main__":
    main()
