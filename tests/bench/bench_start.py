"""Processor time of starts: `shiplog serve` until it accepts calls, and the help page.

`python -m tests.bench.bench_start [--rounds 5]`. The two Redis servers run already. *Installed* has
none of the packages for development, some of which Litestar and the client of Redis would load.
"""

import argparse
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from statistics import median

from service.embedded.servers import Server, Supervisor
from tests.e2e.service import SCRIPT, Running

UNINSTALLED = ("attr", "opentelemetry", "pydantic")
INSTALLED = f"import sys; sys.modules |= dict.fromkeys({UNINSTALLED}); {SCRIPT}"
TICKS_S = os.sysconf("SC_CLK_TCK")


def spent_s(pid: int) -> float:
    """Return the processor time of a process that still runs (seconds)."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / TICKS_S


def serve_s(script: str, data: Path, urls: dict[str, str]) -> float:
    """Return what a service has taken when it names its address (seconds)."""
    process = Running(data, "serve", script=script, **urls)
    try:
        return spent_s(process.process.pid)
    finally:
        process.stop()


def run_s(*command: str) -> float:
    """Return the processor time of a program (seconds)."""
    before = os.times()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    after = os.times()
    return after.children_user + after.children_system - before[2] - before[3]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=5)
    rounds = range(parser.parse_args().rounds)
    with tempfile.TemporaryDirectory() as folder:
        data = Path(folder)
        log, work = Server.log(data / "log"), Server.work(data / "work")
        with Supervisor(log) as log_server, Supervisor(work) as work_server:
            urls = {"log_url": log_server.url, "work_url": work_server.url}
            found = {
                "python -c pass": [run_s(sys.executable, "-c", "pass") for _ in rounds],
                "shiplog --help": [run_s(sys.executable, "-c", SCRIPT, "--help") for _ in rounds],
                "shiplog serve": [serve_s(SCRIPT, data, urls) for _ in rounds],
                "… installed": [serve_s(INSTALLED, data, urls) for _ in rounds],
            }
    bare = median(found["python -c pass"])
    for name, times in found.items():
        middle = median(times)
        print(f"{name:16} {middle:6.2f} s  {middle / bare:6.1f} × bare  least {min(times):.2f} s")


if __name__ == "__main__":
    main()
