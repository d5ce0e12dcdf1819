"""Each alert fires in the state that it is for, and none fires in a healthy installation.

The metrics are those that the service exports for a state of its servers, queues and rows.
"""

from itertools import pairwise
from pathlib import Path
from typing import Any

import msgspec
import pytest
import yaml

from service.jobs.queues import QUEUES
from service.process.exposition import families
from service.process.health import (
    ProjectionHealth,
    QueueHealth,
    RedisHealth,
    SystemHealth,
)
from tests.deploy.promql import Series

GROUPS = yaml.safe_load((Path(__file__).parents[2] / "deploy/observe/alerts.yml").read_text())
RULES = [rule for group in GROUPS["groups"] for rule in group["rules"]]
ALERTS = {rule["alert"]: rule["expr"] for rule in RULES if "alert" in rule}
RECORDED = {rule["record"]: rule["expr"] for rule in RULES if "record" in rule}

NOW = 1_000_000.0
WINDOW_S = 3 * 86_400
"""The longest window of a rule."""
TIMES = [
    *(NOW - ago for ago in range(WINDOW_S, 7_200, -1_800)),
    *(NOW - ago for ago in range(7_200, -1, -150)),
]
"""Times of the samples: closer together where short windows are."""


def server(role: Any, **fields: Any) -> RedisHealth:
    healthy = RedisHealth(
        role=role,
        name="",
        version="8.1.0",
        run_id=role,
        memory_bytes=1 << 28,
        memory_max_bytes=1 << 31,
        policy="noeviction",
        evicted=0,
        clients=4,
        replicas=1,
        aof_bytes=1 << 20,
        writing=True,
        delayed_fsyncs=0,
        uptime_s=86_400,
        skew_s=0.0,
    )
    return msgspec.structs.replace(healthy, **fields)


JOBS = QueueHealth(
    by_state={(queue, state): 0 for queue in QUEUES for state in ("queued", "failed")},
    ended={},
    workers=dict.fromkeys(QUEUES, 1),
)
ROWS = ProjectionHealth(
    projection_lag_s=0,
    deadline_lag_s=0,
    bot_lag_s=0,
    parked=0,
    complete=True,
    backed_up_at=int((NOW - 3_600) * 1_000_000),
)
HEALTHY = SystemHealth([server("log")], [server("work")], JOBS, ROWS)

GAUGES = {
    "up{job=shiplog-service,instance=a}": 1,
    "shiplog_log_reserve_ratio": 0.2,
    "shiplog_replicas_wanted": 1,
    "shiplog_clock_skew_seconds{instance=a}": 0,
    "shiplog_audit_findings": 0,
    "shiplog_audit_row_findings": 0,
    "shiplog_audit_unsigned": 0,
    "shiplog_audit_leaf_findings": 0,
    "shiplog_audit_lag_seconds": 0,
    "node_filesystem_avail_bytes{instance=a,mountpoint=/,fstype=ext4}": 50,
    "node_filesystem_size_bytes{instance=a,mountpoint=/,fstype=ext4}": 100,
    "probe_ssl_earliest_cert_expiry{instance=a}": NOW + 60 * 86_400,
}
RATES = {
    "shiplog_http_responses_total{status=200}": 10,
    "shiplog_http_responses_total{status=503}": 0,
    "shiplog_commands_total{code=accepted}": 10,
    "shiplog_conflicts_total": 0,
    "shiplog_cache_reads_total{found=memory}": 10,
    "shiplog_cache_reads_total{found=log}": 0,
    "shiplog_command_seconds_count": 10,
    "shiplog_command_seconds_bucket{le=0.25}": 10,
    "shiplog_append_seconds_bucket{le=0.25}": 10,
    "shiplog_append_seconds_bucket{le=+Inf}": 10,
    "shiplog_loop_lag_seconds_bucket{le=0.1}": 2,
    "shiplog_loop_lag_seconds_bucket{le=+Inf}": 2,
    "shiplog_archive_failures_total": 0,
    "shiplog_checkpoint_failures_total": 0,
}
"""Growth per second."""


def exported(health: SystemHealth) -> dict[str, float]:
    """Return the gauges that the service exports for a state."""
    found: dict[str, float] = {}
    for sample in (sample for family in families(health) for sample in family.samples):
        labels = ",".join(f"{name}={value}" for name, value in sample.labels.items())
        found[f"{sample.name}{{{labels}}}"] = sample.value
    return found


def firing(
    health: SystemHealth = HEALTHY,
    gauges: dict[str, float] | None = None,
    rates: dict[str, float] | None = None,
    since_s: float = WINDOW_S,
) -> set[str]:
    """Return the alerts that fire in a state.

    The growth of counters has been another than in a healthy installation for `since_s` seconds.
    """
    series = Series(RECORDED)
    levels = GAUGES | exported(health) | (gauges or {})
    changed = RATES | (rates or {})
    totals = dict.fromkeys(changed, 0.0)
    for before, at in pairwise(TIMES):
        growth = changed if at > NOW - since_s else RATES
        for name in changed:
            totals[name] += (at - before) * growth.get(name, 0)
            add(series, name, at, totals[name])
    for name, value in levels.items():
        add(series, name, NOW, value)
    return {name for name, query in ALERTS.items() if series.evaluate(query, NOW)}


def add(series: Series, name: str, at: float, value: float) -> None:
    name, _, labels = name.rstrip("}").partition("{")
    pairs = (pair.split("=", 1) for pair in labels.split(",") if pair)
    series.add(name, at, value, **{key.strip(): text for key, text in pairs})


def health(**parts: Any) -> SystemHealth:
    return msgspec.structs.replace(HEALTHY, **parts)


def log(**fields: Any) -> SystemHealth:
    return health(log=[server("log", **fields)])


