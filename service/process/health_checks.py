"""Judge the health of an installation: its servers, queues and lags, and the age of the backup."""

from collections.abc import Iterator
from typing import Literal

import msgspec

from events.redis_version import OLDEST, dotted, is_too_old
from games.match.clocks import SECOND
from service.base.clock import now_micros
from service.jobs.queues import QUEUES
from service.process.health import ProjectionHealth, QueueHealth, RedisHealth, SystemHealth

BACKUP_AGE_HOURS = 36
SKEW_WARN_S, SKEW_BAD_S = 0.5, 5.0
MEMORY_SHARE = 0.8
QUEUED_MAX, FAILED_MAX = 500, 10
LAG_S = 30.0

State = Literal["ok", "warn", "bad"]


class CheckResult(msgspec.Struct, frozen=True):
    """The result of a check."""

    check: str
    state: State
    says: str
    do: str = ""
    """What to do about it; empty if nothing."""


def check_servers(health: SystemHealth, wait_replicas: int) -> Iterator[CheckResult]:
    """Check that both Redis answer, are two servers, and that the log has its replicas."""
    for role, servers in (("log", health.log), ("work", health.work)):
        if not servers:
            where = "LOG" if role == "log" else "WORK"
            page = f"docs/runbooks.md, {role.title()}Unavailable"
            todo = f"start it, or correct SHIPLOG_{where}_URL ({page})"
            yield CheckResult(role, "bad", "does not answer", todo)
        for server in servers:
            yield from check_server(server)
    if {it.run_id for it in health.log} & {it.run_id for it in health.work}:
        todo = "use two servers: RQ's transactions would endanger the log"
        yield CheckResult("work", "bad", "is the same server as the log's", todo)
    for server in health.log:
        if server.replicas < wait_replicas:
            told = f"{server.replicas} replicas; SHIPLOG_WAIT_REPLICAS is {wait_replicas}"
            yield CheckResult(
                "log", "bad", told, "start the replicas: until then commands are refused"
            )


def check_server(server: RedisHealth) -> Iterator[CheckResult]:
    """Check version, eviction, file, memory and clock of a Redis."""
    role = server.role
    yield CheckResult(role, "ok", f"Redis or Valkey {server.version} {server.name}".rstrip())
    if is_too_old(server.version):
        todo = f"install {dotted(OLDEST)} or later"
        yield CheckResult(role, "bad", f"version {server.version} is too old", todo)
    if server.policy != "noeviction":
        yield CheckResult(
            role, "bad", f"maxmemory-policy is {server.policy}", "set it to noeviction now"
        )
    if server.evicted:
        todo = "docs/runbooks.md, LogEvicting" if role == "log" else "raise maxmemory"
        yield CheckResult(role, "bad", f"has evicted {server.evicted} keys", todo)
    if not server.writing:
        yield CheckResult(
            role, "bad", "cannot write or rewrite its file", "docs/runbooks.md, LogNotWriting"
        )
    if server.memory_max_bytes and server.memory_bytes > MEMORY_SHARE * server.memory_max_bytes:
        told = f"uses {mib(server.memory_bytes)} of {mib(server.memory_max_bytes)}"
        yield CheckResult(role, "warn", told, "raise maxmemory, or archive finished matches")
    skew = abs(server.skew_s)
    if skew > SKEW_WARN_S:
        state: State = "bad" if skew > SKEW_BAD_S else "warn"
        todo = "synchronise the clocks of all machines (chrony, ntpd)"
        yield CheckResult(
            "clock", state, f"the clock of the {role} Redis differs by {server.skew_s:+.1f} s", todo
        )
    else:
        yield CheckResult("clock", "ok", f"agrees with the {role} Redis within {SKEW_WARN_S} s")


def check_queues(jobs: QueueHealth | None) -> Iterator[CheckResult]:
    """Check that every queue has workers, and not too many jobs that wait or have failed."""
    if jobs is None:
        yield CheckResult("queues", "bad", "cannot be read", "docs/runbooks.md, WorkUnavailable")
        return
    for queue in QUEUES:
        if not jobs.workers[queue]:
            todo = "start `shiplog worker`"
            yield CheckResult("workers", "bad", f"no process serves the queue {queue}", todo)
        queued, failed = jobs.by_state[queue, "queued"], jobs.by_state[queue, "failed"]
        if queued > QUEUED_MAX:
            todo = "start `shiplog worker` on more machines"
            yield CheckResult("queues", "warn", f"{queued} jobs wait in the queue {queue}", todo)
        if failed > FAILED_MAX:
            todo = "docs/runbooks.md, JobsFailing"
            yield CheckResult(
                "queues", "warn", f"{failed} jobs of the queue {queue} have failed", todo
            )
    if all(jobs.workers.values()):
        yield CheckResult("workers", "ok", f"{sum(jobs.workers.values())} processes")


def check_following(following: ProjectionHealth | None) -> Iterator[CheckResult]:
    """Check that projections, deadlines and bots are up to date, and the age of the backup."""
    if following is None:
        return
    late = {
        "projections": (following.projection_lag_s, "docs/runbooks.md, ProjectionsLate"),
        "deadlines": (following.deadline_lag_s, "docs/runbooks.md, DeadlinesLate"),
        "bots": (following.bot_lag_s, "docs/runbooks.md, BotsLate"),
    }
    for name, (lag, todo) in late.items():
        if lag > LAG_S:
            yield CheckResult("lag", "warn", f"{name} are {lag:.0f} s behind", todo)
    if following.parked:
        told = f"{following.parked} matches cannot be folded"
        yield CheckResult("lag", "bad", told, "docs/runbooks.md, MatchesParked")
    if not following.complete:
        todo = "wait if the work Redis was lost; else docs/runbooks.md, ProjectionsIncomplete"
        yield CheckResult("lag", "warn", "some logs are missing from the rows", todo)
    elif all(lag <= LAG_S for lag, _ in late.values()):
        yield CheckResult("lag", "ok", "projections, deadlines and bots are up to date")
    yield _backup(following.backed_up_at)


def _backup(ended_at: int | None) -> CheckResult:
    """Check the age of the last backup. Not every installation has a known one."""
    if ended_at is None:
        return CheckResult("backup", "ok", "no backup is known (docs/operations.md, Back up)")
    hours = (now_micros() - ended_at) // SECOND // 3600
    if hours > BACKUP_AGE_HOURS:
        todo = "docs/runbooks.md, BackupOld"
        return CheckResult("backup", "warn", f"the last one ended {hours} hours ago", todo)
    return CheckResult("backup", "ok", f"the last one ended {hours} hours ago")


def mib(size: int) -> str:
    """Return a size in bytes as text."""
    return f"{size / (1 << 20):,.0f} MiB"
