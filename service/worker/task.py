"""Doing what people have asked for: one entry for all kinds of jobs, which keeps their books.

A job is tried again when its process was killed or a server was away, never when it failed by itself.
"""

from collections.abc import Mapping
from typing import Any, Literal

import structlog
from rq import get_current_job
from rq.job import Job
from rq.timeouts import JobTimeoutException
from rq.utils import import_attribute

from events.store import Unavailable
from games.match.viewers import own_number
from service.base.clock import elapsed_us, stopwatch
from service.base.problems import Problem
from service.jobs.kinds import KINDS
from service.jobs.queues import count
from service.process.context import Context
from service.worker.runtime import desk

NOTE_US = 200_000
"""Microseconds between two notes of how far a job is."""

Failure = Literal["failed", "timed-out", "out-of-memory", "unavailable", "worker-died"]
"""Why a job failed, as its owner is told; the log has the rest."""

log = structlog.get_logger("shiplog")


class Stale(Exception):
    """The match has gone on: nobody needs the answer any more."""


class Task:
    """A job being done: what was asked, and where to tell how far it is."""

    def __init__(
        self,
        job: Job | None,
        kind: str,
        match: str,
        version: int,
        viewer: int | None,
        arguments: Mapping[str, Any],
    ) -> None:
        """Take a job up; None where nobody watches."""
        self._job = job
        self._kind = KINDS[kind]
        self.match = match
        self.version = version
        """The log's."""
        self.viewer = viewer
        """The seat whose numbers count; None is a spectator."""
        self.arguments = arguments
        """The kind's own, plain JSON values."""
        self._noted: float | None = None

    def show(self, done: int, total: int) -> None:
        """Tell how far the job is, as often as wished; raises `Stale` when it is of no use any more."""
        if self._noted is not None and elapsed_us(self._noted) < NOTE_US and done < total:
            return
        self.require_current()
        self.note(progress=[done, total])
        self._noted = stopwatch()

    def require_current(self) -> None:
        """Raise `Stale` if the job was for a version that its viewer is no longer at."""
        if self._kind.current and desk().run(self._gone_on):
            raise Stale

    async def _gone_on(self, context: Context) -> bool:
        """Compare the viewer's own numbers: records that it is not shown must not tell of themselves here."""
        match = (await context.lives.get(self.match)).match
        then, now = (own_number(match, self.viewer, v) for v in (self.version, match.version))
        return now > then

    def note(self, **notes: Any) -> None:
        """Write into the job's books."""
        if self._job is not None:
            self._job.meta.update(notes)
            self._job.save_meta()

    def give_up(self) -> None:
        """Don't try again."""
        if self._job is not None:
            self._job.retries_left = 0


def run(
    kind: str, match: str, version: int, viewer: int | None, arguments: Mapping[str, Any]
) -> Any:
    """Do a job of any kind: what the queue calls."""
    job = get_current_job()
    task = Task(job, kind, match, version, viewer, arguments)
    watch = stopwatch()
    outcome: str = "failed"
    task.note(error="worker-died", stale=False, progress=None)
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
    """Name why a job failed."""
    if isinstance(error, JobTimeoutException):
        return "timed-out"
    if isinstance(error, MemoryError):
        return "out-of-memory"
    if isinstance(error, Unavailable) or (isinstance(error, Problem) and error.status == 503):
        return "unavailable"
    return "failed"