def rows(**fields: Any) -> SystemHealth:
    return health(following=msgspec.structs.replace(ROWS, **fields))


def jobs(**fields: Any) -> SystemHealth:
    return health(jobs=msgspec.structs.replace(JOBS, **fields))


STATES: dict[str, dict[str, Any]] = {
    "ServiceDown": {"gauges": {"up{job=shiplog-service,instance=a}": 0}},
    "LogUnavailable": {"health": health(log=[])},
    "LogRestarted": {"health": log(uptime_s=20)},
    "LogNotWriting": {"health": log(writing=False)},
    "LogEvicting": {"health": log(evicted=1)},
    "LogNearlyFull RedisMemoryHigh": {"health": log(memory_bytes=1_800_000_000)},
    "ReplicasLost": {"health": log(replicas=0)},
    "RedisMemoryHigh": {"health": health(work=[server("work", memory_bytes=1_800_000_000)])},
    "DiskNearlyFull": {
        "gauges": {"node_filesystem_avail_bytes{instance=a,mountpoint=/,fstype=ext4}": 10}
    },
    "WorkUnavailable": {"health": health(work=[])},
    "AppendSlow": {
        "rates": {"shiplog_append_seconds_bucket{le=0.25}": 9},
        "since_s": 900,
    },
    "ServerErrors ErrorBudgetLow": {
        "rates": {"shiplog_http_responses_total{status=503}": 0.3},
    },
    "ErrorBudgetLow": {
        "rates": {"shiplog_http_responses_total{status=503}": 0.02},
    },
    "CommandsSlow LatencyBudgetLow": {
        "rates": {"shiplog_command_seconds_bucket{le=0.25}": 8},
    },
    "LatencyBudgetLow": {
        "rates": {"shiplog_command_seconds_bucket{le=0.25}": 9.8},
    },
    "ConflictsHigh": {"rates": {"shiplog_conflicts_total": 1}},
    "CacheMissesHigh": {"rates": {"shiplog_cache_reads_total{found=log}": 5}},
    "LoopLate": {"rates": {"shiplog_loop_lag_seconds_bucket{le=0.1}": 1}},
    "ProjectionsLate": {"health": rows(projection_lag_s=60)},
    "ProjectionsIncomplete": {"health": rows(complete=False)},
    "MatchesParked": {"health": rows(parked=1)},
    "DeadlinesLate": {"health": rows(deadline_lag_s=60)},
    "BotsLate": {"health": rows(bot_lag_s=90)},
    "ArchiveFailing": {"rates": {"shiplog_archive_failures_total": 1 / 30}},
    "BackupOld": {"health": rows(backed_up_at=int((NOW - 40 * 3_600) * 1_000_000))},
    "CheckpointsFailing": {"rates": {"shiplog_checkpoint_failures_total": 1 / 20}},
    "AuditFindings": {"gauges": {"shiplog_audit_findings": 1}},
    "AuditRows": {"gauges": {"shiplog_audit_row_findings": 1}},
    "AuditUnsigned": {"gauges": {"shiplog_audit_unsigned": 1}},
    "AuditCheckpoints": {"gauges": {"shiplog_audit_leaf_findings": 1}},
    "AuditLate": {"gauges": {"shiplog_audit_lag_seconds": 900}},
    "NoWorkers": {"health": jobs(workers={**dict.fromkeys(QUEUES, 1), "clock": 0})},
    "QueueLong": {"health": jobs(by_state={**JOBS.by_state, ("bots", "queued"): 600})},
    "JobsFailing": {"health": jobs(by_state={**JOBS.by_state, ("bots", "failed"): 11})},
    "ClockSkewed": {"health": log(skew_s=2.0)},
    "ClockUnusable": {"gauges": {"shiplog_clock_skew_seconds{instance=a}": -6}},
    "CertificateExpires": {"gauges": {"probe_ssl_earliest_cert_expiry{instance=a}": NOW + 86_400}},
}
"""States, by the alerts that fire in them."""


def test_in_a_healthy_installation_no_alert_fires():
    assert firing() == set()


@pytest.mark.parametrize("names", STATES)
def test_an_alert_fires_in_the_state_that_it_is_for(names):
    assert firing(**STATES[names]) == set(names.split())


def test_every_alert_has_a_state():
    covered = {name for names in STATES for name in names.split()} | {"LogFillsSoon"}
    assert covered == set(ALERTS)


def test_the_log_that_fills_is_noticed_two_days_before():
    series = Series(RECORDED)
    for hour in range(7):
        at = NOW - (6 - hour) * 3_600
        series.add("shiplog_redis_memory_bytes", at, 1e9 + hour * 3e7, server="log", node="")
        series.add("shiplog_redis_memory_max_bytes", at, 2e9, server="log", node="")
    assert series.evaluate(ALERTS["LogFillsSoon"], NOW)
    steady = {"server": "log", "node": ""}
    quiet = Series(RECORDED)
    for hour in range(7):
        quiet.add("shiplog_redis_memory_bytes", NOW - (6 - hour) * 3_600, 1e9, **steady)
        quiet.add("shiplog_redis_memory_max_bytes", NOW - (6 - hour) * 3_600, 2e9, **steady)
    assert not quiet.evaluate(ALERTS["LogFillsSoon"], NOW)


def test_no_backup_at_all_is_an_old_one():
    assert firing(rows(backed_up_at=None)) == {"BackupOld"}


def test_a_short_outage_pages_at_once_and_not_for_long():
    errors = {"shiplog_http_responses_total{status=503}": 10.0}
    assert "ServerErrors" in firing(rates=errors, since_s=600)
    assert firing(rates={"shiplog_http_responses_total{status=503}": 0.05}, since_s=600) == set()
