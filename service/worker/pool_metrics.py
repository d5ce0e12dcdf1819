"""The metrics of the worker processes: published through the work Redis, shown by the supervisor.

The label `process` tells the processes apart, and what a process published expires soon after its
end. Prometheus' multiprocess mode does not fit: it adds counters and histograms up over all
processes, and keeps the files of dead ones.
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

PUBLISH_S = 2.0
"""Interval of publishing (seconds)."""
KEPT_S = 10


def publish(connection: Redis, queue: QueueName) -> None:
    """Publish the metrics of this process from now on."""
    threading.Thread(target=_publish, args=(connection, queue), name="metrics", daemon=True).start()


def _publish(connection: Redis, queue: QueueName) -> None:
    pid = os.getpid()
    while True:
        with suppress(RedisError):
            connection.set(_key(pid), queue.encode() + b"\n" + generate_latest(), ex=KEPT_S)
        time.sleep(PUBLISH_S)


class PoolMetrics:
    """The metrics of the supervisor and its processes."""

    def __init__(self, connection: Redis, pids: Callable[[], list[int]]) -> None:
        """Read the metrics that the processes with these ids have published."""
        self._connection = connection
        self._pids = pids

    def collect(self) -> Iterator[Metric]:
        """Yield all metrics, by family."""
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
    return f"metrics:{socket.gethostname()}:{pid}"
