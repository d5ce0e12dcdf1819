"""`shiplog run`: service, worker, auditor and a few bot matches on one machine, until Ctrl-C."""

import os
import signal
import subprocess
import sys
import threading
from collections.abc import Mapping
from types import FrameType
from typing import Annotated

import typer

from service.base.environment import load
from service.base.settings import BadSetting
from service.cli.processes import check_metrics_ports, default_count, start_verb

Processes = Annotated[
    int | None,
    typer.Option(
        min=1,
        help="Processes of the service behind its port. By default 1 on two cores, 2 on four, "
        "and so on.",
    ),
]

DEMO_MATCHES = "3"
AUDITOR_AGAIN_S = 5
"""Time until an auditor that has ended is started again (seconds)."""
HINTS = """
  Play        {page}
  API page    {url}/schema
  Lobby       curl -s {url}/matches -H "Authorization: Bearer $TOKEN"   (README.md has the tour)
  Terminal    {shiplog} play tranquility --url {url}
  Stop        Ctrl-C
"""


def run(*, processes: Processes = None) -> None:
    """Run everything on this machine. Data goes to SHIPLOG_DATA.

    SIGINT and SIGTERM stop everything. A second signal ends the draining of the service.

    If the service or the worker ends, everything stops. If the auditor ends, another one goes on
    with its journal, and play is not affected.
    """
    count = processes or default_count()
    try:
        check_metrics_ports(load(), range(1, count + 2))
    except BadSetting as error:
        typer.echo(f"shiplog: {error}", err=True)
        raise typer.Exit(2) from None
    stopping = threading.Event()
    services: list[subprocess.Popen[bytes]] = []

    def stop(_number: int, _frame: FrameType | None) -> None:
        if stopping.is_set():
            for draining in services:
                draining.send_signal(signal.SIGINT)
        stopping.set()

    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, stop)
    environ = {"SHIPLOG_DEMO": DEMO_MATCHES, "SHIPLOG_LOG_LEVEL": "warning", **os.environ}
    several = processes is not None or count > 1
    serve = ("serve", "--processes", str(count)) if several else ("serve",)
    service = start_verb(serve, environ, stdout=subprocess.PIPE)
    services.append(service)
    assert service.stdout is not None, "piped"
    if several:
        signal.signal(signal.SIGHUP, lambda *_: service.send_signal(signal.SIGHUP))
    line = service.stdout.readline().decode()
    if not line:
        raise typer.Exit(service.wait())
    typer.echo(line.strip())
    worker = start_verb(("worker",), environ | _beside(environ, 1))
    auditor = _start_auditor(environ)
    url = line.split()[-1]
    page = url.replace("//127.0.0.1:", "//localhost:")
    typer.echo(HINTS.format(url=url, page=page, shiplog=sys.argv[0]))
    while not stopping.wait(0.5) and worker.poll() is None and service.poll() is None:
        if (status := auditor.poll()) is not None:
            typer.echo(f"The auditor ended with status {status}. Starting it again.", err=True)
            if not stopping.wait(AUDITOR_AGAIN_S):
                auditor = _start_auditor(environ)
    for name, process in (("worker", worker), ("service", service)):
        if not stopping.is_set() and (status := process.poll()) is not None:
            typer.echo(f"The {name} ended with status {status}. Stopping everything.", err=True)
    statuses = [_stop(process) for process in (auditor, worker, service)]
    raise typer.Exit(0 if stopping.is_set() else max(map(abs, statuses)))


def _start_auditor(environ: dict[str, str]) -> subprocess.Popen[bytes]:
    return start_verb(("audit", "--follow"), environ | _beside(environ, 2))


def _beside(environ: Mapping[str, str], place: int) -> dict[str, str]:
    """Return the metrics port of a process beside the service: the port `place` after its own."""
    port = environ.get("SHIPLOG_METRICS_PORT", "0")
    return {} if port == "0" else {"SHIPLOG_METRICS_PORT": str(int(port) + place)}


def _stop(process: subprocess.Popen[bytes]) -> int:
    if process.poll() is None:
        process.terminate()
    return process.wait()
