"""Jobs that players submit over HTTP and workers run. Only the owner can see or cancel a job."""

import asyncio
import secrets
import threading
from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from typing import Any, TypeVar

from redis.exceptions import RedisError
from rq.job import Job as QueuedJob
from rq.results import Result
from rq.serializers import JSONSerializer

from events.patience import Patience
from events.record import at_text
from service.base.clock import now_micros
from service.base.problems import Problem, limited, not_found, work_unavailable
from service.jobs.kinds import KINDS
from service.jobs.queues import KEPT_S, Call, QueueName, enqueue, open_queues
from service.jobs.status import Job, cancel, fetch, owner_view, state_of

T = TypeVar("T")

LISTED_MAX = 100
"""Number of a player's latest jobs that are kept. Earlier ones are kept while they are open."""
OPEN = frozenset(("queued", "running"))
THREADS = 4
"""Threads for calls to the work Redis. If it hangs, only calls about jobs wait."""
OWNER_RETRY_S = 2
QUEUE_RETRY_S = 10


class Jobs:
    """The jobs of all players."""

    def __init__(
        self, work_url: str, queued_max: int, open_max: int, patience: Patience | None = None
    ) -> None:
        """Use a work Redis; limit the queued jobs of a queue and the open jobs of a player."""
        self._patience = patience or Patience()
        self._queues = open_queues(work_url)
        self._redis = self._queues["analysis"].connection
        self._queued_max = queued_max
        self._open_max = open_max
        self._door = threading.Lock()
        self._threads = ThreadPoolExecutor(THREADS, "jobs")

    async def submit(
        self,
        kind: str,
        match: str,
        version: int,
        owner: str,
        viewer: int | None = None,
        arguments: Mapping[str, Any] | None = None,
    ) -> Job:
        """Submit a job on a match at a version of the log, as seen by a viewer.

        The arguments are plain JSON values that depend on the kind. Raises `Problem` 429
        `too-many-jobs`, 503 `queue-full`, and 503 if the work Redis is down.
        """
        return await self._do(
            lambda: self._submit(kind, match, version, owner, viewer, arguments or {})
        )

    async def get(self, job: str, owner: str) -> Job:
        """Return a job; raises `Problem` 404, 503."""
        return await self._do(lambda: owner_view(self._find(job, owner)))

    async def of(self, owner: str) -> list[Job]:
        """List a player's jobs of the last day, newest first, without results.

        Raises `Problem` 503.
        """
        return await self._do(lambda: self._list(owner))

    async def cancel(self, job: str, owner: str) -> Job:
        """Cancel a queued or running job; raises `Problem` 404, 503."""
        return await self._do(lambda: cancel(self._find(job, owner)))

    def close(self) -> None:
        """Close the connections."""
        self._threads.shutdown(wait=False, cancel_futures=True)
        self._redis.close()

    async def _do(self, work: Callable[[], T]) -> T:
        loop, context = asyncio.get_running_loop(), copy_context()
        try:
            async with asyncio.timeout(self._patience.limit_s):
                done = await loop.run_in_executor(self._threads, context.run, work)
        except (RedisError, OSError) as error:
            if isinstance(error, TimeoutError):
                self._patience.gave_up()
            raise work_unavailable() from None
        self._patience.answered()
        return done

    def _submit(
        self,
        kind: str,
        match: str,
        version: int,
        owner: str,
        viewer: int | None,
        arguments: Mapping[str, Any],
    ) -> Job:
        name = f"job_{secrets.token_urlsafe(15)}"
        row = KINDS[kind]
        call = Call(
            row.queue,
            "service.worker.task.run",
            (kind, match, version, viewer, dict(arguments)),
            name,
            row.timeout_s,
            row.kept_s,
        )
        with self._door:
            listed = self._listed(owner)
            self._require_room(row.queue, listed.values())
            asked = now_micros()
            meta = {"kind": kind, "match": match, "owner": owner, "asked": at_text(asked)}
            enqueue(self._queues, call, meta)
            key = _list_key(owner)
            with self._redis.pipeline() as pipe:
                pipe.zadd(key, {name: asked})
                for old, job in [*listed.items()][LISTED_MAX - 1 :]:
                    if not _is_open(job):
                        pipe.zrem(key, old)
                        _delete(job, pipe)
                pipe.expire(key, KEPT_S)
                pipe.execute()
        return owner_view(self._find(name, owner))

    def _require_room(self, queue: QueueName, listed: Iterable[QueuedJob | None]) -> None:
        """Raise `Problem` above the limits: first the player's, then the queue's."""
        if sum(map(_is_open, listed)) >= self._open_max:
            raise limited(
                "jobs",
                "too-many-jobs",
                f"You may have at most {self._open_max} open jobs: wait for one or cancel one.",
                limit=self._open_max,
                retry_after=OWNER_RETRY_S,
            )
        if self._queues[queue].count >= self._queued_max:
            raise Problem(
                503, "queue-full", "The queue is full. Try again later.", retry_after=QUEUE_RETRY_S
            )

    def _find(self, name: str, owner: str) -> QueuedJob:
        job = fetch(self._redis, name)
        if job is None or job.get_meta(refresh=False).get("owner") != owner:
            raise not_found("job")
        return job

    def _list(self, owner: str) -> list[Job]:
        jobs = self._listed(owner).values()
        return [owner_view(job, whole=False) for job in jobs if job is not None]

    def _listed(self, owner: str) -> dict[str, QueuedJob | None]:
        """Fetch a player's jobs by id, the latest first, without results; None if expired."""
        found: Any = self._redis.zrevrange(_list_key(owner), 0, -1)
        names = [name.decode() for name in found]
        jobs = QueuedJob.fetch_many(names, connection=self._redis, serializer=JSONSerializer)
        return dict(zip(names, jobs, strict=True))


def _is_open(job: QueuedJob | None) -> bool:
    return job is not None and state_of(job) in OPEN


def _delete(job: QueuedJob | None, pipe: Any) -> None:
    """Delete a job, unless it has expired, and its result, which RQ leaves behind."""
    if job is not None:
        job.delete(pipeline=pipe)
        Result.delete_all(job)


def _list_key(owner: str) -> str:
    return f"jobs:{owner}"
