"""Enqueue the jobs of killed workers again, within seconds; rq would take minutes.

Clocks are not compared. A job counts as dead if this process has seen no new heartbeat of it for a
while, or if it was taken from the queue and not started for a while.
"""

import time
from typing import Any

from redis import Redis
from rq import Queue
from rq.job import Job
from rq.utils import as_text

SILENT_S = 5.0
"""Time without a new heartbeat (seconds)."""
TAKEN_S = 2.0
"""Time between being taken and being started (seconds)."""

Beat = bytes | str | None


class Reviver:
    """Watches one queue; call `revive` every second or so."""

    def __init__(self, queue: Queue) -> None:
        """Watch a queue from now on."""
        self._queue = queue
        self._redis: Redis = queue.connection
        self._seen: dict[str, tuple[Beat, float]] = {}
        """By execution, or by id of a taken job: its last heartbeat and when that was new."""

    def revive(self) -> list[str]:
        """Enqueue the jobs of dead workers again; return their ids. Raises `RedisError`."""
        registry = self._queue.started_job_registry
        members: Any = self._redis.zrange(registry.key, 0, -1)
        started = [as_text(entry) for entry in members]
        taken = self._queue.intermediate_queue.get_job_ids()
        now = time.monotonic()
        dead = [entry for entry in started if self._silent(entry, self._beat(entry), now, SILENT_S)]
        running = {registry.parse_job_id(entry) for entry in started}
        lost = [
            job for job in taken if job not in running and self._silent(job, None, now, TAKEN_S)
        ]
        self._seen = {key: seen for key, seen in self._seen.items() if key in {*started, *taken}}
        if dead:
            self._expire(dead)
        for job in lost:
            self._put_back(job)
        return [*map(registry.parse_job_id, dead), *lost]

    def _beat(self, execution: str) -> Beat:
        return self._redis.hget(f"rq:execution:{execution}", "last_heartbeat")

    def _silent(self, key: str, beat: Beat, now: float, patience_s: float) -> bool:
        seen = self._seen.get(key)
        if seen is None or seen[0] != beat:
            self._seen[key] = (beat, now)
            return False
        return now - seen[1] > patience_s

    def _expire(self, dead: list[str]) -> None:
        """Mark jobs as expired, so that rq's own clean-up retries or fails them now."""
        registry = self._queue.started_job_registry
        with self._redis.pipeline() as pipe:
            for entry in dead:
                pipe.zadd(registry.key, {entry: 1}, xx=True)
                pipe.lrem(self._queue.intermediate_queue_key, 1, registry.parse_job_id(entry))
            pipe.execute()
        registry.cleanup()

    def _put_back(self, job: str) -> None:
        with self._redis.pipeline() as pipe:
            pipe.lrem(self._queue.intermediate_queue_key, 1, job)
            if Job.exists(job, self._redis):
                pipe.lpush(self._queue.key, job)
            pipe.execute()
