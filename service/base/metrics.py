"""The process's figures, in Prometheus' terms. What is read of the servers at every scrape: `service/process/health.py`."""

from functools import cache

from prometheus_client import Counter, Gauge, Histogram, disable_created_metrics

disable_created_metrics()

SECONDS = (0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5)
"""Bounds of the buckets of what a caller waits for."""

COMMANDS = Counter("shiplog_commands_total", "Commands by game and outcome.", ["game", "code"])
COMMAND_SECONDS = Histogram(
    "shiplog_command_seconds", "From a command's arrival to its answer.", buckets=SECONDS
)
APPEND_SECONDS = Histogram(
    "shiplog_append_seconds",
    "From a record's coming to the log's writer to its being on disk, waiting included.",
    buckets=SECONDS,
)
BATCH_RECORDS = Histogram(
    "shiplog_append_batch_records",
    "Writes that went to the log together.",
    buckets=(1, 2, 4, 8, 16, 32, 64, 128, 256, 512),
)
BATCH_SECONDS = Histogram(
    "shiplog_append_batch_seconds",
    "From the sending of such a batch to its last answer: one fsync.",
    buckets=SECONDS,
)
CONFLICTS = Counter("shiplog_conflicts_total", "Appends that another process was faster with.")
TIMEOUTS = Counter("shiplog_timeouts_total", "Timeouts applied.")
MATCHES = Counter("shiplog_matches_total", "Matches opened, by game.", ["game"])
STREAMS = Gauge("shiplog_streams", "Open event streams.")
RESPONSES = Counter("shiplog_http_responses_total", "Answers by HTTP status.", ["status"])
LIMITED = Counter("shiplog_limited_total", "Calls refused by a limit, by its kind.", ["limit"])
for _kind in ("calls", "guests", "streams"):
    LIMITED.labels(_kind)
LOOP_LAG_SECONDS = Histogram(
    "shiplog_loop_lag_seconds",
    "How much later than asked for the event loop comes back, looked at twice a second.",
    buckets=SECONDS,
)

_CACHE = Counter("shiplog_cache_reads_total", "Looks for a match, by where it was.", ["found"])
CACHE_HITS = _CACHE.labels("memory")
CACHE_MISSES = _CACHE.labels("log")


@cache
def _answers(status: int) -> Counter:
    return RESPONSES.labels(str(status))


def answered(status: int) -> None:
    """Count an answer."""
    _answers(status).inc()


def batch_written(count: int, seconds: float) -> None:
    """Note a batch of writes to the log."""
    BATCH_RECORDS.observe(count)
    BATCH_SECONDS.observe(seconds)
