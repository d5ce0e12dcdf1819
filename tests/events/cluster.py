"""A Redis Cluster of three on loopback, its slots given out by hand."""

import contextlib
import random
import socket
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from redis import Redis

from service.servers import Server, Supervisor

SLOTS = 16384


def free_port() -> int:
    """Find a port that is free, and so is its bus port 10000 above."""
    while True:
        port = random.randrange(20_000, 30_000)
        with contextlib.suppress(OSError):
            for each in (port, port + 10_000):
                with socket.socket() as trial:
                    trial.bind(("127.0.0.1", each))
            return port


@contextmanager
def cluster_of(folder: Path, size: int = 3) -> Iterator[list[int]]:
    """Keep a cluster running; gives its ports."""
    ports: list[int] = []
    with contextlib.ExitStack() as stack:
        for index in range(size):
            port = free_port()
            server = Server.log(
                folder / str(index),
                port=str(port),
                bind="127.0.0.1",
                cluster_enabled="yes",
                cluster_node_timeout="3000",
            )
            stack.enter_context(Supervisor(server))
            ports.append(port)
        clients = [stack.enter_context(Redis(port=port)) for port in ports]
        for index, client in enumerate(clients):
            share = range(SLOTS * index // size, SLOTS * (index + 1) // size)
            client.execute_command("CLUSTER", "SET-CONFIG-EPOCH", index + 1)
            client.execute_command("CLUSTER", "ADDSLOTS", *share)
            client.execute_command("CLUSTER", "MEET", "127.0.0.1", ports[0])
        until = time.monotonic() + 20
        while not all(client.cluster("INFO")["cluster_state"] == "ok" for client in clients):
            assert time.monotonic() < until, "the cluster does not come up"
            time.sleep(0.02)
        yield ports
