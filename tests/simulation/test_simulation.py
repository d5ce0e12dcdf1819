"""Seeds hold, repeat to the step, and find what was planted."""

import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from tests.simulation.plants import PLANTS

ROOT = Path(__file__).parent.parent.parent
SEEDS = 10_000 if os.environ.get("SOAK") else 500
"""Seeds of each half of a campaign. A soak runs others, and more."""
FIRST = 1_000_000 if os.environ.get("SOAK") else 0
PLANT_SEEDS = 300
"""Seeds within which a planted bug must be found."""


def simulated(*arguments: str) -> subprocess.CompletedProcess[str]:
    """Run the simulator in a process of its own, which no other test has touched."""
    command = [sys.executable, "-m", "tests.simulation", *arguments]
    environ = {**os.environ, "PYTHONHASHSEED": "0", "PYTHONPATH": str(ROOT)}
    return subprocess.run(
        command, cwd=ROOT, env=environ, capture_output=True, text=True, check=False
    )


@pytest.mark.long
@pytest.mark.timeout(0)
def test_all_promises_hold_and_every_fault_has_happened():
    """The halves of the seeds run side by side."""
    halves = [(str(FIRST + half * SEEDS), "--count", str(SEEDS), "--coverage") for half in (0, 1)]
    with ThreadPoolExecutor(len(halves)) as pool:
        for done in pool.map(lambda half: simulated(*half), halves):
            assert done.returncode == 0, done.stdout + done.stderr


def test_a_seed_repeats_to_the_step():
    first, second = simulated("5"), simulated("5")
    assert "trace" in first.stdout
    assert first.stdout.splitlines()[0] == second.stdout.splitlines()[0]
    assert first.stdout.splitlines()[0] != simulated("6").stdout.splitlines()[0]


@pytest.mark.timeout(0)
@pytest.mark.parametrize("name", [plant.name for plant in PLANTS])
def test_a_planted_bug_is_found(name):
    done = simulated("0", "--count", str(PLANT_SEEDS), "--plant", name)
    assert done.returncode == 1, done.stdout + done.stderr
    assert "python -m tests.simulation" in done.stdout, "the seed is named"
