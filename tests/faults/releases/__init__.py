"""Earlier releases, kept as they were, to run beside this one.

`python -m tests.faults.releases REVISION NAME` keeps another one: its packages and data, without
the page.
"""

import lzma
import subprocess
import tarfile
from pathlib import Path

from tests.e2e.service import Running

FOLDER = Path(__file__).parent
ROOT = FOLDER.parents[2]
PARTS = (
    "shiplog.py",
    "games",
    "events",
    "projections",
    "replay",
    "service",
    "seeds",
    ":!seeds/matches",
)
UNKNOWN = {"0.1.0": ("sign_in_limit", "work_ms"), "0.2.0-first": ()}
"""Settings of the tests that a release does not know yet, and would refuse to start with."""


def keep(revision: str, name: str) -> Path:
    """Write the fixture of a release from the history of this repository."""
    packed = subprocess.run(
        ("git", "archive", "--format=tar", revision, *PARTS),
        cwd=ROOT,
        check=True,
        capture_output=True,
    ).stdout
    path = FOLDER / f"{name}.tar.xz"
    path.write_bytes(lzma.compress(packed, preset=9 | lzma.PRESET_EXTREME))
    return path


class Release:
    """An earlier release, unpacked into a folder of its own."""

    def __init__(self, name: str, folder: Path) -> None:
        self._name = name
        self._folder = folder / name
        with tarfile.open(FOLDER / f"{name}.tar.xz") as packed:
            packed.extractall(self._folder, filter="data")

    def start(self, data: Path, *verb: str, **settings: str) -> Running:
        """Start one of its processes, with the packages of this environment below it."""
        unknown = dict.fromkeys(UNKNOWN[self._name])
        return Running(data, *verb, release=self._folder, **{**unknown, **settings})
