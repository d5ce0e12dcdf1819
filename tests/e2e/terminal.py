"""The command line in a process of its own."""

import subprocess
import sys

SHIPLOG = "from shiplog import main; main()"


def shiplog(*words: str, stdin: str = "") -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", SHIPLOG, *words],
        input=stdin,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
