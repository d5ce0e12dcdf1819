"""The queues: which job goes where, under which id, for how long. JSON throughout: no job can carry code.

A job that wakes the clock or a bot is found again by what it wakes: enqueueing it twice is enqueueing it once. All
jobs may run twice or too late: they look at the log first.
"""

from collections.abc import Mapping, Sequence
from hashlib import sha256
from typing import Any, Literal, NamedTuple

import structlog
from redis import Redis
from redis.client import Pipeline
from rq import Queue, Retry
from rq.exceptions import DuplicateJobError
from rq.job import Job
from rq.registry import CanceledJobRegistry
from rq.serializers import JSONSerializer
from rq.utils import current_timestamp
from structlog.contextvars import get_contextvars

QueueName = Literal["clock", "bots", "hints", "analysis"]
QUEUES: tuple[QueueName, ...] = ("clock", "bots", "hints", "analysis")
ASKED: frozenset[QueueName] = frozenset(("hints", "analysis"))
"""Queues of what people ask for: those who wait at their turn don't wait behind a long audit."""

log = structlog.get_logger("shiplog")

RETRIES = 3
"""Tries after the first, for jobs that fail or whose worker dies."""
FORGOTTEN_S = 3
"""Seconds for which a failed wake-up is remembered: it is not enqueued again meanwhile."""
KEPT_S = 24 * 3_600
"""Seconds for which the outcome of what people asked for is kept."""
OUTCOMES = "jobs:outcomes"
"""How often a job of a kind ended in a way: figures for the operator, lost with the work Redis."""


class Call(NamedTuple):
    """A job to be done."""

    queue: QueueName
    function: str
    """Its dotted name."""
    arguments: tuple[Any, ...]
    id: str
    timeout_s: int
    kept_s: int
    """Seconds for which its outcome is kept; 0 forgets a success at once."""


def run_clocks(due: Sequence[tuple[str, int]]) -> Call:
    """Wake the clocks of matches, each for a deadline."""
    names = " ".join(f"{match} {deadline}" for match, deadline in due)
    digest = sha256(names.encode()).hexdigest()[:24]
    return Call("clock", "service.worker.wakeups.run_clocks", (due,), f"clock-{digest}", 60, 0)


def play_bot(match: str, version: int) -> Call:
    """Wake the bot that a match waits for at a version."""
    return Call(
        "bots", "service.worker.wakeups.play_bot", (match, version), f"bot-{match}-{version}", 30, 0
    )


def open_queues(url: str) -> dict[QueueName, Queue]:
    """Give the queues on the work Redis."""
    connection = Redis.from_url(url)
    return {name: Queue(name, connection=connection, serializer=JSONSerializer) for name in QUEUES}


def enqueue(
    queues: Mapping[QueueName, Queue], call: Call, meta: dict[str, Any] | None = None
) -> bool:
    """Enqueue a job unless it is known already; tell whether it was not. Raises what the client raises.

    The job remembers the call that asked for it, so that log lines of both can be joined.
    """
    request = get_contextvars().get("request")
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
    """List a job among the cancelled ones for as long as outcomes are kept: rq would never forget it."""
    registry = CanceledJobRegistry(job.origin, job.connection, serializer=JSONSerializer)
    registry.add(job, KEPT_S, pipeline=pipe)
    pipe.zremrangebyscore(registry.key, 0, current_timestamp())
    job.cleanup(KEPT_S, pipeline=pipe)


def count(connection: Redis, kind: str, outcome: str) -> None:
    """Count how a job ended."""
    connection.hincrby(OUTCOMES, f"{kind} {outcome}", 1)
