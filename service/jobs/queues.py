"""The queues and how to enqueue: all in JSON, so that no job can carry code.

A wake-up's id follows from what it wakes, so that enqueueing it twice is enqueueing it once. All
jobs may run twice or late: they look at the log first.
"""

import secrets
from collections.abc import Mapping, Sequence
from hashlib import sha256
from typing import Any, Literal, NamedTuple, get_args

import structlog
from redis import Redis
from redis.client import Pipeline
from rq import Queue, Retry
from rq.exceptions import DuplicateJobError
from rq.job import Job
from rq.registry import CanceledJobRegistry
from rq.serializers import JSONSerializer
from rq.utils import current_timestamp

from service.base.logs import request_id

QueueName = Literal["clock", "bots", "hints", "analysis", "webhooks", "slow_webhooks"]
QUEUES: tuple[QueueName, ...] = get_args(QueueName)
USER_QUEUES: frozenset[QueueName] = frozenset(("hints", "analysis"))
"""Queues of jobs that players submit. Hints do not wait behind long audits."""

log = structlog.get_logger("shiplog")

RETRIES = 3
"""Number of tries after the first, if a job fails or its worker dies."""
FORGOTTEN_S = 3
"""Time for which a failed wake-up is remembered and not enqueued again (seconds)."""
KEPT_S = 24 * 3_600
"""Time for which the outcome of a submitted job is kept (seconds)."""
OUTCOMES = "jobs:outcomes"
"""Counts of jobs by kind and outcome, for the operator. Lost with the work Redis."""


class Call(NamedTuple):
    """A job to enqueue."""

    queue: QueueName
    function: str
    """Its dotted name."""
    arguments: tuple[Any, ...]
    id: str
    timeout_s: int
    kept_s: int
    """Time for which the outcome is kept (seconds); 0 forgets a success at once."""


def run_clocks(due: Sequence[tuple[str, int]]) -> Call:
    """Return the job that applies the clocks of matches, each for a deadline."""
    names = " ".join(f"{match} {deadline}" for match, deadline in due)
    digest = sha256(names.encode()).hexdigest()[:24]
    return Call("clock", "service.worker.wakeups.run_clocks", (due,), f"clock-{digest}", 60, 0)


def play_bot(match: str, version: int) -> Call:
    """Return the job that lets a bot move in a match at a version."""
    return Call(
        "bots", "service.worker.wakeups.play_bot", (match, version), f"bot-{match}-{version}", 30, 0
    )


def fill_seek(seek: str) -> Call:
    """Return the job that seats bots on the free seats of a seek."""
    return Call("clock", "service.worker.wakeups.fill_seek", (seek,), f"fill-{seek}", 60, 0)


def send_webhooks(queue: QueueName, webhooks: Sequence[tuple[str, str]]) -> Call:
    """Return the job that sends what is due to webhooks, each with its player.

    Its id is random: the outbox sees to it that a webhook is in one job at a time.
    """
    function = "service.worker.webhooks.send_webhooks"
    return Call(queue, function, (queue, webhooks), f"{queue}-{secrets.token_hex(8)}", 60, 0)


def send_mails(mailboxes: Sequence[tuple[str, str]]) -> Call:
    """Return the job that sends what is due to mailboxes, each with its player."""
    function = "service.worker.mailing.send_mails"
    name = f"mails-{secrets.token_hex(8)}"
    return Call("slow_webhooks", function, (mailboxes,), name, 300, 0)


def open_queues(url: str) -> dict[QueueName, Queue]:
    """Open the queues on the work Redis."""
    connection = Redis.from_url(url)
    return {name: Queue(name, connection=connection, serializer=JSONSerializer) for name in QUEUES}


def enqueue(
    queues: Mapping[QueueName, Queue], call: Call, meta: dict[str, Any] | None = None
) -> bool:
    """Enqueue a job unless its id is known; return whether it was enqueued. Raises `RedisError`.

    The job remembers the id of the request, so that the log lines of both can be joined.
    """
    request = request_id()
    if request is not None:
        meta = {**(meta or {}), "request": request}
    try:
        queues[call.queue].enqueue_call(
            call.function,
            args=call.arguments,
            job_id=call.id,
            unique=True,
            timeout=call.timeout_s,
            result_ttl=call.kept_s,
            failure_ttl=call.kept_s or FORGOTTEN_S,
            retry=Retry(RETRIES),
            meta=meta,
            description=call.id,
        )
    except DuplicateJobError:
        return False
    if request is not None:
        log.info("enqueued", job=call.id, queue=call.queue)
    return True


def keep_cancelled(job: Job, pipe: Pipeline) -> None:
    """List a job as cancelled for as long as outcomes are kept: rq would keep it forever."""
    registry = CanceledJobRegistry(job.origin, job.connection, serializer=JSONSerializer)
    registry.add(job, KEPT_S, pipeline=pipe)
    pipe.zremrangebyscore(registry.key, 0, current_timestamp())
    job.cleanup(KEPT_S, pipeline=pipe)


def count(connection: Redis, kind: str, outcome: str) -> None:
    """Count the outcome of a job."""
    connection.hincrby(OUTCOMES, f"{kind} {outcome}", 1)
