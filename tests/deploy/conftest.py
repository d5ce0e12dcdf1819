"""The deployment files and the tools that check them. A test without its tool is skipped."""

import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
DEPLOY = ROOT / "deploy"


def tool(name):
    """Return a tool's path, or skip the test with what stays unchecked."""
    found = shutil.which(name, path=f"{ROOT / '.venv' / 'bin'}:/usr/local/bin:/usr/bin:/bin")
    if found is None:
        pytest.skip(f"{name} is not on this machine: what it checks is NOT checked here")
    return found


def told(*command):
    """Run a tool; return what it says, or fail with it."""
    done = subprocess.run(
        [str(word) for word in command], capture_output=True, text=True, timeout=280, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout
