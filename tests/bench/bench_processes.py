"""Measure what a second service process behind the same port gives, by processor time.

Two processes give twice the commands of one for as long as each command costs them what it costs
one alone: they tell each other of every record. Rounds with one and with two take turns.
"""

import statistics
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager

import uvloop

from tests.bench.bench_http import WIDTH, Server, measure, movers, served, shiplog

ROUNDS = 5
RUN_S = 4.0
CORES = {0, 1}


class Servers(Server):
    """A supervisor and the service processes that it has started."""

    def spent_us(self) -> float:
        """Return the processor time of the service processes (microseconds)."""
        return sum(Server(process, self.port).spent_us() for process in serving(self.process))


def serving(supervisor: int) -> list[int]:
    """Return the service processes of a supervisor."""
    find = ["pgrep", "-P", str(supervisor), "-f", " serve( |$)"]
    listed = subprocess.run(find, capture_output=True, text=True, check=True)
    return [int(line) for line in listed.stdout.split()]


@contextmanager
def behind_one_port(count: int) -> Iterator[Servers]:
    """Run service processes that accept from the same port."""
    with tempfile.TemporaryDirectory() as data:
        command, environ = shiplog(data)
        with served([*command, "--processes", str(count)], CORES, **environ) as server:
            assert len(serving(server.process)) == count
            yield Servers(*server)


def cost(count: int) -> tuple[float, float]:
    """Return commands a second, and the processor time of each (microseconds)."""
    with behind_one_port(count) as servers:
        clients = WIDTH * count
        figures, us = uvloop.run(measure(servers, clients, movers(clients), RUN_S))
    return figures.rate, us


def main() -> None:
    """Print each round and the median."""
    gains = []
    for _ in range(ROUNDS):
        (alone_rate, alone_us), (both_rate, both_us) = cost(1), cost(2)
        gains.append(2 * alone_us / both_us)
        print(
            f"one process {alone_rate:6.0f}/s, {alone_us:4.0f} µs of processor time a command;"
            f" two {both_rate:6.0f}/s, {both_us:4.0f} µs: {gains[-1]:.2f} times one"
        )
    print(f"by processor time two give {statistics.median(gains):.2f} times one")


if __name__ == "__main__":
    main()
