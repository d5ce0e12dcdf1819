"""How the servers are, and how far behind the log everything is that follows it: read when it is asked for.

These are facts of the whole installation, the same whichever process is asked. `/metrics` shows them, and `shiplog
doctor` judges them.
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
from projections.entries import BOTS, DEADLINES
from projections.rows import NoRows, Rows
from service.base.clock import now_micros
from service.jobs.queues import QueueName, open_queues
from service.jobs.status import figures
from service.play.feed import oldest_unread
from service.play.projector import PARKED, POSITIONS

ANSWER_S = 1.0
"""Seconds in which a server must answer to count as there."""


class Server(msgspec.Struct, frozen=True):
    """A Redis, as it says of itself."""

    role: Literal["log", "work"]
    name: str
    """Host and port of a cluster's member; empty for a single server."""
    version: str
    run_id: str
    memory_bytes: int
    memory_max_bytes: int
    """0 is no limit."""
    policy: str
    evicted: int
    clients: int
    replicas: int
    aof_bytes: int
    writing: bool
    """The last write of its file went well, and so did the last rewrite."""
    delayed_fsyncs: int
    skew_s: float
    """Its clock less ours."""


class Jobs(msgspec.Struct, frozen=True):
    """The queues' books."""

    by_state: dict[tuple[str, str], int]
    """Jobs now, by queue and state."""
    ended: dict[tuple[str, str], int]
    """All that ended, by kind and outcome."""
    workers: dict[str, int]
    """Processes that serve a queue."""


class Following(msgspec.Struct, frozen=True):
    """What follows the log, and how late it is."""

    projection_lag_s: float
    """Since the oldest announcement that has not been folded into the rows."""
    deadline_lag_s: float
    """Since the oldest deadline that has not been applied."""
    bot_lag_s: float
    """Since a bot's turn began that has waited longest."""
    parked: int
    """Matches that can't be folded."""
    complete: bool
    """All logs are in the rows."""


class Vitals(msgspec.Struct, frozen=True):
    """All of it; None and [] for what does not answer."""

    log: list[Server]
    work: list[Server]
    jobs: Jobs | None
    following: Following | None


class Watch:
    """Reads the vitals."""

    def __init__(self, store: RedisStore, work: Any, work_url: str) -> None:
        """Look at a log, at a work Redis by an asyncio client giving bytes, and at its queues."""
        self._store = store
        self._work = work
        self._queues = open_queues(work_url)
        self._rows = Rows(work)

    def close(self) -> None:
        """Close the connections that are its own."""
        self._queues["clock"].connection.close()

    async def vitals(self) -> Vitals:
        """Read everything at once."""
        log, work, jobs, following = await asyncio.gather(
            self._log(), self._work_server(), self._jobs(), self._following()
        )
        return Vitals(log, work, jobs, following)

    async def _log(self) -> list[Server]:
        try:
            async with asyncio.timeout(ANSWER_S):
                told = await self._store.info()
        except (Unavailable, TimeoutError):
            return []
        return [_server("log", name, info) for name, info in told.items()]

    async def _work_server(self) -> list[Server]:
        try:
            async with asyncio.timeout(ANSWER_S):
                return [_server("work", "", await self._work.info())]
        except (RedisError, OSError, TimeoutError):
            return []

    async def _jobs(self) -> Jobs | None:
        try:
            async with asyncio.timeout(ANSWER_S):
                return await asyncio.to_thread(_books, self._queues)
        except (RedisError, OSError, TimeoutError):
            return None

    async def _following(self) -> Following | None:
        try:
            async with asyncio.timeout(ANSWER_S):
                positions = await self._work.hgetall(POSITIONS)
                return Following(
                    projection_lag_s=_since(await oldest_unread(self._work, positions)),
                    deadline_lag_s=await self._lateness(DEADLINES),
                    bot_lag_s=await self._lateness(BOTS),
                    parked=await self._work.hlen(PARKED),
                    complete=await self._is_complete(),
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


def _books(queues: Mapping[QueueName, Queue]) -> Jobs:
    now, ended = figures(queues)
    workers = {
        name: len(Worker.all(queue=queue, serializer=JSONSerializer))
        for name, queue in queues.items()
    }
    return Jobs(now, ended, workers)


def _server(role: Literal["log", "work"], name: str, info: Mapping[str, Any]) -> Server:
    ours = now_micros()
    return Server(
        role=role,
        name=name,
        version=str(info.get("valkey_version", info["redis_version"])),
        run_id=str(info["run_id"]),
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
