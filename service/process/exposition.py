"""What Prometheus is given: the process's own figures, and the vitals as they are at that moment.

Counts tell of single moves: whoever may poll them learns when a rival did what no other seat is told of. So `/metrics`
is for officers, and Prometheus has a listener of its own, on an address that players can't reach.
"""

import asyncio
from collections.abc import AsyncIterator, Iterable, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from typing import Protocol

from prometheus_client import CollectorRegistry, start_http_server
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily
from prometheus_client.metrics_core import Metric

from service.base.metrics import LOOP_LAG_SECONDS
from service.base.settings import BadSetting, Settings
from service.play.match_cache import Lives
from service.process.health import Following, Jobs, Server, Vitals, Watch

SCRAPE_S = 5.0
"""Seconds that reading the vitals may take."""
LOOK_S = 0.5


class Families(Protocol):
    """Something that gives figures."""

    def collect(self) -> Iterable[Metric]:
        """Give them as they are now."""
        ...


class VitalFigures:
    """The vitals as figures. `collect` blocks: call it beside the loop."""

    def __init__(self, watch: Watch, lives: Lives) -> None:
        """Read on the running loop."""
        self._watch = watch
        self._lives = lives
        self._loop = asyncio.get_running_loop()

    def collect(self) -> Iterator[Metric]:
        """Read the vitals, and give them."""
        reading = asyncio.run_coroutine_threadsafe(self._watch.vitals(), self._loop)
        yield GaugeMetricFamily(
            "shiplog_cache_bytes", "Memory of recent folds, as estimated.", self._lives.memory
        )
        yield GaugeMetricFamily(
            "shiplog_cache_matches", "Folds in memory.", len(self._lives.open())
        )
        yield from families(reading.result(SCRAPE_S))


def registry_of(*sources: Families) -> CollectorRegistry:
    """Put sources of figures together; their families must not share names."""
    registry = CollectorRegistry(auto_describe=False)
    for source in sources:
        registry.register(source)  # pyright: ignore[reportArgumentType] - it has what is called
    return registry


@contextmanager
def listening(settings: Settings, registry: CollectorRegistry) -> Iterator[None]:
    """Answer Prometheus on the port for figures, if there is one; raises `BadSetting`."""
    if not settings.metrics_port:
        yield
        return
    host, port = settings.metrics_host, settings.metrics_port
    try:
        server, thread = start_http_server(port, host, registry)
    except OSError as error:
        raise BadSetting(
            f"SHIPLOG_METRICS_HOST, SHIPLOG_METRICS_PORT: can't listen at {host}:{port}: {error.strerror}"
        ) from None
    try:
        yield
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


@asynccontextmanager
async def looped() -> AsyncIterator[None]:
    """Measure meanwhile how late the event loop comes back."""
    task = asyncio.create_task(_measure_loop())
    try:
        yield
    finally:
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task


async def _measure_loop() -> None:
    loop = asyncio.get_running_loop()
    while True:
        due = loop.time() + LOOK_S
        await asyncio.sleep(LOOK_S)
        LOOP_LAG_SECONDS.observe(max(0.0, loop.time() - due))


def families(vitals: Vitals) -> Iterator[Metric]:
    """Write vitals as figures; what does not answer has none but `shiplog_redis_up` 0."""
    up = GaugeMetricFamily("shiplog_redis_up", "Whether a Redis answers.", labels=["server"])
    up.add_metric(["log"], float(bool(vitals.log)))
    up.add_metric(["work"], float(bool(vitals.work)))
    yield up
    yield from _of_servers([*vitals.log, *vitals.work])
    if vitals.jobs is not None:
        yield from _of_jobs(vitals.jobs)
    if vitals.following is not None:
        yield from _of_following(vitals.following)


def _of_servers(servers: list[Server]) -> Iterator[Metric]:
    gauges = (
        ("memory_bytes", "Memory that a Redis uses.", lambda it: it.memory_bytes),
        ("memory_max_bytes", "Its limit; 0 is none.", lambda it: it.memory_max_bytes),
        ("clients", "Its connections.", lambda it: it.clients),
        ("replicas", "Its connected replicas.", lambda it: it.replicas),
        ("aof_bytes", "Size of its append-only file.", lambda it: it.aof_bytes),
        ("writing", "Whether its last write and rewrite went well.", lambda it: it.writing),
        ("clock_skew_seconds", "Its clock less the process's.", lambda it: it.skew_s),
    )
    counters = (
        ("evicted_keys", "Keys thrown out to make room.", lambda it: it.evicted),
        ("delayed_fsyncs", "Fsyncs that others had to wait for.", lambda it: it.delayed_fsyncs),
    )
    labels = ["server", "node"]
    for kind, rows in ((GaugeMetricFamily, gauges), (CounterMetricFamily, counters)):
        for name, meaning, value in rows:
            family = kind(f"shiplog_redis_{name}", meaning, labels=labels)
            for server in servers:
                family.add_metric([server.role, server.name], float(value(server)))
            yield family


def _of_jobs(jobs: Jobs) -> Iterator[Metric]:
    counted = GaugeMetricFamily(
        "shiplog_jobs", "Jobs now, by queue and state.", labels=["queue", "state"]
    )
    for (queue, state), count in jobs.by_state.items():
        counted.add_metric([queue, state], count)
    yield counted
    ended = CounterMetricFamily(
        "shiplog_job_outcomes", "Jobs that ended, by kind and outcome.", labels=["kind", "outcome"]
    )
    for (kind, outcome), count in jobs.ended.items():
        ended.add_metric([kind, outcome], count)
    yield ended
    workers = GaugeMetricFamily("shiplog_workers", "Processes at a queue.", labels=["queue"])
    for queue, count in jobs.workers.items():
        workers.add_metric([queue], count)
    yield workers


def _of_following(following: Following) -> Iterator[Metric]:
    yield GaugeMetricFamily(
        "shiplog_projection_lag_seconds",
        "Age of the oldest announcement that is not in the rows.",
        following.projection_lag_s,
    )
    yield GaugeMetricFamily(
        "shiplog_deadline_lag_seconds",
        "How late the oldest deadline is that has not been applied.",
        following.deadline_lag_s,
    )
    yield GaugeMetricFamily(
        "shiplog_bot_lag_seconds",
        "How long a bot has had the turn that waits longest.",
        following.bot_lag_s,
    )
    yield GaugeMetricFamily(
        "shiplog_parked_matches", "Matches that can't be folded.", following.parked
    )
    yield GaugeMetricFamily(
        "shiplog_projections_complete", "Whether all logs are in the rows.", following.complete
    )
