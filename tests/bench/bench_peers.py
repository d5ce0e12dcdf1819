"""Measure durable commands over HTTP beside boardgame.io in the same minute, server by server.

`python -m tests.bench.bench_peers` installs the peer into `tests/bench/peers` when it is missing
(npm). Each server has one core, its clients have the other, and each of 64 clients has one move
under way. Moves of the peer go over WebSockets, as its own client sends them. Its answers are the
state of a solo game with as many cards; it keeps them in memory, or in files without an fsync. It
needs the older `koa-compose` that `package.json` names, else its server knows no route.
"""

import os
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from subprocess import PIPE, Popen, run

import msgspec
import uvloop

from tests.bench.bench_http import (
    WARM_S,
    WIDTH,
    Server,
    by_socket,
    measure,
    movers,
    posting,
    row,
    served,
    shiplog,
)
from tests.bench.load import Figures
from tests.events.cluster import free_port

PEERS = Path(__file__).with_name("peers")
NODE = str(Path(__file__).parents[2] / "web" / "with-node")


def installed() -> None:
    """Install the peer's packages unless they are there."""
    if not (PEERS / "node_modules").exists():
        run([NODE, "npm", "ci", "--no-progress", "--prefix", str(PEERS)], check=True)


@contextmanager
def peer(store: str) -> Iterator[Server]:
    """Run boardgame.io with its states in `memory` or in `files`."""
    with tempfile.TemporaryDirectory() as folder:
        program = [NODE, "node", str(PEERS / "server.cjs"), store, str(free_port()), folder]
        with served(program, {0}) as server:
            yield server


def moves(server: Server, run_s: float) -> tuple[Figures, float]:
    """Return what the peer's clients measured, and its processor time of a move (microseconds)."""
    program = [NODE, "node", str(PEERS / "clients.cjs")]
    given = [str(server.port), str(WIDTH), str(WARM_S), str(run_s)]
    with Popen([*program, *given], stdout=PIPE, text=True) as clients:
        assert clients.stdout is not None
        assert clients.stdout.readline() == "warm\n", "the peer's clients did not start"
        before = server.spent_us()
        told = clients.stdout.read()
        spent = server.spent_us() - before
    took = msgspec.json.decode(told, type=list[float])
    return Figures(run_s, took), spent / len(took)


def main(run_s: float = 4.0) -> None:
    """Print the table and the ratios."""
    installed()
    os.sched_setaffinity(0, {1})
    owns: list[tuple[str, Figures, float]] = []
    with tempfile.TemporaryDirectory() as data:
        command, environ = shiplog(data)
        with served(command, {0}, **environ) as server:
            for channel, way in (("HTTP", posting), ("WebSockets", by_socket())):
                own, own_us = uvloop.run(measure(server, WIDTH, movers(WIDTH, way), run_s))
                print(row(f"Shiplog, fsync, {channel}", own, own_us))
                owns.append((channel, own, own_us))
    for store in ("memory", "files"):
        with peer(store) as server:
            figures, us = moves(server, run_s)
        print(row(f"boardgame.io, {store}", figures, us))
        for channel, own, own_us in owns:
            by_rate, by_time = own.rate / figures.rate, us / own_us
            print(
                f"  Shiplog over {channel}: {by_rate:.2f} of it ({by_time:.2f} by processor time)"
            )


if __name__ == "__main__":
    sys.exit(main())
