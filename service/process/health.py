"""The health of an installation: servers, queues, and how far the projections are behind the log.

It is the same whichever process reads it. `/metrics` shows it, and `shiplog doctor` judges it.
"""

import asyncio
from collections.abc import Mapping
from typing import Any, Literal

import msgspec
from redis.exceptions import RedisError
from rq import Queue, Worker
from rq.serializers import JSONSerializer

from events.redis_store import RedisStore
from events.store import Unavailable
from games.match.clocks import SECOND
from projections.entries import BOTS, DEADLINES, PACED_BOTS
from projections.rows import NoRows, Rows
from service.base.clock import local_micros, now_micros
from service.jobs.queues import QueueName, open_queues
from service.jobs.status import job_counts
from service.play.feed import oldest_unread
from service.play.projector import PARKED, POSITIONS

BACKED_UP = "backup:ended"
"""Key of the time at which the last complete backup ended (microseconds since 1970)."""
ANSWER_S = 1.0
"""Time in which a server must answer to count as available (seconds)."""


class RedisHealth(msgspec.Struct, frozen=True):
    """A Redis as described by its INFO."""

    role: Literal["log", "work"]
    name: str
    """Host and port of a node of a cluster; empty for a single server."""
    version: str
    run_id: str
    uptime_s: int
    """Time since its start (seconds)."""
    memory_bytes: int
    memory_max_bytes: int
    """0 is no limit."""
    policy: str
    evicted: int
    clients: int
    replicas: int
    aof_bytes: int
    writing: bool
    """Whether the last write and the last rewrite of its file succeeded."""
    delayed_fsyncs: int
    skew_s: float
    """Its clock minus ours (seconds)."""


class QueueHealth(msgspec.Struct, frozen=True):
    """The state of the queues."""

    by_state: dict[tuple[str, str], int]
    """Number of jobs, by queue and state."""
    ended: dict[tuple[str, str], int]
    """Number of ended jobs, by kind and outcome."""
    workers: dict[str, int]
    """Number of worker processes, by queue."""


class ProjectionHealth(msgspec.Struct, frozen=True):
    """How far the readers of the log are behind."""

    projection_lag_s: float
    """Age of the oldest announcement that is missing from the rows (seconds)."""
    deadline_lag_s: float
    """Delay of the oldest deadline that has not been applied (seconds)."""
    bot_lag_s: float
    """Age of the oldest turn of a bot (seconds)."""
    parked: int
    """Number of matches that cannot be folded."""
    complete: bool
    """Whether the rows contain all logs."""
    backed_up_at: int | None
    """When the last complete backup ended (microseconds since 1970). None if none is known."""


class SystemHealth(msgspec.Struct, frozen=True):
    """The health of all; None or [] for what does not answer."""

    log: list[RedisHealth]
    work: list[RedisHealth]
    jobs: QueueHealth | None
    following: ProjectionHealth | None


class HealthReader:
    """Reads the health of the installation."""

    def __init__(self, store: RedisStore, work: Any, work_url: str) -> None:
        """Read a log, a work Redis (through an asyncio client of bytes) and its queues."""
        self._store = store
        self._work = work
        self._queues = open_queues(work_url)
        self._rows = Rows(work)

    def close(self) -> None:
        """Close the connections to the queues."""
        self._queues["clock"].connection.close()

    async def read(self) -> SystemHealth:
        """Read everything at once."""
        log, work, jobs, following = await asyncio.gather(
            self._log(), self._work_server(), self._jobs(), self._following()
        )
        return SystemHealth(log, work, jobs, following)

    async def _log(self) -> list[RedisHealth]:
        try:
            async with asyncio.timeout(ANSWER_S):
                told = await self._store.info()
        except (Unavailable, TimeoutError):
            return []
        return [_server("log", name, info) for name, info in told.items()]

    async def _work_server(self) -> list[RedisHealth]:
        try:
            async with asyncio.timeout(ANSWER_S):
                return [_server("work", "", await self._work.info())]
        except (RedisError, OSError, TimeoutError):
            return []

    async def _jobs(self) -> QueueHealth | None:
        try:
            async with asyncio.timeout(ANSWER_S):
                return await asyncio.to_thread(_books, self._queues)
        except (RedisError, OSError, TimeoutError):
            return None

    async def _following(self) -> ProjectionHealth | None:
        try:
            async with asyncio.timeout(ANSWER_S):
                positions = await self._work.hgetall(POSITIONS)
                backed_up = await self._work.get(BACKED_UP)
                return ProjectionHealth(
                    projection_lag_s=_since(await oldest_unread(self._work, positions)),
                    deadline_lag_s=await self._lateness(DEADLINES),
                    bot_lag_s=max([await self._lateness(index) for index in (BOTS, PACED_BOTS)]),
                    parked=await self._work.hlen(PARKED),
                    complete=await self._is_complete(),
                    backed_up_at=None if backed_up is None else int(backed_up),
                )
        except (RedisError, OSError, TimeoutError):
            return None

    async def _lateness(self, index: str) -> float:
        try:
            due = await self._rows.due(index, now_micros(), 0, 1)
        except NoRows:
            return 0.0
        return _since(due[0].at if due else None)

    async def _is_complete(self) -> bool:
        try:
            return await self._rows.is_complete(await self._rows.generation())
        except NoRows:
            return False


def _books(queues: Mapping[QueueName, Queue]) -> QueueHealth:
    now, ended = job_counts(queues)
    workers = {
        name: len(Worker.all(queue=queue, serializer=JSONSerializer))
        for name, queue in queues.items()
    }
    return QueueHealth(now, ended, workers)


def _server(role: Literal["log", "work"], name: str, info: Mapping[str, Any]) -> RedisHealth:
    ours = local_micros()
    return RedisHealth(
        role=role,
        name=name,
        version=str(info.get("valkey_version", info["redis_version"])),
        run_id=str(info["run_id"]),
        uptime_s=int(info["uptime_in_seconds"]),
        memory_bytes=int(info["used_memory"]),
        memory_max_bytes=int(info.get("maxmemory", 0)),
        policy=str(info.get("maxmemory_policy", "")),
        evicted=int(info.get("evicted_keys", 0)),
        clients=int(info.get("connected_clients", 0)),
        replicas=int(info.get("connected_slaves", 0)),
        aof_bytes=int(info.get("aof_current_size", 0)),
        writing=all(
            info.get(key, "ok") == "ok"
            for key in ("aof_last_write_status", "aof_last_bgrewrite_status")
        ),
        delayed_fsyncs=int(info.get("aof_delayed_fsync", 0)),
        skew_s=(int(info.get("server_time_usec", ours)) - ours) / SECOND,
    )


def _since(micros: int | None) -> float:
    return 0.0 if micros is None else max(0.0, (now_micros() - micros) / SECOND)
