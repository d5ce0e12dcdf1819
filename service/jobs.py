"""Analyses that take their time: asked for over HTTP, done by a worker. Only who asked sees or ends them."""

import asyncio
import secrets
from collections.abc import Callable
from typing import Any, Literal, TypeVar

import msgspec
from redis.exceptions import RedisError
from rq.command import send_stop_job_command
from rq.exceptions import InvalidJobOperation, NoSuchJobError
from rq.job import Job as QueuedJob
from rq.serializers import JSONSerializer

from events.record import at_text
from service.clock import now_micros
from service.problems import not_found, work_unavailable
from service.worker.queues import KEPT_S, audit_match, enqueue, open_queues

T = TypeVar("T")

LISTED_MAX = 100
"""Jobs of one player that are listed."""

State = Literal["queued", "running", "finished", "failed", "cancelled"]
STATES: dict[str, State] = {
    "started": "running",
    "finished": "finished",
    "failed": "failed",
    "stopped": "cancelled",
    "canceled": "cancelled",
}


class Progress(msgspec.Struct, frozen=True):
    """How far a job has come."""

    done: int
    total: int


class Job(msgspec.Struct, frozen=True):
    """A job as its owner sees it."""

    id: str
    kind: str
    match: str
    state: State
    asked: str
    progress: Progress | None
    result: Any
    """Null until it is finished."""


class Jobs:
    """The analyses of all players."""

    def __init__(self, work_url: str) -> None:
        """Work on a work Redis."""
        self._queues = open_queues(work_url)
        self._queue = self._queues["analysis"]
        self._redis = self._queue.connection

    async def enqueue_audit(self, match: str, version: int, owner: str) -> Job:
        """Ask for an audit of a match's log up to a version of the log; raises `Problem` 503."""
        return await self._do(lambda: self._ask(match, version, owner))

    async def get(self, job: str, owner: str) -> Job:
        """Give a job; raises `Problem` 404, 503."""
        return await self._do(lambda: _seen(self._find(job, owner)))

    async def of(self, owner: str) -> list[Job]:
        """List a player's jobs of the last day, the latest first; raises `Problem` 503."""
        return await self._do(lambda: self._list(owner))

    async def cancel(self, job: str, owner: str) -> Job:
        """End a job, or take it back before it begins; raises `Problem` 404, 503."""
        return await self._do(lambda: self._cancel(job, owner))

    def close(self) -> None:
        """Close the connections."""
        self._redis.close()

    async def _do(self, work: Callable[[], T]) -> T:
        try:
            return await asyncio.to_thread(work)
        except (RedisError, OSError):
            raise work_unavailable() from None

    def _ask(self, match: str, version: int, owner: str) -> Job:
        name = f"job_{secrets.token_urlsafe(15)}"
        asked = now_micros()
        meta = {"kind": "audit", "match": match, "owner": owner, "asked": at_text(asked)}
        enqueue(self._queues, audit_match(match, version, name), meta)
        key = _list_key(owner)
        with self._redis.pipeline() as pipe:
            pipe.zadd(key, {name: asked})
            pipe.zremrangebyrank(key, 0, -LISTED_MAX - 1)
            pipe.expire(key, KEPT_S)
            pipe.execute()
        return _seen(self._find(name, owner))

    def _find(self, name: str, owner: str) -> QueuedJob:
        try:
            job = QueuedJob.fetch(name, connection=self._redis, serializer=JSONSerializer)
        except (NoSuchJobError, ValueError):
            raise not_found("job") from None
        if job.get_meta(refresh=False).get("owner") != owner:
            raise not_found("job")
        return job

    def _list(self, owner: str) -> list[Job]:
        found: Any = self._redis.zrevrange(_list_key(owner), 0, -1)
        names = [name.decode() for name in found]
        jobs = QueuedJob.fetch_many(names, connection=self._redis, serializer=JSONSerializer)
        return [_seen(job) for job in jobs if job is not None]

    def _cancel(self, name: str, owner: str) -> Job:
        job = self._find(name, owner)
        state = STATES.get(job.get_status(), "queued")
        try:
            if state == "running":
                send_stop_job_command(self._redis, name, serializer=JSONSerializer)
            elif state == "queued":
                job.cancel()
        except InvalidJobOperation:
            pass
        return _seen(self._find(name, owner))


def _seen(job: QueuedJob) -> Job:
    meta = job.get_meta(refresh=False)
    state = STATES.get(job.get_status(refresh=False), "queued")
    progress = meta.get("progress")
    return Job(
        id=job.id,
        kind=meta["kind"],
        match=meta["match"],
        state=state,
        asked=meta["asked"],
        progress=None if progress is None else Progress(*progress),
        result=job.return_value() if state == "finished" else None,
    )


def _list_key(owner: str) -> str:
    return f"jobs:{owner}"
