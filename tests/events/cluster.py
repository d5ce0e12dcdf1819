"""A Redis Cluster on loopback: three masters by default, with replicas on request."""

import contextlib
import os
import random
import signal
import socket
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from redis import Redis
from redis.exceptions import ConnectionError as Unreachable

from service.embedded.servers import Server, Supervisor
from tests.events.accounts import DOCUMENTED, EVERYTHING

SLOTS = 16384
UP_S = 60
NODE_TIMEOUT_MS = 3000
"""After which a silent server is taken for dead, and its replica takes over."""


def free_port() -> int:
    """Find a port that is free, and so is its bus port 10000 above."""
    while True:
        port = random.randrange(20_000, 30_000)
        with contextlib.suppress(OSError):
            for each in (port, port + 10_000):
                with socket.socket() as trial:
                    trial.bind(("127.0.0.1", each))
            return port


class Node:
    """One server of a cluster. One that is killed stays down until it is started again."""

    def __init__(self, folder: Path) -> None:
        self.port = free_port()
        self.client = Redis(port=self.port)
        self._server = Server.log(
            folder,
            port=str(self.port),
            bind="127.0.0.1",
            cluster_enabled="yes",
            cluster_node_timeout=str(NODE_TIMEOUT_MS),
            **(DOCUMENTED | EVERYTHING),
        )
        self._supervisor: Supervisor | None = None

    def start(self) -> None:
        self._supervisor = Supervisor(self._server)
        self._supervisor.start()

    def kill(self) -> None:
        """Kill -9, with nobody there to start it again."""
        assert self._supervisor is not None
        pid = self._supervisor.pid
        assert pid is not None
        self._supervisor._stopping.set()
        os.kill(pid, signal.SIGKILL)
        self.stop()

    def stop(self) -> None:
        if self._supervisor is not None:
            self._supervisor.stop()
            self._supervisor = None

    @property
    def id(self) -> str:
        return self.client.execute_command("CLUSTER MYID").decode()

    @property
    def is_master(self) -> bool:
        """Whether it answers, and as a master."""
        try:
            return self.client.info("replication")["role"] == "master"
        except Unreachable:
            return False

    @property
    def slots(self) -> set[int]:
        """The slots that it says are its own."""
        nodes = self.client.execute_command("CLUSTER NODES").values()
        mine = next(line for line in nodes if "myself" in line["flags"])
        return {
            slot
            for first, *last in mine["slots"]
            for slot in range(int(first), int(last[0] if last else first) + 1)
        }


def until(what, seconds: float = UP_S) -> None:
    """Wait for a condition."""
    end = time.monotonic() + seconds
    while not what():
        assert time.monotonic() < end, "the cluster does not come up"
        time.sleep(0.02)


@contextmanager
def cluster_of(folder: Path, size: int = 3, replicas: int = 0) -> Iterator[list[Node]]:
    """Keep a cluster running; return its masters, then as many replicas for each."""
    with contextlib.ExitStack() as stack:
        nodes: list[Node] = []
        for index in range(size * (1 + replicas)):
            node = Node(folder / str(index))
            stack.callback(node.client.close)
            stack.callback(node.stop)
            node.start()
            nodes.append(node)
        masters = nodes[:size]
        for index, node in enumerate(masters):
            share = range(SLOTS * index // size, SLOTS * (index + 1) // size)
            node.client.execute_command("CLUSTER", "SET-CONFIG-EPOCH", index + 1)
            node.client.execute_command("CLUSTER", "ADDSLOTS", *share)
        for node in nodes[1:]:
            node.client.execute_command("CLUSTER", "MEET", "127.0.0.1", nodes[0].port)
        until(lambda: all(_knows(node, len(nodes)) for node in nodes))
        for index, node in enumerate(nodes[size:]):
            node.client.execute_command("CLUSTER", "REPLICATE", masters[index % size].id)
        until(lambda: all(_in_step(node, replicas) for node in masters))
        yield nodes


def _knows(node: Node, count: int) -> bool:
    info = node.client.cluster("INFO")
    return info["cluster_state"] == "ok" and int(info["cluster_known_nodes"]) == count


def _in_step(master: Node, replicas: int) -> bool:
    info = master.client.info("replication")
    states = [info[f"slave{index}"]["state"] for index in range(info["connected_slaves"])]
    return states == ["online"] * replicas


async def move(before: Node, after: Node, slot: int, pause) -> None:
    """Move a slot and its keys to another master, as resharding does.

    Await `pause` between steps.
    """
    after.client.execute_command("CLUSTER SETSLOT", slot, "IMPORTING", before.id)
    before.client.execute_command("CLUSTER SETSLOT", slot, "MIGRATING", after.id)
    await pause()
    while keys := before.client.execute_command("CLUSTER GETKEYSINSLOT", slot, 100):
        words = ("MIGRATE", "127.0.0.1", after.port, "", 0, 5000, "KEYS", *keys)
        before.client.execute_command(*words)
    await pause()
    for node in (after, before):
        node.client.execute_command("CLUSTER SETSLOT", slot, "NODE", after.id)
