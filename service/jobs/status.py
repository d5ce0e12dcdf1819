"""The state of jobs as recorded in the queues: show, list, cancel and retry them."""

from collections.abc import Iterator, Mapping
from contextlib import suppress
from functools import partial
from typing import Any, Literal

import msgspec
from redis import Redis
from redis.client import Pipeline
from rq import Queue
from rq.command import send_stop_job_command
from rq.exceptions import InvalidJobOperation, NoSuchJobError
from rq.job import Job as QueuedJob
from rq.serializers import JSONSerializer

from games.wire import Time
from service.jobs.queues import OUTCOMES, RETRIES, QueueName, keep_cancelled

State = Literal["queued", "running", "finished", "failed", "cancelled", "stale"]
STATES: dict[str, State] = {
    "started": "running",
    "finished": "finished",
    "failed": "failed",
    "stopped": "cancelled",
    "canceled": "cancelled",
}


class Progress(msgspec.Struct, frozen=True):
    """The progress of a job."""

    done: int
    total: int


class Job(msgspec.Struct, frozen=True):
    """A job as its owner sees it."""

    id: str
    kind: str
    match: str
    state: State
    """`stale`: the match went on before the result, which is dropped."""
    asked: Time
    progress: Progress | None
    partial_results: int
    """Number of partial results so far: of an analysis, each replaces the one before."""
    error: str | None
    """Why the job failed: `failed`, `timed-out`, `out-of-memory`, `unavailable`, `worker-died`."""
    result: Any
    """Null until the job has finished, and in lists."""


class OperatorJob(msgspec.Struct, frozen=True):
    """A job as the operator sees it: submitted by a player, or a wake-up of clocks and bots."""

    id: str
    queue: str
    kind: str
    state: State
    since: str
    """When the job was last enqueued."""
    match: str | None
    owner: str | None
    retries_left: int
    error: str | None
    trace: str | None
    """Traceback of the failure."""


def fetch(connection: Redis, name: str) -> QueuedJob | None:
    """Return a job by its id, if it is known."""
    try:
        return QueuedJob.fetch(name, connection=connection, serializer=JSONSerializer)
    except (NoSuchJobError, ValueError):
        return None


def owner_view(job: QueuedJob, *, whole: bool = True) -> Job:
    """Return a job as its owner sees it, with or without its result."""
    meta = job.get_meta(refresh=False)
    state = state_of(job)
    progress = meta.get("progress")
    return Job(
        id=job.id,
        kind=meta["kind"],
        match=meta["match"],
        state=state,
        asked=meta["asked"],
        progress=None if progress is None else Progress(*progress),
        partial_results=meta.get("partial_results", 0),
        error=meta.get("error", "worker-died") if state == "failed" else None,
        result=job.return_value() if whole and state == "finished" else None,
    )


def operator_view(job: QueuedJob) -> OperatorJob:
    """Return a job as the operator sees it."""
    meta = job.get_meta(refresh=False)
    state = state_of(job)
    result = job.latest_result() if state == "failed" else None
    return OperatorJob(
        id=job.id,
        queue=job.origin,
        kind=meta.get("kind", job.origin),
        state=state,
        since="" if job.enqueued_at is None else job.enqueued_at.isoformat(),
        match=meta.get("match"),
        owner=meta.get("owner"),
        retries_left=job.retries_left or 0,
        error=meta.get("error", "failed") if state == "failed" else None,
        trace=None if result is None else result.exc_string,
    )


def state_of(job: QueuedJob) -> State:
    """Return the state of a job as of its fetching."""
    state = STATES.get(job.get_status(refresh=False), "queued")
    stale = state == "finished" and job.get_meta(refresh=False).get("stale")
    return "stale" if stale else state


def all_jobs(queues: Mapping[QueueName, Queue]) -> Iterator[OperatorJob]:
    """List all known jobs: by queue, those under way first, then those that have ended."""
    for queue in queues.values():
        names: list[str] = []
        for book in _job_ids(queue):
            names += book
        jobs = QueuedJob.fetch_many(
            list(dict.fromkeys(names)), connection=queue.connection, serializer=JSONSerializer
        )
        yield from (operator_view(job) for job in jobs if job is not None)


def _job_ids(queue: Queue) -> Iterator[list[str]]:
    yield queue.started_job_registry.get_job_ids(cleanup=False)
    yield queue.intermediate_queue.get_job_ids()
    yield queue.get_job_ids()
    yield queue.failed_job_registry.get_job_ids(cleanup=False)
    yield queue.finished_job_registry.get_job_ids(cleanup=False)
    yield queue.canceled_job_registry.get_job_ids(cleanup=False)


def cancel(job: QueuedJob) -> Job:
    """Cancel a player's job; one that has ended stays as it is. Return its state then."""
    stop(job)
    return owner_view(job)


def stop(job: QueuedJob) -> None:
    """Cancel any queued or running job; one that has ended stays as it is."""
    connection = job.connection
    with suppress(InvalidJobOperation):
        connection.transaction(partial(_take_back, job), job.key)
        if state_of(job) == "running":
            connection.hset(job.key, "retries_left", 0)
            send_stop_job_command(connection, job.id, serializer=JSONSerializer)
    job.refresh()


def _take_back(job: QueuedJob, pipe: Pipeline) -> None:
    """Remove a job from the queue if no worker has begun it, in one transaction."""
    job.get_status(refresh=True)
    pipe.multi()
    if state_of(job) == "queued":
        job.cancel(pipeline=pipe)
        keep_cancelled(job, pipe)


def retry(queues: Mapping[QueueName, Queue], job: QueuedJob) -> bool:
    """Retry a failed job, as often as a new one; return whether it had failed."""
    registry = next(q for q in queues.values() if q.name == job.origin).failed_job_registry
    job.retries_left = RETRIES
    try:
        registry.requeue(job)
    except InvalidJobOperation:
        return False
    return True


def job_counts(
    queues: Mapping[QueueName, Queue],
) -> tuple[dict[tuple[str, str], int], dict[tuple[str, str], int]]:
    """Return the number of jobs by queue and state, and of ended ones by kind and outcome."""
    now: dict[tuple[str, str], int] = {}
    for name, queue in queues.items():
        now[name, "queued"] = queue.count
        now[name, "running"] = queue.started_job_registry.get_job_count(cleanup=False)
        now[name, "failed"] = queue.failed_job_registry.get_job_count(cleanup=False)
    counts: Any = queues["analysis"].connection.hgetall(OUTCOMES)
    ended: dict[tuple[str, str], int] = {}
    for field, number in counts.items():
        kind, _, outcome = field.decode().partition(" ")
        ended[kind, outcome] = int(number)
    return now, ended
