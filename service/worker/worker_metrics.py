"""The figures of the worker processes: each leaves its own in the work Redis, the supervisor shows all of them.

A family that several processes have is one family, told apart by the label `process`. What a process left is gone
soon after the process is.
"""

import os
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import suppress

from prometheus_client import REGISTRY, generate_latest
from prometheus_client.metrics_core import Metric
from prometheus_client.parser import text_string_to_metric_families
from redis import Redis
from redis.exceptions import RedisError

from service.jobs.queues import QueueName

LEAVE_S = 2.0
"""Seconds between two times that a process leaves its figures."""
KEPT_S = 10


def leave(connection: Redis, queue: QueueName) -> None:
    """Leave this process's figures in the work Redis from now on."""
    threading.Thread(target=_leave, args=(connection, queue), name="figures", daemon=True).start()


def _leave(connection: Redis, queue: QueueName) -> None:
    pid = os.getpid()
    while True:
        with suppress(RedisError):
            connection.set(_key(pid), queue.encode() + b"\n" + generate_latest(), ex=KEPT_S)
        time.sleep(LEAVE_S)


class CrewFigures:
    """The supervisor's own figures and those of its processes."""

    def __init__(self, connection: Redis, pids: Callable[[], list[int]]) -> None:
        """Read what the processes with these ids have left."""
        self._connection = connection
        self._pids = pids

    def collect(self) -> Iterator[Metric]:
        """Give all, by family."""
        together: dict[str, Metric] = {}
        for process, family in self._all():
            kept = together.setdefault(
                family.name, Metric(family.name, family.documentation, family.type)
            )
            kept.samples += [
                sample._replace(labels={"process": process, **sample.labels})
                for sample in family.samples
            ]
        yield from together.values()

    def _all(self) -> Iterator[tuple[str, Metric]]:
        for family in REGISTRY.collect():
            yield "supervisor", family
        for pid in self._pids():
            try:
                left = self._connection.get(_key(pid))
            except RedisError:
                return
            if not isinstance(left, bytes):
                continue
            queue, _, text = left.decode().partition("\n")
            for family in text_string_to_metric_families(text):
                yield f"{queue}-{pid}", family


def _key(pid: int) -> str:
    return f"figures:{socket.gethostname()}:{pid}"
