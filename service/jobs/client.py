"""Jobs that take their time: asked for over HTTP, done by a worker. Only who asked sees or ends them."""

import asyncio
import secrets
import threading
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from typing import Any, TypeVar

from redis.exceptions import RedisError
from rq.job import Job as QueuedJob
from rq.serializers import JSONSerializer

from events.record import at_text
from service.base.clock import now_micros
from service.base.problems import Problem, not_found, work_unavailable
from service.jobs.kinds import KINDS
from service.jobs.queues import KEPT_S, Call, QueueName, enqueue, open_queues
from service.jobs.status import Job, cancel, fetch, seen, state_of

T = TypeVar("T")

LISTED_MAX = 100
"""Jobs of one player that are listed."""
OPEN = frozenset(("queued", "running"))
THREADS = 4
"""Threads of a process's own that wait for the work Redis: where it stands still, only calls about jobs do."""
ANSWER_S = 3.0
"""Seconds after which a call about jobs is given up."""
OWNER_RETRY_S = 2
QUEUE_RETRY_S = 10


class Jobs:
    """The jobs of all players."""

    def __init__(self, work_url: str, queued_max: int, open_max: int) -> None:
        """Work on a work Redis, with so many jobs waiting in a queue, and open for one player."""
        self._queues = open_queues(work_url)
        self._redis = self._queues["analysis"].connection
        self._queued_max = queued_max
        self._open_max = open_max
        self._door = threading.Lock()
        self._threads = ThreadPoolExecutor(THREADS, "jobs")

    async def ask(
        self,
        kind: str,
        match: str,
        version: int,
        owner: str,
        viewer: int | None = None,
        arguments: Mapping[str, Any] | None = None,
    ) -> Job:
        """Ask for a job of a kind on a match at a version of the log, for a viewer's eyes.

        The kind's own arguments are plain JSON values. Raises `Problem` 429 `too-many-jobs` where the player has
        too many open, 503 `queue-full`, and 503 without a work Redis.
        """
        return await self._do(
            lambda: self._ask(kind, match, version, owner, viewer, arguments or {})
        )

    async def get(self, job: str, owner: str) -> Job:
        """Give a job; raises `Problem` 404, 503."""
        return await self._do(lambda: seen(self._find(job, owner)))

    async def of(self, owner: str) -> list[Job]:
        """List a player's jobs of the last day, the latest first, without results; raises `Problem` 503."""
        return await self._do(lambda: self._list(owner))

    async def cancel(self, job: str, owner: str) -> Job:
        """End a job, or take it back before it begins; raises `Problem` 404, 503."""
        return await self._do(lambda: cancel(self._find(job, owner)))

    def close(self) -> None:
        """Close the connections."""
        self._threads.shutdown(wait=False, cancel_futures=True)
        self._redis.close()

    async def _do(self, work: Callable[[], T]) -> T:
        loop, context = asyncio.get_running_loop(), copy_context()
        try:
            async with asyncio.timeout(ANSWER_S):
                return await loop.run_in_executor(self._threads, context.run, work)
        except (RedisError, OSError):
            raise work_unavailable() from None

    def _ask(
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
            self._require_room(row.queue, owner)
            asked = now_micros()
            meta = {"kind": kind, "match": match, "owner": owner, "asked": at_text(asked)}
            enqueue(self._queues, call, meta)
            key = _list_key(owner)
            with self._redis.pipeline() as pipe:
                pipe.zadd(key, {name: asked})
                pipe.zremrangebyrank(key, 0, -LISTED_MAX - 1)
                pipe.expire(key, KEPT_S)
                pipe.execute()
        return seen(self._find(name, owner))

    def _require_room(self, queue: QueueName, owner: str) -> None:
        """Refuse beyond the bounds: first those who ask for much, then everybody."""
        if sum(state_of(job) in OPEN for job in self._books(owner)) >= self._open_max:
            raise Problem(
                429,
                "too-many-jobs",
                f"at most {self._open_max} jobs of yours may be open: await or cancel one",
                limit=self._open_max,
                retry_after=OWNER_RETRY_S,
            )
        if self._queues[queue].count >= self._queued_max:
            raise Problem(503, "queue-full", "too many jobs are waiting", retry_after=QUEUE_RETRY_S)

    def _find(self, name: str, owner: str) -> QueuedJob:
        job = fetch(self._redis, name)
        if job is None or job.get_meta(refresh=False).get("owner") != owner:
            raise not_found("job")
        return job

    def _list(self, owner: str) -> list[Job]:
        return [seen(job, whole=False) for job in self._books(owner)]

    def _books(self, owner: str) -> list[QueuedJob]:
        """Fetch a player's jobs, without their results."""
        found: Any = self._redis.zrevrange(_list_key(owner), 0, -1)
        names = [name.decode() for name in found]
        jobs = QueuedJob.fetch_many(names, connection=self._redis, serializer=JSONSerializer)
        return [job for job in jobs if job is not None]


def _list_key(owner: str) -> str:
    return f"jobs:{owner}"
