"""The pool of worker processes, which are restarted when they die.

They are forked from a server that has imported everything, so that a dead one is replaced at
once. RQ's `WorkerPool` does not fit: all of its workers serve the same queues with the same class,
and dead ones are restarted without a pause.
"""

import multiprocessing
import time
from multiprocessing.context import ForkServerProcess

import structlog

from service.base.settings import Settings
from service.jobs.queues import QueueName
from service.worker.rq_worker import work

BACKOFF_S = (0.0, 0.5, 1.0, 2.0, 5.0)
"""Delays before the next start, by number of deaths within a minute (seconds)."""
STOP_S = 10.0
"""Time that a process gets to finish its job (seconds)."""

FORKS = multiprocessing.get_context("forkserver")
FORKS.set_forkserver_preload(
    [
        "service.worker.task",
        "service.worker.wakeups",
        "service.worker.webhooks",
        "service.worker.rq_worker",
    ]
)

log = structlog.get_logger("shiplog")


class WorkerProcess:
    """A worker process."""

    def __init__(self, settings: Settings, queue: QueueName) -> None:
        """Prepare; `ensure_running` starts it."""
        self.queue = queue
        self.process: ForkServerProcess | None = None
        self._settings = settings
        self._deaths: list[float] = []
        self._start_at = 0.0

    def ensure_running(self) -> None:
        """Start the process if it is not running."""
        now = time.monotonic()
        if self.process is not None and self.process.exitcode is not None:
            self._bury(now, self.process.exitcode)
        if self.process is None and now >= self._start_at:
            process = FORKS.Process(target=work, args=(self._settings, self.queue))
            try:
                process.start()
            except (EOFError, OSError) as error:  # a signal has ended the server that forks
                self._bury(now, repr(error))
                return
            self.process = process
            log.info("worker", queue=self.queue, pid=process.pid)

    def _bury(self, now: float, cause: int | str) -> None:
        """Note that the process died, and when to start another."""
        log.error("worker", queue=self.queue, died=cause)
        self.process = None
        self._deaths = [at for at in self._deaths if at > now - 60] + [now]
        self._start_at = now + BACKOFF_S[min(len(self._deaths), len(BACKOFF_S)) - 1]

    def ask_to_stop(self) -> None:
        """Ask the process to finish its job and end."""
        if self.process is not None and self.process.exitcode is None:
            self.process.terminate()

    def end(self, until: float) -> None:
        """Wait for the end of the process until a time, then kill it."""
        if self.process is None:
            return
        self.process.join(max(0.0, until - time.monotonic()))
        if self.process.exitcode is None:
            log.error("worker", queue=self.queue, killed="does not stop")
            self.process.kill()
            self.process.join()


class WorkerPool:
    """All worker processes of a supervisor."""

    def __init__(self, settings: Settings) -> None:
        """Prepare; the settings must name both servers."""
        clocks: list[QueueName] = ["clock"] * settings.clock_workers
        bots: list[QueueName] = ["bots"] * settings.bot_workers
        hints: list[QueueName] = ["hints"] * settings.hint_workers
        asked: list[QueueName] = ["analysis"] * settings.analysis_workers
        senders: list[QueueName] = ["webhooks", "slow_webhooks"]
        self.members = [
            WorkerProcess(settings, queue) for queue in (*clocks, *bots, *hints, *asked, *senders)
        ]

    def ensure_running(self) -> None:
        """Start the processes that are not running."""
        for member in self.members:
            member.ensure_running()

    def pids(self) -> list[int]:
        """Return the ids of the current processes."""
        processes = [member.process for member in self.members]
        return [it.pid for it in processes if it is not None and it.pid is not None]

    def stop(self) -> None:
        """Stop all processes."""
        for member in self.members:
            member.ask_to_stop()
        until = time.monotonic() + STOP_S
        for member in self.members:
            member.end(until)
