"""The process's figures, in Prometheus' terms."""

from collections.abc import Iterator, Mapping

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily
from prometheus_client.metrics_core import Metric

COMMANDS = Counter("shiplog_commands_total", "Commands by game and outcome.", ["game", "code"])
COMMAND_SECONDS = Histogram(
    "shiplog_command_seconds",
    "From a command's arrival to its answer.",
    buckets=(0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5),
)
CONFLICTS = Counter("shiplog_conflicts_total", "Appends that another process was faster with.")
TIMEOUTS = Counter("shiplog_timeouts_total", "Timeouts applied.")
STREAMS = Gauge("shiplog_streams", "Open event streams.")
MATCHES = Counter("shiplog_matches_total", "Matches opened, by game.", ["game"])


class _Families:
    """Families that were counted elsewhere."""

    def __init__(self, *families: Metric) -> None:
        self._families = families

    def collect(self) -> Iterator[Metric]:
        """Give them, as Prometheus' client asks for them."""
        yield from self._families


def of_jobs(now: Mapping[tuple[str, str], int], ended: Mapping[tuple[str, str], int]) -> bytes:
    """Write the worker's figures, which are everybody's: jobs by queue and state, and by kind and outcome."""
    jobs = GaugeMetricFamily(
        "shiplog_jobs", "Jobs now, by queue and state.", labels=["queue", "state"]
    )
    for (queue, state), number in now.items():
        jobs.add_metric([queue, state], number)
    outcomes = CounterMetricFamily(
        "shiplog_job_outcomes", "Jobs that ended, by kind and outcome.", labels=["kind", "outcome"]
    )
    for (kind, outcome), number in ended.items():
        outcomes.add_metric([kind, outcome], number)
    registry = CollectorRegistry()
    registry.register(_Families(jobs, outcomes))
    return generate_latest(registry)
