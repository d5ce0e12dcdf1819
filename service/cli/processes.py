"""Several processes of the service behind one port, restarted one by one without a lost call.

This process opens the port and never accepts from it. Its children inherit the socket, so that
connections wait for the next one while another ends. It also runs the embedded servers, which would
otherwise end with the child that started them.
"""

import os
import signal
import socket
import subprocess
import sys
import time
from collections import deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import ExitStack
from queue import Empty, SimpleQueue

import structlog

from service.base.keys import load_or_make
from service.base.settings import BadSetting, Settings
from service.embedded.servers import Server, Supervisor
from service.http.server import listen

DRAIN_S = 2
"""Least time to drain before a restart: open connections learn to close after their next answer."""
STOP_S = 60
"""Time for calls that are pending when the draining ends (seconds)."""
LOOK_S = 0.2
"""Interval of checks whether all processes run (seconds)."""
PAUSE_S = 1.0
"""Pause before a process that ended is started again (seconds)."""
PORT_MAX = 65_535
SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
VERB = """\
import ctypes, os, signal, sys
if sys.platform == "linux":
    ctypes.CDLL(None).prctl(1, signal.SIGTERM)
if os.getppid() != int(sys.argv.pop(1)):
    sys.exit()
from shiplog import main
main()
"""
"""A verb that ends with the process that started it (PR_SET_PDEATHSIG), even if that is killed.

The first argument is the id of that process, which may have ended before the signal was asked for.
"""

log = structlog.get_logger("shiplog")


def start_verb(
    words: Sequence[str],
    environ: Mapping[str, str],
    *,
    stdout: int | None = None,
    descriptors: Sequence[int] = (),
) -> subprocess.Popen[bytes]:
    """Start a verb in a process group of its own, so that Ctrl-C stops all in order.

    With `-P`, the folder in which this process was started has no say in what is imported.
    """
    command = [sys.executable, "-P", "-c", VERB, str(os.getpid()), *words]
    return subprocess.Popen(  # noqa: S603 - our own program
        command, env=environ, stdout=stdout, start_new_session=True, pass_fds=descriptors
    )


def default_count() -> int:
    """Return how many processes suit this machine: one for two cores. Workers need the others."""
    return (len(os.sched_getaffinity(0)) + 1) // 2


def check_metrics_ports(settings: Settings, offsets: Iterable[int]) -> None:
    """Check the ports that other processes use, after the one in the settings.

    Raises `BadSetting`.
    """
    first = settings.metrics_port
    for port in (first + offset for offset in offsets if first):
        wrong = "is SHIPLOG_PORT: players could read it" if port == settings.port else ""
        wrong = wrong or ("does not exist" if port > PORT_MAX else "")
        if wrong:
            name = "SHIPLOG_METRICS_PORT"
            raise BadSetting(f"{name}: with {first} a further process uses {port}, which {wrong}.")


def serve_in_processes(settings: Settings, count: int, ready: Callable[[str], None]) -> int:
    """Serve in a number of processes until SIGTERM; return the exit status.

    SIGHUP restarts them one by one. Raises `BadSetting`, `BadSecrets`, `NoServer`.
    """
    check_metrics_ports(settings, (place + 2 for place in range(1, count)))
    received: SimpleQueue[int] = SimpleQueue()
    for number in SIGNALS:
        signal.signal(number, lambda number, _: received.put(number))
    load_or_make(settings.secrets_path)
    with ExitStack() as stack:
        listener = stack.enter_context(listen(settings.host, settings.port))
        if not settings.log_url:
            stack.enter_context(Supervisor(Server.log(settings.data / "log")))
        if not settings.work_url:
            stack.enter_context(Supervisor(Server.work(settings.data / "work")))
        pool = _Pool(settings, count, listener)
        if (status := pool.start()) is not None:
            return status
        ready(f"http://{settings.host}:{listener.getsockname()[1]}")
        while True:
            try:
                number = received.get(timeout=0 if pool.pending else LOOK_S)
            except Empty:
                pool.attend()
                continue
            if number != signal.SIGHUP:
                for again in (signal.SIGINT, signal.SIGTERM):
                    signal.signal(again, lambda *_: pool.end_draining())
                return pool.stop()
            pool.restart_all()


class _Pool:
    """The processes that accept from a socket."""

    def __init__(self, settings: Settings, count: int, listener: socket.socket) -> None:
        self._settings = settings
        self._listener = listener
        self._processes: list[subprocess.Popen[bytes]] = []
        self._count = count
        self.pending: deque[int] = deque()
        """Places whose processes are to be restarted."""
        self._failed_at = -PAUSE_S

    def start(self) -> int | None:
        """Start all processes. If one does not come up, stop all and return its exit status."""
        self._processes = [self._start(place) for place in range(self._count)]
        for process in self._processes:
            if not _came_up(process):
                status = process.wait()
                self.stop()
                return status
        return None

    def restart_all(self) -> None:
        """Restart all processes from now on, one after another."""
        log.info("restarting", processes=self._count)
        self.pending = deque(range(self._count))

    def attend(self) -> None:
        """Restart the next process that is to be restarted, or that ended."""
        if self.pending:
            if not self._replace(self.pending.popleft()):
                self.pending.clear()
            return
        if time.monotonic() - self._failed_at < PAUSE_S:
            return
        for place, process in enumerate(self._processes):
            if process.poll() is not None:
                log.error("process", place=place, died=process.returncode)
                self._failed_at = time.monotonic()
                self._replace(place)
                return

    def stop(self) -> int:
        """Stop all processes; return the worst of their exit statuses.

        The second signal ends the draining, unless the settings ask for one.
        """
        for process in self._processes:
            process.terminate()
        if not self._settings.drain_s:
            self.end_draining()
        return max(abs(self._end(process)) for process in self._processes)

    def end_draining(self) -> None:
        """Let processes that were asked to stop accept no more calls."""
        for process in self._processes:
            process.send_signal(signal.SIGINT)

    def _replace(self, place: int) -> bool:
        """Start a process, then stop the one in whose place it is; return whether it came up."""
        process = self._start(place)
        if not _came_up(process):
            log.error("process", place=place, failed=process.wait())
            return False
        old, self._processes[place] = self._processes[place], process
        if old.poll() is None:
            old.terminate()
            self._end(old)
        return True

    def _start(self, place: int) -> subprocess.Popen[bytes]:
        descriptor = self._listener.fileno()
        environ = {
            **os.environ,
            "SHIPLOG_DRAIN_S": str(max(self._settings.drain_s, DRAIN_S)),
            "SHIPLOG_METRICS_PORT": str(self._metrics_port(place)),
        }
        words = ("serve", "--listener", str(descriptor))
        return start_verb(words, environ, stdout=subprocess.PIPE, descriptors=(descriptor,))

    def _metrics_port(self, place: int) -> int:
        """Return the port of a process's metrics: ours, or one after the worker and auditor."""
        port = self._settings.metrics_port
        return port + place + 2 if port and place else port

    def _end(self, process: subprocess.Popen[bytes]) -> int:
        """Wait for the end of a process that was asked to stop; return its exit status."""
        try:
            return process.wait(max(self._settings.drain_s, DRAIN_S) + STOP_S)
        except subprocess.TimeoutExpired:
            log.warning("process", killed="it did not stop by itself")
            process.kill()
            return process.wait()
        finally:
            if process.stdout is not None:
                process.stdout.close()


def _came_up(process: subprocess.Popen[bytes]) -> bool:
    """Wait until a process serves, or has ended."""
    assert process.stdout is not None, "piped"
    return bool(process.stdout.readline())
