"""Metrics of this process, for Prometheus. Those of the servers: `service/process/health.py`."""

from prometheus_client import Counter, Gauge, Histogram, disable_created_metrics

from service.base.tallies import Distribution, Tally

disable_created_metrics()

SECONDS = (0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5)
"""Upper bounds of the buckets for durations (seconds)."""

COMMANDS = Tally("shiplog_commands_total", "Commands by game and outcome.", ["game", "code"])
COMMAND_SECONDS = Distribution(
    "shiplog_command_seconds",
    "Time from the arrival of a command to its response.",
    SECONDS,
)
APPEND_SECONDS = Distribution(
    "shiplog_append_seconds",
    "Time until a record is on disk, including the wait in the queue of the log's writer.",
    SECONDS,
)
BATCH_RECORDS = Distribution(
    "shiplog_append_batch_records",
    "Number of writes that were sent to the log together.",
    (1, 2, 4, 8, 16, 32, 64, 128, 256, 512),
)
BATCH_SECONDS = Distribution(
    "shiplog_append_batch_seconds",
    "Time from sending a batch of writes to the last reply: one fsync.",
    SECONDS,
)
CONFLICTS = Counter(
    "shiplog_conflicts_total", "Appends refused because another process took the version first."
)
TIMEOUTS = Counter("shiplog_timeouts_total", "Timeouts applied.")
MATCHES = Counter("shiplog_matches_total", "Matches created, by game.", ["game"])
STREAMS = Gauge("shiplog_streams", "Open event streams.")
RESPONSES = Tally("shiplog_http_responses_total", "Responses by HTTP status.", ["status"])
LIMITED = Counter(
    "shiplog_limited_total", "Requests refused by a limit, by kind of limit.", ["limit"]
)
for _kind in (
    "calls", "guests", "sign-ins", "streams", "log", "log-bytes", "open-matches", "invitations",
    "rematches", "seeks", "comments", "showings", "exports", "jobs", "reads", "uploads", "work",
    "talk", "audience",
):  # fmt: skip
    LIMITED.labels(_kind)
WEBHOOK_TRIES = Counter(
    "shiplog_webhook_tries_total", "Tries to send a message to a webhook, by outcome.", ["outcome"]
)
PUSH_TRIES = Counter(
    "shiplog_push_tries_total", "Tries to push a message to a browser, by outcome.", ["outcome"]
)
MAIL_TRIES = Counter(
    "shiplog_mail_tries_total", "Tries to send an e-mail, by outcome.", ["outcome"]
)
for _tries, _nowhere in (
    (WEBHOOK_TRIES, "no-public-address"),
    (PUSH_TRIES, "no-public-address"),
    (MAIL_TRIES, "no-mailbox"),
):
    for _outcome in (
        "delivered", "refused", _nowhere, "connection-failed", "tls-failed", "timed-out",
        "answer-broken",
    ):  # fmt: skip
        _tries.labels(_outcome)
LOG_RESERVE = Gauge(
    "shiplog_log_reserve_ratio", "Share of the log's memory that is kept for running matches."
)
REPLICAS_WANTED = Gauge(
    "shiplog_replicas_wanted", "Number of replicas that each write to the log waits for."
)
ARCHIVE_FAILURES = Counter(
    "shiplog_archive_failures_total", "Failed attempts to move finished matches to the archive."
)
CHECKPOINT_SIZE = Gauge(
    "shiplog_checkpoint_leaves", "Leaves of the checkpoint log when this process last led."
)
CHECKPOINT_FAILURES = Counter(
    "shiplog_checkpoint_failures_total", "Failed attempts to extend the checkpoint log."
)
AUDIT_MATCHES = Gauge(
    "shiplog_audit_matches", "Matches that `audit --follow` has audited at least once."
)
AUDIT_RECORDS = Counter("shiplog_audit_records_total", "Records that this process has audited.")
AUDIT_FINDINGS = Gauge("shiplog_audit_findings", "Matches whose last audit has findings.")
AUDIT_UNSIGNED = Gauge(
    "shiplog_audit_unsigned", "Matches for which no signed head vouched at their last audit."
)
AUDIT_ROW_FINDINGS = Gauge(
    "shiplog_audit_row_findings", "Matches whose row is not the one that follows from their log."
)
AUDIT_LEAVES = Gauge("shiplog_audit_leaves", "Leaves of the checkpoint log that were checked.")
AUDIT_LEAF_FINDINGS = Gauge(
    "shiplog_audit_leaf_findings",
    "Findings about the checkpoint log, and matches whose logs contradict it.",
)
AUDIT_LAG = Gauge(
    "shiplog_audit_lag_seconds", "Time since the oldest record became known that is not audited."
)
READ_SECONDS = Histogram(
    "shiplog_read_seconds",
    "CPU time of an answer that was computed in a reading process.",
    buckets=(*SECONDS, 10, 30, 60),
)
CLOCK_SKEW_SECONDS = Gauge(
    "shiplog_clock_skew_seconds", "Clock of this process's machine minus that of the log's server."
)
LOOP_LAG_SECONDS = Histogram(
    "shiplog_loop_lag_seconds",
    "Delay of a timer of the event loop, measured twice a second.",
    buckets=SECONDS,
)

CACHE_READS = Tally(
    "shiplog_cache_reads_total",
    "Look-ups of matches, by where the match was found.",
    ["found"],
    known=(("memory",), ("log",)),
)


def command_done(game: str, code: str, us: int) -> None:
    """Count a command, by its game and outcome, that took some microseconds."""
    COMMANDS.add(game, code)
    COMMAND_SECONDS.observe(us / 1_000_000)


def append_done(us: int) -> None:
    """Count an append, whatever its outcome, that took some microseconds."""
    APPEND_SECONDS.observe(us / 1_000_000)


def answered(status: int) -> None:
    """Count a response."""
    RESPONSES.add(str(status))


def batch_written(count: int, seconds: float) -> None:
    """Count a batch of writes to the log."""
    BATCH_RECORDS.observe(count)
    BATCH_SECONDS.observe(seconds)
