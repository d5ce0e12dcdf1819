"""A seed that every case prints, and servers to harm."""

import os
import random
import signal
import time

import pytest

from service.embedded.servers import Server, Supervisor


@pytest.fixture
def chance():
    """Return the case's own randomness: new each time in a soak, repeatable with `FAULT_SEED`."""
    fresh = time.time_ns() % 1_000_000_007 if os.environ.get("SOAK") else 1
    seed = int(os.environ.get("FAULT_SEED", fresh))
    print(f"FAULT_SEED={seed}")
    return random.Random(seed)


@pytest.fixture
def log_server(tmp_path):
    """One server of the log, for this case alone."""
    with Supervisor(Server.log(tmp_path / "log")) as server:
        yield server
        if server.pid:
            os.kill(server.pid, signal.SIGCONT)
