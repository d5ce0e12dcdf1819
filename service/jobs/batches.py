"""Run a function for many batches on the workers, a few jobs at a time, and collect the results."""

import secrets
import time
from collections import deque
from collections.abc import Generator, Iterable, Iterator
from itertools import islice
from typing import Any, NamedTuple

from rq import Queue, Worker

from service.jobs.queues import Call, QueueName, enqueue, open_queues
from service.jobs.status import fetch, state_of, stop

POLL_S = 0.1
PER_WORKER = 2
"""Number of jobs for each worker. Others who use the queue wait for no more."""
TIMEOUT_S = 900
KEPT_S = 3_600
LOST_MAX = 3
"""Number of times that a job may vanish with the work Redis."""


class NoBatchWorkers(Exception):
    """No worker serves the queue."""


class BatchCancelled(Exception):
    """Somebody has cancelled a job."""


class Batch(NamedTuple):
    """A submitted batch."""

    job: str
    argument: Any
    lost: int = 0
    """Number of times that its job has vanished."""


class Batches:
    """Jobs of one run."""

    def __init__(self, work_url: str, queue: QueueName, function: str) -> None:
        """Use the workers of a queue. Raises `NoBatchWorkers`, `RedisError`."""
        self._queues = open_queues(work_url)
        self._name: QueueName = queue
        self._queue: Queue = self._queues[queue]
        self._function = function
        self._run = secrets.token_hex(4)
        self._count = 0
        if not self._workers():
            why = f"No worker serves the queue `{queue}`: start `shiplog worker`."
            raise NoBatchWorkers(why)

    def results(
        self, batches: Iterable[Any], *arguments: Any
    ) -> Generator[tuple[Any, list[Any] | None], None, None]:
        """Yield each batch with its result, in order. None if no worker could do it.

        The jobs of a worker that dies are done by others. When the generator is closed, open jobs
        are cancelled. Raises `BatchCancelled`, `RedisError`.
        """
        rest = iter(batches)
        waiting: deque[Batch] = deque()
        try:
            while True:
                room = max(1, self._workers()) * PER_WORKER - len(waiting)
                for batch in islice(rest, max(0, room)):
                    waiting.append(self._submit(Batch("", batch), arguments))
                if not waiting:
                    return
                yield from self._ended(waiting, arguments)
        finally:
            for batch in waiting:
                if (job := fetch(self._queue.connection, batch.job)) is not None:
                    stop(job)

    def _ended(
        self, waiting: deque[Batch], arguments: tuple[Any, ...]
    ) -> Iterator[tuple[Any, list[Any] | None]]:
        """Yield the first batch if it has ended, or wait a moment."""
        first = waiting[0]
        job = fetch(self._queue.connection, first.job)
        state = "lost" if job is None else state_of(job)
        if state == "cancelled":
            raise BatchCancelled(f"Job {first.job} was cancelled.")
        if state == "lost" and first.lost < LOST_MAX:
            waiting[0] = self._submit(first._replace(lost=first.lost + 1), arguments)
        elif job is not None and state == "finished":
            waiting.popleft()
            yield first.argument, job.return_value()
            job.delete()
        elif state in ("failed", "lost"):
            waiting.popleft()
            yield first.argument, None
        else:
            time.sleep(POLL_S)

    def _submit(self, batch: Batch, arguments: tuple[Any, ...]) -> Batch:
        self._count += 1
        name = f"batch-{self._run}-{self._count}"
        call = Call(
            self._name, self._function, (batch.argument, *arguments), name, TIMEOUT_S, KEPT_S
        )
        enqueue(self._queues, call, {"kind": "audit-batch"})
        return batch._replace(job=name)

    def _workers(self) -> int:
        return Worker.count(connection=self._queue.connection, queue=self._queue)
