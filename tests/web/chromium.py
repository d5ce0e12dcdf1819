"""Find a Chromium for the tests; as a program: find one, or install it where that is allowed."""

import os
import shutil
import subprocess
import sys

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--disable-dev-shm-usage",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
MISSING = "The web tests need Chromium on the PATH: install the package `chromium`, then try again."


def find() -> str | None:
    """Return the path of the system's browser."""
    return next((path for name in NAMES if (path := shutil.which(name))), None)


def main() -> int:
    """Make sure that there is one: with apt-get for root, else say what to install."""
    if find() is None and os.geteuid() == 0 and shutil.which("apt-get"):
        subprocess.run(["apt-get", "update", "-qq"], check=False)
        subprocess.run(
            ["apt-get", "install", "-qq", "-y", "--no-install-recommends", "chromium"], check=False
        )
    if find() is None:
        print(MISSING, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
