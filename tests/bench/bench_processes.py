"""Measure what a second service process behind the same port gives, by processor time.

Two processes give twice the commands of one for as long as each command costs them what it costs
one alone: they tell each other of every record. Two services that share nothing but the machine
show what its cores cost each other. Rounds with one, with two and with two apart take turns.
"""

import asyncio
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


def cost(count: int) -> float:
    """Return the processor time of a command of so many processes (microseconds)."""
    clients = WIDTH * count
    with behind_one_port(count) as servers:
        return uvloop.run(measure(servers, clients, movers(clients), RUN_S))[1]


def cost_apart() -> float:
    """Return the processor time of a command of two services, each with a log of its own."""

    async def both(*servers: Servers) -> float:
        runs = (measure(server, WIDTH, movers(WIDTH), RUN_S) for server in servers)
        return statistics.fmean(us for _, us in await asyncio.gather(*runs))

    with behind_one_port(1) as one, behind_one_port(1) as other:
        return uvloop.run(both(one, other))


def main() -> None:
    """Print each round and the medians."""
    gains: list[tuple[float, float]] = []
    for _ in range(ROUNDS):
        alone, together, apart = cost(1), cost(2), cost_apart()
        gains.append((2 * alone / together, 2 * alone / apart))
        print(
            f"µs of processor time a command: one process {alone:4.0f}, two {together:4.0f}, two"
            f" that share nothing {apart:4.0f}: {gains[-1][0]:.2f} and {gains[-1][1]:.2f} times one"
        )
    two, nothing = map(statistics.median, zip(*gains, strict=True))
    print(f"by processor time two give {two:.2f} times one, two that share nothing {nothing:.2f}")


if __name__ == "__main__":
    main()
