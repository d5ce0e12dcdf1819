"""The process's figures, in Prometheus' terms."""

from prometheus_client import Counter, Gauge, Histogram

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
