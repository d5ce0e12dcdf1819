"""Worker processes that misbehave; run in processes of their own."""

import os
import signal
import time
from pathlib import Path

from service.worker import audits, rq_worker, wakeups

POINTS = ("taken", "started", "done")
"""Between dequeue and start, in the job, before its result."""


def work(settings, queue, markers: Path) -> None:
    """Work as `service.worker.rq_worker.work` does, except for sudden deaths."""
    prepare, run = rq_worker.InProcess.prepare_execution, wakeups.run_clocks

    def prepare_execution(self, job):
        _die(markers, "taken", job.args[0][0][1])
        return prepare(self, job)

    def run_clocks(due):
        _die(markers, "started", due[0][1])
        outcomes = run(due)
        _die(markers, "done", due[0][1])
        return outcomes

    rq_worker.InProcess.prepare_execution = prepare_execution
    wakeups.run_clocks = run_clocks
    rq_worker.work(settings, queue)


def sluggish(settings, queue) -> None:
    """Work, but never come to the end of an audit."""
    audits.audit_match = lambda task: time.sleep(600)
    rq_worker.work(settings, queue)


def slow_at_batches(settings, queue) -> None:
    """Work, but never come to the end of a batch of audits."""
    audits.audit_batch = lambda *_: time.sleep(600)
    rq_worker.work(settings, queue)


def dies_in_a_batch(settings, queue, markers: Path) -> None:
    """Work, but die in the first batch of audits, with the process that runs it."""
    audit = audits.audit_batch

    def audit_batch(*arguments):
        marker = markers / "died"
        if not marker.exists():
            marker.touch()
            os.kill(os.getppid(), signal.SIGKILL)
            time.sleep(600)
        return audit(*arguments)

    audits.audit_batch = audit_batch
    rq_worker.work(settings, queue)


def stubborn(settings, queue, markers: Path) -> None:
    """Work, but hang in the first audit; leave a marker with the process that hangs."""
    audit = audits.audit_match

    def audit_match(task):
        marker = markers / "hangs"
        if not marker.exists():
            _hang(marker)
        return audit(task)

    audits.audit_match = audit_match
    rq_worker.work(settings, queue)


def _die(markers: Path, point: str, deadline: int) -> None:
    """Die at the first point at which that has not happened yet; at most once for a deadline."""
    died = {marker.name: int(marker.read_text()) for marker in markers.iterdir()}
    alive = [one for one in POINTS if one not in died]
    if alive[:1] == [point] and deadline not in died.values():
        (markers / point).write_text(str(deadline))
        os.kill(os.getpid(), signal.SIGKILL)


def _hang(marker: Path) -> None:
    written = marker.with_suffix(".part")
    written.write_text(f"{os.getppid()} {os.getpid()}")
    written.rename(marker)
    time.sleep(600)
