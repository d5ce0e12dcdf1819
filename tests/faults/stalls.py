"""A process that stands still for a while."""

import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def stalled(pid: int) -> Iterator[None]:
    """Stop a process, and let it go on whatever happens."""
    os.kill(pid, signal.SIGSTOP)
    try:
        yield
    finally:
        os.kill(pid, signal.SIGCONT)
