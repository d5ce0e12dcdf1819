"""`shiplog run`: service, worker, auditor and a few bot matches on one machine, until Ctrl-C."""

import os
import signal
import subprocess
import sys
import threading
from collections.abc import Mapping
from types import FrameType

import typer

DEMO_MATCHES = "3"
STOP_S = 40
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
HINTS = """
  Play        {page}
  API page    {url}/schema
  Lobby       curl -s {url}/matches -H "Authorization: Bearer $TOKEN"   (README.md has the tour)
  Terminal    {shiplog} play tranquility --url {url}
  Stop        Ctrl-C
"""


def run() -> None:
    """Run everything on this machine. Data goes to SHIPLOG_DATA."""
    stopping = threading.Event()

    def stop(_number: int, _frame: FrameType | None) -> None:
        stopping.set()

    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, stop)
    environ = {"SHIPLOG_DEMO": DEMO_MATCHES, "SHIPLOG_LOG_LEVEL": "warning", **os.environ}
    service = _start("serve", environ, stdout=subprocess.PIPE)
    assert service.stdout is not None, "piped"
    line = service.stdout.readline().decode()
    if not line:
        raise typer.Exit(service.wait())
    typer.echo(line.strip())
    worker = _start("worker", environ | _beside(environ, 1))
    auditor = _start("audit", environ | _beside(environ, 2), "--follow")
    url = line.split()[-1]
    page = url.replace("//127.0.0.1:", "//localhost:")
    typer.echo(HINTS.format(url=url, page=page, shiplog=sys.argv[0]))
    processes = (auditor, worker, service)
    while not stopping.wait(0.5) and all(process.poll() is None for process in processes):
        pass
    statuses = [_stop(process) for process in processes]
    raise typer.Exit(0 if stopping.is_set() else max(map(abs, statuses)))


def _beside(environ: Mapping[str, str], place: int) -> dict[str, str]:
    """Return the metrics port of a process beside the service: the port `place` after its own."""
    port = environ.get("SHIPLOG_METRICS_PORT", "0")
    return {} if port == "0" else {"SHIPLOG_METRICS_PORT": str(int(port) + place)}


def _start(
    verb: str, environ: Mapping[str, str], *words: str, stdout: int | None = None
) -> subprocess.Popen[bytes]:
    """Start a verb in a process group of its own, so that Ctrl-C stops all in order.

    With `-P`, the folder in which `run` was started has no say in what is imported.
    """
    command = [sys.executable, "-P", "-c", VERB, str(os.getpid()), verb, *words]
    return subprocess.Popen(  # noqa: S603 - our own program
        command, env=environ, stdout=stdout, start_new_session=True
    )


def _stop(process: subprocess.Popen[bytes]) -> int:
    if process.poll() is None:
        process.terminate()
    return process.wait(STOP_S)
