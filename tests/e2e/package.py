"""Packages of games as `shiplog new-game` writes them, installed beside Shiplog."""

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

SHIPLOG = "from service.cli import main; main()"


def shell(*words: str | Path, cwd: Path, **more: str) -> subprocess.CompletedProcess[str]:
    done = subprocess.run(
        [*map(str, words)], cwd=cwd, capture_output=True, text=True, check=False, **more
    )
    assert done.returncode == 0, done.stdout[-2_000:] + done.stderr[-2_000:]
    return done


def written(folder: Path, slug: str, title: str) -> Path:
    """Write the package of a new game."""
    shell(sys.executable, "-c", SHIPLOG, "new-game", slug, "--title", title, cwd=folder)
    return folder / f"shiplog-{slug.replace('_', '-')}"


@contextmanager
def installed(*packages: Path) -> Iterator[Path]:
    """Install packages into a folder of their own, for all processes that start meanwhile."""
    site = packages[0].parent / "site"
    quiet = ("-m", "pip", "install", "--quiet", "--no-deps", "--no-build-isolation")
    shell(sys.executable, *quiet, "--target", site, *packages, cwd=site.parent)
    with pytest.MonkeyPatch.context() as patch:
        before = os.environ.get("PYTHONPATH", "")
        patch.setenv("PYTHONPATH", os.pathsep.join(filter(None, [str(site), before])))
        yield site
