"""The metrics that Prometheus reads: those of the process, and the health of the installation.

Counts reveal single moves: whoever reads them often sees a hidden move of a rival. So `/metrics`
is for officers, and Prometheus uses a port of its own, which players must not reach.
"""

import asyncio
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Protocol

from prometheus_client import CollectorRegistry, start_http_server
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily
from prometheus_client.exposition import ThreadingWSGIServer
from prometheus_client.metrics_core import Metric

from games.match.clocks import SECOND
from service.base.metrics import LOOP_LAG_SECONDS
from service.base.settings import BadSetting, Settings
from service.play.match_cache import MatchCache
from service.process.health import (
    HealthReader,
    ProjectionHealth,
    QueueHealth,
    RedisHealth,
    SystemHealth,
)

SCRAPE_S = 5.0
"""Time limit for reading the health of the installation (seconds)."""
LOOK_S = 0.5


class Families(Protocol):
    """A source of metrics."""

    def collect(self) -> Iterable[Metric]:
        """Return the present values."""
        ...


class HealthMetrics:
    """The health of the installation as metrics. `collect` blocks: call it in a thread."""

    def __init__(self, reader: HealthReader, cache: MatchCache) -> None:
        """Read on the running event loop."""
        self._reader = reader
        self._cache = cache
        self._loop = asyncio.get_running_loop()

    def collect(self) -> Iterator[Metric]:
        """Read the health of the installation and yield its metrics."""
        reading = asyncio.run_coroutine_threadsafe(self._reader.read(), self._loop)
        yield GaugeMetricFamily(
            "shiplog_cache_bytes", "Estimated memory of the match cache.", self._cache.memory
        )
        yield GaugeMetricFamily(
            "shiplog_cache_matches", "Matches in memory.", len(self._cache.open())
        )
        yield from families(reading.result(SCRAPE_S))


def combined_registry(*sources: Families) -> CollectorRegistry:
    """Combine sources of metrics, whose families have different names."""
    registry = CollectorRegistry(auto_describe=False)
    for source in sources:
        registry.register(source)  # pyright: ignore[reportArgumentType] - it collects
    return registry


@contextmanager
def metrics_listener(
    settings: Settings, registry: CollectorRegistry, *, shared: bool = False
) -> Iterator[None]:
    """Answer Prometheus on its port, if one is set; raises `BadSetting`.

    A `shared` port may be taken by the process whose place this one takes.
    """
    if not settings.metrics_port:
        yield
        return
    host, port = settings.metrics_host, settings.metrics_port
    ThreadingWSGIServer.allow_reuse_port = shared
    try:
        server, thread = start_http_server(port, host, registry)
    except OSError as error:
        raise BadSetting(
            "SHIPLOG_METRICS_HOST, SHIPLOG_METRICS_PORT: "
            f"Cannot listen on {host}:{port}: {error.strerror}."
        ) from None
    try:
        yield
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


async def keep_measuring_loop() -> None:
    """Measure the lag of the event loop until cancelled."""
    loop = asyncio.get_running_loop()
    while True:
        due = loop.time() + LOOK_S
        await asyncio.sleep(LOOK_S)
        LOOP_LAG_SECONDS.observe(max(0.0, loop.time() - due))


def families(health: SystemHealth) -> Iterator[Metric]:
    """Yield the metrics of a health; a server that is down has only `shiplog_redis_up` 0."""
    up = GaugeMetricFamily("shiplog_redis_up", "Whether the Redis answers.", labels=["server"])
    up.add_metric(["log"], float(bool(health.log)))
    up.add_metric(["work"], float(bool(health.work)))
    yield up
    yield from _of_servers([*health.log, *health.work])
    if health.jobs is not None:
        yield from _of_jobs(health.jobs)
    if health.following is not None:
        yield from _of_following(health.following)


def _of_servers(servers: list[RedisHealth]) -> Iterator[Metric]:
    gauges = (
        ("uptime_seconds", "Time since the start of the Redis.", lambda it: it.uptime_s),
        ("memory_bytes", "Memory used by the Redis.", lambda it: it.memory_bytes),
        (
            "memory_max_bytes",
            "Memory limit of the Redis; 0 is none.",
            lambda it: it.memory_max_bytes,
        ),
        ("clients", "Connections to the Redis.", lambda it: it.clients),
        ("replicas", "Connected replicas of the Redis.", lambda it: it.replicas),
        ("aof_bytes", "Size of the append-only file.", lambda it: it.aof_bytes),
        (
            "writing",
            "Whether the last write and rewrite of the file succeeded.",
            lambda it: it.writing,
        ),
        (
            "clock_skew_seconds",
            "Clock of the Redis minus the clock of this process.",
            lambda it: it.skew_s,
        ),
    )
    counters = (
        ("evicted_keys", "Keys evicted to make room.", lambda it: it.evicted),
        ("delayed_fsyncs", "Fsyncs that delayed others.", lambda it: it.delayed_fsyncs),
    )
    labels = ["server", "node"]
    for kind, rows in ((GaugeMetricFamily, gauges), (CounterMetricFamily, counters)):
        for name, meaning, value in rows:
            family = kind(f"shiplog_redis_{name}", meaning, labels=labels)
            for server in servers:
                family.add_metric([server.role, server.name], float(value(server)))
            yield family


def _of_jobs(jobs: QueueHealth) -> Iterator[Metric]:
    counted = GaugeMetricFamily(
        "shiplog_jobs", "Jobs by queue and state.", labels=["queue", "state"]
    )
    for (queue, state), count in jobs.by_state.items():
        counted.add_metric([queue, state], count)
    yield counted
    ended = CounterMetricFamily(
        "shiplog_job_outcomes", "Ended jobs by kind and outcome.", labels=["kind", "outcome"]
    )
    for (kind, outcome), count in jobs.ended.items():
        ended.add_metric([kind, outcome], count)
    yield ended
    workers = GaugeMetricFamily("shiplog_workers", "Worker processes by queue.", labels=["queue"])
    for queue, count in jobs.workers.items():
        workers.add_metric([queue], count)
    yield workers


def _of_following(following: ProjectionHealth) -> Iterator[Metric]:
    yield GaugeMetricFamily(
        "shiplog_projection_lag_seconds",
        "Age of the oldest announcement that is missing from the rows.",
        following.projection_lag_s,
    )
    yield GaugeMetricFamily(
        "shiplog_deadline_lag_seconds",
        "Delay of the oldest deadline that has not been applied.",
        following.deadline_lag_s,
    )
    yield GaugeMetricFamily(
        "shiplog_bot_lag_seconds",
        "Age of the oldest turn of a bot.",
        following.bot_lag_s,
    )
    if following.backed_up_at is not None:
        yield GaugeMetricFamily(
            "shiplog_backup_timestamp_seconds",
            "When the last complete backup ended (seconds since 1970).",
            following.backed_up_at / SECOND,
        )
    yield GaugeMetricFamily(
        "shiplog_parked_matches", "Matches that cannot be folded.", following.parked
    )
    yield GaugeMetricFamily(
        "shiplog_projections_complete", "Whether the rows contain all logs.", following.complete
    )
