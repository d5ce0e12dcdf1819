"""Find a Chromium for the tests; as a program: find one, or install it where that is allowed.

Debian's `chromium-headless-shell` takes half the time of a whole browser, and lacks what a browser
has around its pages: notifications and installed pages.
"""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager

from playwright.sync_api import Browser, Playwright

SHELL = "chromium-headless-shell"
WHOLE = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
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
    """Return the path of the quickest browser."""
    return shutil.which(SHELL) or find_whole()


def find_whole() -> str | None:
    """Return the path of a whole browser."""
    return next((path for name in WHOLE if (path := shutil.which(name))), None)


@contextmanager
def launched(playwright: Playwright, path: str | None) -> Iterator[Browser]:
    """Run a browser."""
    assert path is not None, MISSING
    browser = playwright.chromium.launch(executable_path=path, args=list(FLAGS))
    yield browser
    browser.close()


def main() -> int:
    """Make sure that there are both: with apt-get for root, else say what to install."""
    if os.geteuid() == 0 and shutil.which("apt-get") and not (find_whole() and shutil.which(SHELL)):
        subprocess.run(["apt-get", "update", "-qq"], check=False)
        for package in ("chromium", SHELL):
            install = ("apt-get", "install", "-qq", "-y", "--no-install-recommends", package)
            subprocess.run(install, check=False)
    if find_whole() is None:
        print(MISSING, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
