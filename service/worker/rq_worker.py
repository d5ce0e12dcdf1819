"""A worker process. It serves one queue, as rq moves jobs safely from a single queue only.

Jobs of `clock` and `bots` run in the process itself, with parts that stay open. Jobs of players
run in a child process, so that they can be stopped from outside, whatever they do.
"""

import ctypes
import multiprocessing
import os
import resource
import secrets
import signal
import socket
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from multiprocessing.process import BaseProcess

import structlog
from redis import Redis
from redis.client import Pipeline
from redis.exceptions import RedisError
from rq import Queue, SimpleWorker, Worker
from rq.executions import cleanup_execution
from rq.job import Job, JobStatus
from rq.registry import StartedJobRegistry
from rq.serializers import JSONSerializer
from rq.utils import as_text
from rq.worker import BaseWorker
from rq.worker_registration import REDIS_WORKER_KEYS, register

from service.base import logs
from service.base.settings import Settings
from service.jobs.queues import USER_QUEUES, QueueName, count, keep_cancelled
from service.worker import pool_metrics
from service.worker.runtime import prepare, runtime

BEAT_S = 1
"""Interval of a job's heartbeats (seconds)."""
LAPSE_S = 60
"""Silence after which rq itself counts a job as dead (seconds); `revive` is quicker."""
TTL_S = 20
"""Base of rq's waiting times (seconds); it waits a quarter of this for a job."""
MAINTENANCE_S = 30
PR_SET_PDEATHSIG = 1
MIB = 1024 * 1024
LAST_JOB_S = 10
"""Time that a job gets to end after the death of the supervisor (seconds)."""


log = structlog.get_logger("shiplog")


class ResilientWorker(BaseWorker):
    """Reconnects soon after the work Redis is back, and counts failures."""

    failure = "worker-died"
    """Outcome of a failed job, unless the job has noted its own."""
    exponential_backoff_factor = 1.0
    max_connection_wait_time = 1.0

    def heartbeat(self, timeout: int | None = None, pipeline: Pipeline | None = None) -> None:
        """Send a heartbeat. Register again if the work Redis has lost the registration."""
        if pipeline is None and not self.connection.sismember(REDIS_WORKER_KEYS, self.key):
            with self.connection.pipeline() as pipe:
                pipe.hset(self.key, mapping=self.serialize())
                register(self, pipe)
                pipe.execute()
            log.warning("worker", registered=self.name)
        super().heartbeat(timeout, pipeline)

    def handle_job_failure(
        self,
        job: Job,
        queue: Queue,
        started_job_registry: StartedJobRegistry | None = None,
        exc_string: str = "",
    ) -> None:
        """Count a failure that the job could not count itself; a cancelled job has not failed."""
        stopped = self._stopped_job_id == job.id
        if job.meta.get("error") in (None, "worker-died"):
            kind = job.meta.get("kind", queue.name)
            outcome = "cancelled" if stopped else self.failure
            count(self.connection, kind, outcome)
            log.warning("job", job=job.id, kind=kind, outcome=outcome, retries=job.retries_left)
        super().handle_job_failure(job, queue, started_job_registry, exc_string)
        if stopped:
            with self.connection.pipeline() as pipe:
                queue.failed_job_registry.remove(job, pipeline=pipe)
                keep_cancelled(job, pipe)
                pipe.execute()

    def perform_job(self, job: Job, queue: Queue) -> bool:
        """Run a job unless it was cancelled; its log lines have its id and that of the request."""
        if not self.connection.transaction(partial(self._begin, job), job.key):
            self._drop(job, queue)
            return False
        asked_by = {"request": job.meta["request"]} if "request" in job.meta else {}
        with logs.joined(job=job.id, **asked_by):
            return super().perform_job(job, queue)

    def _begin(self, job: Job, pipe: Pipeline) -> None:
        """Mark a job as running unless it was cancelled meanwhile, in one transaction."""
        status = self.connection.hget(job.key, "status")
        pipe.multi()
        if status is not None and as_text(status) != JobStatus.CANCELED:
            self.set_current_job_id(job.id, pipeline=pipe)
            job.prepare_for_execution(self.name, pipeline=pipe)

    def _drop(self, job: Job, queue: Queue) -> None:
        with self.connection.pipeline() as pipe:
            cleanup_execution(self, job, pipeline=pipe)
            pipe.lrem(queue.intermediate_queue_key, 1, job.id)
            pipe.execute()


class InProcess(ResilientWorker, SimpleWorker):
    """Runs jobs in its own process, with heartbeats, which `SimpleWorker` lacks."""

    failure = "failed"

    def execute_job(self, job: Job, queue: Queue) -> None:
        """Run a job."""
        with self._beating(job):
            super().execute_job(job, queue)

    def get_heartbeat_ttl(self, job: Job) -> int:  # noqa: ARG002 - as rq calls it
        """Return the time for which a heartbeat counts (seconds)."""
        return LAPSE_S

    @contextmanager
    def _beating(self, job: Job) -> Iterator[None]:
        done = threading.Event()
        thread = threading.Thread(target=self._beat, args=(job, done), name="beat", daemon=True)
        thread.start()
        try:
            yield
        finally:
            done.set()
            thread.join()

    def _beat(self, job: Job, done: threading.Event) -> None:
        while not done.wait(BEAT_S):
            if (execution := self.execution) is None:
                continue
            try:
                with self.connection.pipeline() as pipe:
                    self.heartbeat(LAPSE_S, pipeline=pipe)
                    execution.heartbeat(job.started_job_registry, LAPSE_S, pipeline=pipe)
                    pipe.execute()
            except RedisError:
                continue


class InChild(ResilientWorker, Worker):
    """Runs each job in a child process, which dies with it; the parent sends the heartbeats."""

    def setup_work_horse_signals(self) -> None:
        """Request the death signal: a job that is retried elsewhere must not go on here."""
        super().setup_work_horse_signals()
        if sys.platform == "linux":
            ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)


def work(settings: Settings, queue: QueueName) -> None:
    """Serve a queue until SIGTERM, as a worker process. The settings must name both servers."""
    _end_with_supervisor()
    logs.configure(settings.log_level)
    prepare(settings)
    if queue != "clock" and settings.job_memory_mb:
        limit = settings.job_memory_mb * MIB
        resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
    connection = Redis.from_url(settings.work_url)
    pool_metrics.publish(Redis.from_url(settings.work_url), queue)
    kind = InChild if queue in USER_QUEUES else InProcess
    if kind is InProcess:
        runtime()
    worker = kind(
        [Queue(queue, connection=connection, serializer=JSONSerializer)],
        name=f"{queue}-{socket.gethostname()}-{os.getpid()}-{secrets.token_hex(4)}",
        connection=connection,
        serializer=JSONSerializer,
        worker_ttl=TTL_S,
        maintenance_interval=MAINTENANCE_S,
        job_monitoring_interval=BEAT_S,
        log_job_description=False,
    )
    worker.work(logging_level="WARNING")


def _end_with_supervisor() -> None:
    """End this process when the supervisor ends, for whatever reason."""
    supervisor = multiprocessing.parent_process()
    if supervisor is not None:
        threading.Thread(target=_follow, args=(supervisor,), name="follow", daemon=True).start()


def _follow(supervisor: BaseProcess) -> None:
    supervisor.join()
    os.kill(os.getpid(), signal.SIGTERM)
    time.sleep(LAST_JOB_S)
    os.kill(os.getpid(), signal.SIGKILL)
