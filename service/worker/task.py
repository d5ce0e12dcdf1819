"""Run the jobs of players: one entry point for all kinds, which records progress and outcome.

A job is retried if its process was killed or a server was down, but not if it failed by itself.
"""

from collections.abc import Mapping
from typing import Any, Literal

import structlog
from rq import get_current_job
from rq.job import Job
from rq.timeouts import JobTimeoutException
from rq.utils import import_attribute

from events.store import Unavailable
from games.match.viewers import shown_since
from service.base.clock import elapsed_us, stopwatch
from service.base.problems import Problem
from service.jobs.kinds import KINDS
from service.jobs.queues import count
from service.process.context import Context
from service.worker.runtime import runtime

NOTE_US = 200_000
"""Minimum time between two updates of a job's progress (microseconds)."""

Failure = Literal["failed", "timed-out", "out-of-memory", "unavailable", "worker-died"]
"""Why a job failed, as shown to its owner. The service log has the details."""

log = structlog.get_logger("shiplog")


class Stale(Exception):
    """The match has gone on, and the result is no longer needed."""


class Task:
    """A job under way: its arguments, and its progress."""

    def __init__(
        self,
        job: Job | None,
        kind: str,
        match: str,
        version: int,
        viewer: int | None,
        arguments: Mapping[str, Any],
    ) -> None:
        """Prepare to run a job; None if there is no job to update."""
        self._job = job
        self._kind = KINDS[kind]
        self.match = match
        self.version = version
        """Version of the log."""
        self.viewer = viewer
        """The viewer whose version numbers count; None is a spectator."""
        self.arguments = arguments
        """Arguments of the kind, plain JSON values."""
        self._noted: float | None = None
        self._partial_results = 0

    def show(self, done: int, total: int) -> None:
        """Record the progress, at most a few times a second; raises `Stale` once it is outdated."""
        if self._noted is not None and elapsed_us(self._noted) < NOTE_US and done < total:
            return
        self.require_current()
        self.note(progress=[done, total])
        self._noted = stopwatch()

    def count_partial_result(self) -> None:
        """Tell that another partial result can be read."""
        self._partial_results += 1
        self.note(partial_results=self._partial_results)

    def require_current(self) -> None:
        """Raise `Stale` if the job is for a version that its viewer has left behind."""
        if self._kind.current and runtime().run(self._gone_on):
            raise Stale

    async def _gone_on(self, context: Context) -> bool:
        """Look at what the viewer was shown, since hidden records must not show here."""
        match = (await context.cache.get(self.match)).match
        return shown_since(match, self.viewer, self.version)

    def note(self, **notes: Any) -> None:
        """Update the metadata of the job."""
        if self._job is not None:
            self._job.meta.update(notes)
            self._job.save_meta()

    def give_up(self) -> None:
        """Prevent retries."""
        if self._job is not None:
            self._job.retries_left = 0


def run(
    kind: str, match: str, version: int, viewer: int | None, arguments: Mapping[str, Any]
) -> Any:
    """Run a job of any kind. RQ calls this function."""
    job = get_current_job()
    task = Task(job, kind, match, version, viewer, arguments)
    watch = stopwatch()
    outcome: str = "failed"
    task.note(error="worker-died", stale=False, progress=None, partial_results=0)
    try:
        task.require_current()
        result = import_attribute(KINDS[kind].run)(task)
        outcome = "finished"
        task.note(error=None)
    except Stale:
        outcome, result = "stale", None
        task.note(error=None, stale=True)
    except Exception as error:
        outcome = failure(error)
        task.note(error=outcome)
        if outcome != "unavailable":
            task.give_up()
        log.exception("job", job=job and job.id, kind=kind, match=match, outcome=outcome)
        raise
    finally:
        if job is not None:
            count(job.connection, kind, outcome)
    log.info(
        "job", job=job and job.id, kind=kind, match=match, outcome=outcome, us=elapsed_us(watch)
    )
    return result


def failure(error: Exception) -> Failure:
    """Return why a job failed."""
    if isinstance(error, JobTimeoutException):
        return "timed-out"
    if isinstance(error, MemoryError):
        return "out-of-memory"
    if isinstance(error, Unavailable) or (isinstance(error, Problem) and error.status == 503):
        return "unavailable"
    return "failed"
